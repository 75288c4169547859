/// \file
/// Counts of things, in messages.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// "1 event", "2 events", "0 events".
template <std::integral N>
[[gnu::cold]] std::string counted(N count, std::string_view noun) {
  auto text = std::to_string(count);
  (text += ' ') += noun;
  if (count != 1) text += 's';
  return text;
}

}  // namespace inferwire::inline v0_1::client
