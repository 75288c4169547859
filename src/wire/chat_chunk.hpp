/// \file
/// Chunks of chat streams, which have two forms.
#pragma once

#include "inferwire/chat.hpp"
#include "json/codec.hpp"

#include <string_view>

namespace inferwire::inline v0_1::wire {

/// Decodes a chunk, which is followed by `json::padding` readable bytes: the documented object, or that of an
/// agent on Databricks: see agent_chunk.
bool decode_chunk(json::Decoder& decoder, std::string_view padded_text, chat::Chunk& out, Error& error);

}  // namespace inferwire::inline v0_1::wire
