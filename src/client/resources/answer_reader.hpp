/// \file
/// Readers of whole answers: documents, or streams in place of one.
#pragma once

#include "base/ended_call.hpp"
#include "base/per_thread.hpp"
#include "client/call/http_error.hpp"
#include "client/call/whole_call.hpp"
#include "client/stream/chat_elements.hpp"
#include "client/stream/chunk_ops.hpp"
#include "client/stream/decode_answer.hpp"
#include "client/stream/stream_decoder.hpp"
#include "json/codec.hpp"
#include "protocol/framing/media_type.hpp"
#include "wire/error_body.hpp"
#include "wire/first_choice.hpp"
#include "wire/tool_call_ids.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1::client {

/// Whether `answer` is a stream although a whole answer was requested.
inline bool is_streamed(const WholeAnswer& answer) {
  const auto& head = answer.head();
  const auto media = protocol::media_kind(find_header(head.headers, "content-type"));
  return is_success(head.status) && (protocol::is_stream(media) || begins_with_event(answer.text()));
}

/// Folds the elements of a streamed `answer`, which may have broken off.
template <class Chunk>
Result<typename Folds<Chunk>::Response> fold(const WholeAnswer& answer, std::int64_t choices,
                                             const StreamRow& row) {
  StreamDecoder decoder(element_ops<Chunk>(), answer.head(), answer.text().size() + 1, choices, row);
  decoder.on_head();
  decoder.on_body(answer.text());
  decoder.on_end(answer.failure() ? &*answer.failure() : nullptr);
  typename Folds<Chunk>::Accumulator accumulator;
  Chunk chunk;
  for (;;) {
    switch (decoder.next(&chunk)) {
      case StreamDecoder::Next::element: accumulator.add(chunk); break;
      case StreamDecoder::Next::complete: return accumulator.take(true);
      default: {
        auto& error = decoder.error();
        if (error.kind == ErrorKind::response_failed) return accumulator.take(true);  // also an answer
        return std::move(error);
      }
    }
  }
}

/// The document of an answer, decoded by `decode(decoder, text)`, or the error in its place.
template <class Document, class Decode>
Result<Document> read_document(const WholeAnswer& answer, Decode decode) {
  const auto& head = answer.head();
  constinit thread_local PerThread<json::Decoder> decoder;
  const bool good = is_success(head.status);
  // The only one that is returned, so that it is never moved.
  auto document =
      good ? decode(decoder.get(), answer.text()) : Result<Document>(http_error(head, answer.text()));
  if (good && !document) document = unreadable(head, answer.text(), std::move(document).error());
  return document;
}

/// Completes a decoded answer, or replaces it by the error that it reports.
template <class Chunk>
void examine(Result<typename Folds<Chunk>::Response>& reply, const WholeAnswer& answer, std::int64_t choices,
             const StreamRow& row) {
  constexpr bool is_chat = std::is_same_v<Chunk, chat::Chunk>;
  auto facts = reply->choices.empty() ? wire::error_in(reply->extra) : std::nullopt;
  if (facts) {
    reply = embedded_error(answer.head(), *std::move(facts), answer.text());
    return;
  }
  if constexpr (is_chat) {
    if (auto failure = failure_in(*reply, answer.head(), answer.text())) {
      reply = *std::move(failure);
      return;
    }
    if (wire::are_parts(reply->choices, choices)) {
      *reply = chat::Response();  // frees its memory before the text is decoded again
      reply = fold<Chunk>(answer, choices, row);
      return;
    }
  }
  if (choices == 1 && reply->choices.size() == 1) reply->choices.front().index = 0;
  number_if_alike(reply->choices);
  if constexpr (is_chat) wire::complete_calls(*reply);
}

/// Decodes an answer. If no member is required, an error body would decode as one, so that is checked as
/// well.
template <class Document>
Result<Document> decode_document(json::Decoder& decoder, std::string_view text) {
  auto out = decoder.decode<Document>(text, json::Reading::tolerant);
  if (out && !out->extra.empty() && wire::error_in_document(text)) out = Error();
  return out;
}

/// The reader of answers for a resource without streams.
template <class Document>
auto document_reader() {
  return
      [](const WholeAnswer& answer) { return read_document<Document>(answer, &decode_document<Document>); };
}

/// The reader of answers to a request for `Chunk`'s Response. The row must outlive it.
template <class Chunk>
struct AnswerReader {
  using Response = typename Folds<Chunk>::Response;
  using Reply = Result<Response>;

  Reply operator()(const WholeAnswer& answer) const {
    const bool streamed = is_streamed(answer);
    auto reply = streamed ? fold<Chunk>(answer, choices, row)
                          : read_document<Response>(answer, &decode_answer<Response>);
    if constexpr (requires { reply->choices; }) {
      if (reply && !streamed) examine<Chunk>(reply, answer, choices, row);
    }
    return reply;
  }
  /// Recovers an answer that broke off if it is a stream, which shows by itself whether it is complete.
  /// `reply` is the error.
  void save(const WholeAnswer& answer, Reply& reply) const {
    if (ends_call(reply.error()) || !is_streamed(answer)) return;
    if (auto whole = fold<Chunk>(answer, choices, row)) reply = std::move(whole);
  }

  std::int64_t choices;
  const StreamRow& row;
};

}  // namespace inferwire::inline v0_1::client
