/// \file
/// Decoders of whole answers: those to `create`, and those to `stream` of servers that do not stream on
/// request.
#pragma once

#include "inferwire/fwd.hpp"
#include "inferwire/result.hpp"
#include "json/codec.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// Decodes the documented object, or, for chat, that of an agent on Databricks. The choices of completions
/// may be those of chat. `text` is padded, here and below.
template <class Response>
Result<Response> decode_answer(json::Decoder& decoder, std::string_view text);
template <>
Result<chat::Response> decode_answer(json::Decoder& decoder, std::string_view text);
template <>
Result<completions::Response> decode_answer(json::Decoder& decoder, std::string_view text);
template <>
Result<responses::Response> decode_answer(json::Decoder& decoder, std::string_view text);

/// `decode_answer` for chat; sets `usual` to the usual form of an answer that has the agent's.
Result<chat::Response> decode_chat(json::Decoder& decoder, std::string_view text,
                                   std::optional<std::string>& usual);

}  // namespace inferwire::inline v0_1::client
