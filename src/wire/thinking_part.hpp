/// \file
/// Content parts of type "thinking": Mistral's `{"type": "thinking", "thinking": [{"type": "text", ...}]}`,
/// and Claude's, whose `thinking` is a text.
#pragma once

#include "inferwire/chat_message.hpp"
#include "inferwire/optional.hpp"

#include <string>
#include <vector>

namespace inferwire::inline v0_1::wire {

/// The text of such a part; nothing if the part has another type or form.
Optional<std::string> thinking_in(const chat::ContentPart& part);

/// Mistral streams such a part per piece. Joins the piece to the last part if it may continue that
/// (`continues`) and both hold only text; returns false if the piece is not such a part.
bool fold_thinking(std::vector<chat::ContentPart>& parts, const chat::ContentPart& piece, bool continues);

}  // namespace inferwire::inline v0_1::wire
