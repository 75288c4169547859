/// \file
/// What `create` and `stream` are in every room that has them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "client/answer_facts.hpp"
#include "client/core.hpp"
#include "client/http_error.hpp"
#include "client/preflight.hpp"
#include "client/stream_core.hpp"
#include "client/stream_decoder.hpp"
#include "client/whole_call.hpp"
#include "json/codec.hpp"
#include "json/stencil.hpp"
#include "protocol/media_type.hpp"
#include "wire/tool_call_fold.hpp"

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

/// What documents say of a room's requests; nothing where none are known.
template <class Request>
std::span<const protocol::Rule> rules_of() {
  return {};
}
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
  if constexpr (requires { request.stream; }) {
    if (provider.explicit_stream) overrides[count++] = {"stream", stream ? "true" : "false"};
  }
  if (!route.model_in_body) overrides[count++] = {"model", {}};
  const bool nested = options.nested_tools.value_or(provider.nested_tools);
  auto body = json::encode(request, {overrides.data(), count},
                           nested ? json::Spelling::nested : json::Spelling::flat);
  if (!body) return body;
  auto checked = preflight(core, *body, rules_of<Request>(), options);
  if (!checked) return std::move(checked).error();
  if constexpr (std::is_same_v<Request, chat::Request>)
    remark_on_observed(core, *body, request.model, options);
  return body;
}

/// Gathers the elements of `answer`, which came as a stream although a whole answer was asked for.
template <class Chunk>
Result<typename Folds<Chunk>::Response> fold(const WholeAnswer& answer, std::int64_t choices,
                                             const StreamRow& row) {
  StreamDecoder decoder(answer.head(), answer.text().size() + 1, choices, row);
  decoder.on_head();
  decoder.on_body(answer.text());
  decoder.on_end(nullptr);
  typename Folds<Chunk>::Accumulator accumulator;
  Chunk chunk;
  Error error;
  for (;;) {
    switch (decoder.next(&chunk, element_ops<Chunk>(), error)) {
      case StreamDecoder::Next::element: accumulator.add(chunk); break;
      case StreamDecoder::Next::complete: return accumulator.take(true);
      default:
        if (error.kind == ErrorKind::response_failed) return accumulator.take(true);  // an answer, too
        return error;
    }
  }
}

/// The document of an answer, read by `decode(decoder, text, document, problem)`; or the error that came
/// instead of it.
template <class Document, class Decode>
Result<Document> read_document(const WholeAnswer& answer, Decode decode) {
  const auto& head = answer.head();
  if (!is_success(head.status)) {
    return http_error(head, answer.text(), std::chrono::system_clock::now());
  }
  thread_local json::Decoder decoder;
  Document document;
  Error problem;
  if (decode(decoder, answer.text(), document, problem)) return document;
  return unreadable(answer, std::move(problem));
}

/// Decodes an answer of usual length over the one before it on this thread: those of one service are mostly
/// alike, and then only what differs is read.
template <class Response>
bool decode_answer(json::Decoder& decoder, std::string_view text, Response& response, Error& problem) {
  if (text.size() > json::Stencil::most_bytes)
    return decoder.decode(text, response, json::Reading::tolerant, problem);
  thread_local json::Decoder series(json::Series::alike);
  thread_local Response last;
  if (!series.decode(text, last, json::Reading::tolerant, problem)) {
    last = Response();  // whatever it was made to grow to
    return false;
  }
  response = Response(last);
  return true;
}

/// The error that an answer tells in its choice, beside what there is of the message (OpenRouter). `text` is
/// the answer's, and goes with it.
std::optional<Error> failure_in(const chat::Response& answer, const ResponseHead& head,
                                std::string_view text);

/// The answer to a request, read as `Chunk`'s Response.
template <class Chunk>
Result<typename Folds<Chunk>::Response> read_answer(const WholeAnswer& answer, std::int64_t choices,
                                                    const StreamRow& row) {
  using Response = typename Folds<Chunk>::Response;
  const auto& head = answer.head();
  const bool good = is_success(head.status);
  const auto media = protocol::media_kind(find_header(head.headers, "content-type"));
  const bool streamed = protocol::is_stream(media) || begins_with_event(answer.text());
  if (good && streamed) return fold<Chunk>(answer, choices, row);
  auto reply = read_document<Response>(answer, &decode_answer<Response>);
  if constexpr (std::is_same_v<Response, chat::Response>) {
    if (!reply) return reply;
    if (auto failure = failure_in(*reply, head, answer.text())) return *std::move(failure);
    chat::give_ids(*reply);
  }
  return reply;
}

/// One exchange after another until there is a whole answer, which `read(answer)` makes a Result of.
template <class Read>
class Inquiry {
 public:
  using Reply = std::invoke_result_t<Read&, const WholeAnswer&>;

  /// Borrows options and runner for its life.
  Inquiry(std::shared_ptr<detail::Core> core, HttpRequest request, const CallOptions& options,
          const Subject& subject, Runner& runner, Read read)
      : call_(std::move(core), std::move(request), options, subject, runner), read_(std::move(read)) {}

