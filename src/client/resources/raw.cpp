// Raw requests.
#include "client/resources/launch.hpp"
#include "client/resources/open.hpp"
#include "client/resources/resource.hpp"
#include "client/stream/chat_elements.hpp"
#include "client/stream/element.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/from_json.hpp"
#include "inferwire/responses.hpp"

namespace inferwire::inline v0_1 {

namespace client {

namespace {

/// The text of a body, if there is one. Errors: malformed JSON, which is not sent.
Result<std::optional<std::string>> text_of(const Optional<Json>& body) {
  if (!body) return std::optional<std::string>();
  if (auto checked = json::check(body->text()); !checked) {
    auto error = std::move(checked).error();
    error.kind = ErrorKind::invalid_request;
    error.detail.insert(0, "the body is no JSON: ");
    return error;
  }
  return std::optional(body->text());
}

/// The unchanged answer with what the call knows about it; a status other than 2xx is an Error.
Result<RawResponse> read_raw(const WholeAnswer& answer) {
  const auto& head = answer.head();
  if (is_success(head.status)) return RawResponse{.body = std::string(answer.text())};
  return http_error(head, answer.text());
}

/// The verb of `request` and `start`.
auto raw_verb(std::string_view method, std::string_view path, const Optional<Json>& body) {
  return [method, path, &body](detail::Core& core, const CallOptions& options) {
    auto http = text_of(body).and_then([&](std::optional<std::string> text) {
      return core.request({std::string(method), std::string(path), std::move(text)}, options);
    });
    return Verb{Subject{"request", {}}, std::move(http), &read_raw};
  };
}

/// The request of `stream` and `open`.
Result<StreamPlan> raw_plan(const std::shared_ptr<detail::Core>& client, std::string_view path,
                            const Optional<Json>& body, const CallOptions& options) {
  if (!client) return moved_from();
  auto text = text_of(body);
  if (!text) return std::move(text).error();
  auto http = client->request(
      {.path = std::string(path), .body = *std::move(text), .form = AnswerForm::stream}, options);
  if (!http) return std::move(http).error();
  return StreamPlan{"request", {}, *std::move(http), any_number_of_choices, options};
}

/// The error of a document that tells it elsewhere than in a member `error`, as the typed calls find it.
std::optional<Error> failure_in_document(const Json& document, const RawResponse& from) {
  if (const auto answer = from_json<chat::Response>(document)) {
    if (auto failure = failure_in(*answer, from.info.head, from.body)) return failure;
  }
  const auto response = from_json<responses::Response>(document);
  if (!response || response->object != "response") return std::nullopt;
  auto failure = response->failure();
  if (!failure) return std::nullopt;
  add_head_facts(*failure, from.info.head);
  keep_body(*failure, from.body);
  return failure;
}

}  // namespace

}  // namespace client

Result<Json> RawResponse::document() const {
  auto read = Json::parse(body);
  if (read && !wire::error_in_raw(body)) {
    auto failure = client::failure_in_document(*read, *this);
    return failure ? Result<Json>(*std::move(failure)) : read;
  }
  return client::unreadable(info.head, body, read ? Error{} : std::move(read).error());
}

Result<RawResponse> Client::request(std::string_view method, std::string_view path,
                                    const Optional<Json>& body, const CallOptions& options) const {
  return client::ask(chat.core_, options, client::raw_verb(method, path, body));
}

Pending<RawResponse> Client::start(std::string_view method, std::string_view path, const Optional<Json>& body,
                                   const CallOptions& options) const {
  return client::launch(chat.core_, options, client::raw_verb(method, path, body));
}

Stream<Json> Client::stream(std::string_view path, const Optional<Json>& body,
                            const CallOptions& options) const {
  return client::stream_of<Json>(chat.core_, client::raw_plan(chat.core_, path, body, options));
}

AsyncStream<Json> Client::open(std::string_view path, const Optional<Json>& body,
                               const CallOptions& options) const {
  return client::open_of<Json>(chat.core_, client::raw_plan(chat.core_, path, body, options), options);
}

}  // namespace inferwire::inline v0_1
