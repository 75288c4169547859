/// \file
/// Statics that are never destroyed: a thread that was let go of may outlive those of the program.
#pragma once

#include <utility>

namespace inferwire::inline v0_1 {

template <class T>
union Immortal {
  T value;

  Immortal() noexcept : value() {}
  explicit Immortal(T made) noexcept : value(std::move(made)) {}
  ~Immortal() {}
  Immortal(const Immortal&) = delete;
  Immortal& operator=(const Immortal&) = delete;
};

}  // namespace inferwire::inline v0_1
