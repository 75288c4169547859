/// \file
/// A condition that a scripted reply waits for, so that tests need not sleep.
#pragma once

#include "inferwire/export.hpp"

#include <memory>

namespace inferwire::inline v0_1::testing {

/// A gate, closed at first. Copies refer to the same gate; a move is a copy. Safe from any thread.
class INFERWIRE_API Gate {
 public:
  Gate();
  Gate(const Gate&) = default;
  Gate& operator=(const Gate&) = default;

  /// Releases all replies that wait for it now or later.
  void open();
  /// Whether it was opened.
  bool is_open() const;

  struct State;

 private:
  friend struct State;
  std::shared_ptr<State> state_;
};

}  // namespace inferwire::inline v0_1::testing
