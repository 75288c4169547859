/// \file
/// The choice that a reader of one answer means.
#pragma once

#include <vector>

namespace inferwire::inline v0_1::wire {

/// The choice with index 0, wherever it stands; the first in the list when none has it; nullptr when there is
/// none at all.
template <class T>
const T* first_choice(const std::vector<T>& choices) noexcept {
  for (const T& choice : choices) {
    if (choice.index == 0) return &choice;
  }
  return choices.empty() ? nullptr : &choices.front();
}

}  // namespace inferwire::inline v0_1::wire
