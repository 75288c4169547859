/// \file
/// The choice to read when an answer is expected to have one.
#pragma once

#include <vector>

namespace inferwire::inline v0_1::wire {

/// The choice with index 0, at any position; the first in the list if none has it; nullptr if the list is
/// empty.
template <class T>
const T* first_choice(const std::vector<T>& choices) noexcept {
  for (const T& choice : choices) {
    if (choice.index == 0) return &choice;
  }
  return choices.empty() ? nullptr : &choices.front();
}

}  // namespace inferwire::inline v0_1::wire
