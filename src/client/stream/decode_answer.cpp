// Compiled for size, unlike the elements of streams: strings are copied one by one.
#include "client/stream/decode_answer.hpp"

#include "base/per_thread.hpp"
#include "json/stencil.hpp"
#include "wire/agent_chat.hpp"
#include "wire/completion_text.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::client {

namespace {

/// Decodes an answer of usual length over the previous one on this thread: answers of one service are mostly
/// alike, and then only the differences are read.
template <class Response>
Result<Response> decode_like_last(json::Decoder& decoder, std::string_view text) {
  if (text.size() > json::Stencil::most_bytes) return decoder.decode<Response>(text, json::Reading::tolerant);
  constinit thread_local PerThread<json::Decoder> series;
  constinit thread_local PerThread<Response> kept;
  auto& last = kept.get();
  Error problem;
  if (series.get(json::Series::alike).decode(text, last, json::Reading::tolerant, problem)) return last;
  last = Response();  // it may have grown to any size
  return problem;
}

}  // namespace

Result<chat::Response> decode_chat(json::Decoder& decoder, std::string_view text,
                                   std::optional<std::string>& usual) {
  auto answer = decode_like_last<chat::Response>(decoder, text);
  if (answer && !answer->choices.empty()) return answer;
  usual = wire::agent_answer(text);
  if (usual) answer = json::decode<chat::Response>(*usual);
  return answer;
}

template <>
Result<chat::Response> decode_answer(json::Decoder& decoder, std::string_view text) {
  std::optional<std::string> usual;
  return decode_chat(decoder, text, usual);
}

template <>
Result<completions::Response> decode_answer(json::Decoder& decoder, std::string_view text) {
  auto answer = decode_like_last<completions::Response>(decoder, text);
  if (answer) wire::take_chat_texts(answer->choices);
  return answer;
}

template <>
Result<responses::Response> decode_answer(json::Decoder& decoder, std::string_view text) {
  return decode_like_last<responses::Response>(decoder, text);
}

}  // namespace inferwire::inline v0_1::client