  /// Goes as far as it can; nothing: it waits for `need()`. `info` learns what is known of the answer.
  std::optional<Reply> step(ResponseInfo* info) {
    for (;;) {
      auto ended = call_.step();
      if (!ended) return std::nullopt;
      auto reply = std::move(*ended).and_then([&] { return read_(call_.answer()); });
      if (!reply && call_.again(reply.error())) continue;
      tell(reply, info);
      return reply;
    }
  }
  const Need& need() const noexcept { return call_.need(); }

 private:
  void tell(Reply& reply, ResponseInfo* info) {
    // An answer as it came holds what is known of it.
    constexpr bool holds_info = requires { reply->info; };
    auto* const watched = call_.observation();
    if (info == nullptr && watched == nullptr && !holds_info) return;
    ResponseInfo known;
    call_.describe(known);
    if (watched != nullptr) {
      if (reply) note_facts(watched->facts(), *reply);
      watched->finish(reply ? nullptr : &reply.error(), known, reply ? call_.answer().text() : "");
    }
    if constexpr (holds_info) {
      if (reply) reply->info = known;
    }
    if (info != nullptr) *info = std::move(known);
  }

  WholeCall call_;
  Read read_;
};

/// The reply to a request, on the calling thread.
template <class Read>
auto ask(const std::shared_ptr<detail::Core>& core, const Subject& subject, Result<HttpRequest> http,
         const CallOptions& options, Read read) -> typename Inquiry<Read>::Reply {
  if (options.info) *options.info.get() = {};
  if (!http) return std::move(http).error();
  InPlace here(*core);
  Inquiry<Read> inquiry(core, std::move(*http), options, subject, here, std::move(read));
  for (;;) {
    if (auto reply = inquiry.step(options.info.get())) return *std::move(reply);
    here.wait(inquiry.need(), options.cancel);
  }
}

/// Where nothing is required an error reads as a document too.
template <class Document>
bool decode_document(json::Decoder& decoder, std::string_view text, Document& out, Error& problem) {
  return decoder.decode(text, out, json::Reading::tolerant, problem) &&
         (out.extra.empty() || !wire::error_in_document(text));
}

/// What reads the answer of a room that has no streams.
template <class Document>
auto document_reader() {
  return
      [](const WholeAnswer& answer) { return read_document<Document>(answer, &decode_document<Document>); };
}

/// What reads the answer to a request for `Chunk`'s Response. Borrows `core`.
template <class Chunk>
auto answer_reader(const detail::Core& core, std::int64_t choices) {
  return [choices, &row = core.provider().stream](const WholeAnswer& answer) {
    return read_answer<Chunk>(answer, choices, row);
  };
}

// What the verbs of a room are made of. `route` is the member of the provider's row, `choices` how many the
// request asks for.

/// What `create` and `start` send.
template <class Request>
Result<HttpRequest> whole_request(detail::Core& core, Route Provider::* route, const Request& request,
                                  const CallOptions& options) {
  const auto& row = core.provider().*route;
  auto body = encode_body(core, row, request, false, options);
  if (!body) return std::move(body).error();
  return core.request(row, request.model, std::move(*body), false, options);
}

/// What `stream` and `open` send.
template <class Request>
Result<detail::StreamPlan> stream_plan(const detail::Core& core, Route Provider::* route,
                                       const Request& request, std::int64_t choices,
                                       const CallOptions& options) {
  const auto& row = core.provider().*route;
  auto body = encode_body(core, row, request, true, options);
  if (!body) return std::move(body).error();
  return detail::StreamPlan{word_of<Request>, row, request.model, std::move(*body), choices, options};
}

/// `resource.create`: one request, one whole answer.
template <class Chunk, class Request>
Result<typename Folds<Chunk>::Response> create(const std::shared_ptr<detail::Core>& core,
                                               Route Provider::* route, const Request& request,
                                               std::int64_t choices, const CallOptions& options) {
  if (!core) return moved_from();
  return ask(core, {word_of<Request>, request.model}, whole_request(*core, route, request, options), options,
             answer_reader<Chunk>(*core, choices));
}

template <class T>
Stream<T> stream_of(const std::shared_ptr<detail::Core>& core, Result<detail::StreamPlan> plan) {
  if (!plan) return Stream<T>(std::make_unique<detail::StreamCore>(std::move(plan).error()));
  return Stream<T>(std::make_unique<detail::StreamCore>(core, *std::move(plan)));
}

/// `resource.stream`: one request, an answer in elements.
template <class Chunk, class Request>
Stream<Chunk> stream(const std::shared_ptr<detail::Core>& core, Route Provider::* route,
                     const Request& request, std::int64_t choices, const CallOptions& options) {
  if (!core) return stream_of<Chunk>(core, moved_from());
  return stream_of<Chunk>(core, stream_plan(*core, route, request, choices, options));
}

}  // namespace inferwire::inline v0_1::client
