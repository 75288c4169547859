/// \file
/// What `create` and `stream` are in every room that has them.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "client/answer_facts.hpp"
#include "client/call.hpp"
#include "client/core.hpp"
#include "client/http_error.hpp"
#include "client/preflight.hpp"
#include "client/stream_core.hpp"
#include "client/stream_decoder.hpp"
#include "json/codec.hpp"
#include "protocol/media_type.hpp"

namespace inferwire::inline v0_1::client {

inline Error moved_from() { return Error{.kind = ErrorKind::config, .detail = "this client was moved from"}; }

/// The word of a room, by its requests.
template <class Request>
inline constexpr std::string_view word_of = "";
template <>
inline constexpr std::string_view word_of<chat::Request> = "chat";
template <>
inline constexpr std::string_view word_of<completions::Request> = "completions";
template <>
inline constexpr std::string_view word_of<responses::Request> = "responses";

/// What documents say of a room's requests.
template <class Request>
std::span<const protocol::Rule> rules_of();
template <>
inline std::span<const protocol::Rule> rules_of<chat::Request>() {
  return protocol::chat_rules();
}
template <>
inline std::span<const protocol::Rule> rules_of<completions::Request>() {
  return protocol::completion_rules();
}
template <>
inline std::span<const protocol::Rule> rules_of<embeddings::Request>() {
  return protocol::embedding_rules();
}
template <>
inline std::span<const protocol::Rule> rules_of<responses::Request>() {
  return protocol::responses_rules();
}

/// The body of a call. The caller's request is not changed: what the call decides is written over it.
template <class Request>
Result<std::string> encode_body(const detail::Core& core, const Route& route, const Request& request,
                                bool stream, const CallOptions& options) {
  const auto& provider = core.provider();
  std::array<json::Override, 2> overrides{};
  std::size_t count = 0;
  if (provider.explicit_stream) overrides[count++] = {"stream", stream ? "true" : "false"};
  if (!route.model_in_body) overrides[count++] = {"model", {}};
  const bool nested = options.nested_tools.value_or(provider.nested_tools);
  auto body = json::encode(request, {overrides.data(), count},
                           nested ? json::Spelling::nested : json::Spelling::flat);
  if (!body) return body;
  auto checked = preflight(core, *body, rules_of<Request>());
  if (!checked) return std::move(checked).error();
  if constexpr (std::is_same_v<Request, chat::Request>) remark_on_observed(core, *body, request.model);
  return body;
}

/// Gathers the elements of `answer`, which came as a stream although a whole answer was asked for.
template <class Chunk>
Result<typename Folds<Chunk>::Response> fold(const WholeAnswer& answer, std::int64_t choices,
                                             Framing fallback) {
  StreamDecoder decoder(answer.text().size() + 1, choices, fallback);
  decoder.on_head(answer.head());
  decoder.on_body(answer.text());
  decoder.on_end(nullptr);
  typename Folds<Chunk>::Accumulator accumulator;
  Chunk chunk;
  Error error;
  for (;;) {
    switch (decoder.next(&chunk, element_ops<Chunk>(), error)) {
      case StreamDecoder::Next::element: accumulator.add(chunk); break;
      case StreamDecoder::Next::complete: return accumulator.take(true);
      default: return error;
    }
  }
}

/// The document of an answer, read by `decode(decoder, text, document, problem)`; or the error that came
/// instead of it.
template <class Document, class Decode>
Result<Document> read_document(const WholeAnswer& answer, Decode decode) {
  const auto& head = answer.head();
  if (head.status < 200 || head.status > 299) {
    return http_error(head, answer.text(), std::chrono::system_clock::now());
  }
  thread_local json::Decoder decoder;
  Document document;
  Error problem;
  if (decode(decoder, answer.text(), document, problem)) return document;
  if (auto facts = wire::error_in_document(answer.text())) return embedded_error(head, std::move(*facts));
  const auto first = answer.text().find_first_not_of(" \t\r\n");
  const auto media = protocol::media_kind(find_header(head.headers, "content-type"));
  if (media == protocol::MediaKind::html ||
      (first != std::string_view::npos && answer.text()[first] == '<')) {
    return html_page_error(head, answer.text());
  }
  if (first == std::string_view::npos) problem.detail = "the answer's body is empty";
  problem.status = head.status;
  take_request_id(problem, head);
  return problem;
}

/// The answer to a request, read as `Chunk`'s Response.
template <class Chunk>
Result<typename Folds<Chunk>::Response> read_answer(const WholeAnswer& answer, std::int64_t choices,
                                                    Framing fallback) {
  using Response = typename Folds<Chunk>::Response;
  const auto& head = answer.head();
  const bool good = head.status >= 200 && head.status <= 299;
  const auto media = protocol::media_kind(find_header(head.headers, "content-type"));
  if (good && protocol::is_stream(media)) return fold<Chunk>(answer, choices, fallback);
  return read_document<Response>(
      answer, [](json::Decoder& decoder, std::string_view text, Response& response, Error& problem) {
        return decoder.decode(text, response, json::Reading::tolerant, problem);
      });
}

/// One exchange after another until there is a whole answer, which `read(answer)` makes a Result of.
template <class Read>
auto ask(const std::shared_ptr<detail::Core>& core, const Subject& subject, Result<HttpRequest> http,
         const CallOptions& options, Read read) -> decltype(read(std::declval<const WholeAnswer&>())) {
  if (options.info != nullptr) *options.info = {};
  if (!http) return std::move(http).error();
  WholeAnswer answer;
  Call call(core, std::move(*http), Shape::whole, options, answer, subject);
  for (;;) {
    auto result = attempt(call, answer).and_then([&] { return read(std::as_const(answer)); });
    if (!result && call.again(result.error())) continue;
    if (options.info != nullptr || call.observation() != nullptr) {
      ResponseInfo info;
      call.describe(info);
      answer.describe(info);
      if (auto* const watched = call.observation()) {
        if (result) note_facts(watched->facts(), *result);
        watched->finish(result ? nullptr : &result.error(), info, result ? answer.text() : "");
      }
      if (options.info != nullptr) *options.info = std::move(info);
    }
    return result;
  }
}

/// `resource.create`: one request, one whole answer.
template <class Chunk, class Request>
Result<typename Folds<Chunk>::Response> create(const std::shared_ptr<detail::Core>& core, const Route& route,
                                               const Request& request, std::int64_t choices,
                                               const CallOptions& options) {
  const auto& provider = core->provider();
  auto body = encode_body(*core, route, request, false, options);
  if (!body) return std::move(body).error();
  return ask(core, {word_of<Request>, request.model},
             core->request(route, request.model, std::move(*body), false, options), options,
             [choices, framing = provider.stream.framing](const WholeAnswer& answer) {
               return read_answer<Chunk>(answer, choices, framing);
             });
}

/// `resource.stream`: one request, an answer in elements.
template <class Chunk, class Request>
Stream<Chunk> stream(const std::shared_ptr<detail::Core>& core, const Route& route, const Request& request,
                     std::int64_t choices, const CallOptions& options) {
  auto body = encode_body(*core, route, request, true, options);
  if (!body) return Stream<Chunk>(std::make_unique<detail::StreamCore>(std::move(body).error()));
  return Stream<Chunk>(std::make_unique<detail::StreamCore>(
      core, detail::StreamPlan{word_of<Request>, route, request.model, std::move(*body), choices, options}));
}

}  // namespace inferwire::inline v0_1::client
