/// \file
/// Folds the content of deltas into that of a message.
#pragma once

#include "inferwire/chat_message.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1::wire {

/// Strings and lists of parts may alternate. The content is a string as long as there were only strings.
void fold_content(Optional<chat::Content>& content, const chat::Content& piece);

}  // namespace inferwire::inline v0_1::wire
