/// \file
/// Completions that a server sends in the form of chat.
#pragma once

#include "inferwire/completions.hpp"

#include <vector>

namespace inferwire::inline v0_1::wire {

/// Gives choices without a text that of their `message` or `delta`, which is dropped if it holds nothing
/// else. Returns whether a choice was changed.
bool take_chat_texts(std::vector<completions::Choice>& choices);

}  // namespace inferwire::inline v0_1::wire
