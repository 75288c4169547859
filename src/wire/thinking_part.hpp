/// \file
/// Content parts of the type "thinking": Mistral's `{"type": "thinking", "thinking": [{"type": "text",
/// ...}]}`, and Claude's, whose `thinking` is a text.
#pragma once

#include <string>
#include <vector>

#include "inferwire/chat_message.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1::chat {

/// What a part of this type says; nothing where it is of another, or of another form.
Optional<std::string> thinking_in(const ContentPart& part);

/// Mistral streams one such part a piece. Joins the piece to the last part where both hold nothing but text;
/// false: it is none of these.
bool fold_thinking(std::vector<ContentPart>& parts, const ContentPart& piece);

}  // namespace inferwire::inline v0_1::chat
