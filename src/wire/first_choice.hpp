/// \file
/// The choice to read when an answer is expected to have one, and what is read as one.
#pragma once

#include <algorithm>
#include <cstdint>
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

/// Whether the choices of a chat answer are the parts of one, of which the request asked for `wanted`: all
/// have the same index, and at most one has text. GitHub Copilot sends Claude's text and its tool calls so.
template <class T>
bool are_parts(const std::vector<T>& choices, std::int64_t wanted) {
  if (wanted != 1 || choices.size() < 2) return false;
  const auto has_text = [](const T& choice) { return !choice.message.text().empty(); };
  return std::ranges::all_of(choices, [&](const T& choice) { return choice.index == choices[0].index; }) &&
         std::ranges::count_if(choices, has_text) <= 1;
}

}  // namespace inferwire::inline v0_1::wire
