/// \file
/// Statics that are never destroyed: a detached thread may outlive the program's ordinary statics.
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
