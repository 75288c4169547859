/// \file
/// The chat template of the bundled model.
#pragma once

#include "inferwire/engine/language_model.hpp"

#include <span>
#include <string>

namespace inferwire::inline v0_1::engine {

/// `<|system|>text<|user|>text<|assistant|>text<|end|>...<|assistant|>`: a marker opens every turn, and only
/// answers are closed. A turn's text cannot open a turn: spellings of special tokens in it lose their first
/// `|`.
std::string render_chat(std::span<const ChatTurn> turns);

}  // namespace inferwire::inline v0_1::engine
