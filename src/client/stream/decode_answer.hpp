/// \file
/// Decoders of whole answers: those to `create`, and those to `stream` of servers that do not stream on
/// request.
#pragma once

#include "base/per_thread.hpp"
#include "inferwire/error.hpp"
#include "inferwire/fwd.hpp"
#include "json/codec.hpp"
#include "json/stencil.hpp"

#include <string_view>

namespace inferwire::inline v0_1::client {

/// Decodes an answer of usual length over the previous one on this thread: answers of one service are mostly
/// alike, and then only the differences are read.
template <class Response>
bool decode_like_last(json::Decoder& decoder, std::string_view text, Response& answer, Error& error) {
  if (text.size() > json::Stencil::most_bytes)
    return decoder.decode(text, answer, json::Reading::tolerant, error);
  constinit thread_local PerThread<json::Decoder> series;
  constinit thread_local PerThread<Response> kept;
  auto& last = kept.get();
  if (!series.get(json::Series::alike).decode(text, last, json::Reading::tolerant, error)) {
    last = Response();  // it may have grown to any size
    return false;
  }
  answer = Response(last);
  return true;
}

/// Decodes the documented object, or that of an agent on Databricks. `text` is padded, here and below.
bool decode_answer(json::Decoder& decoder, std::string_view text, chat::Response& answer, Error& error);
/// Decodes the documented object, whose choices may be those of chat.
bool decode_answer(json::Decoder& decoder, std::string_view text, completions::Response& answer,
                   Error& error);
bool decode_answer(json::Decoder& decoder, std::string_view text, responses::Response& answer, Error& error);

}  // namespace inferwire::inline v0_1::client
