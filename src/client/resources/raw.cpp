// Raw requests.
#include "client/resources/launch.hpp"
#include "client/resources/open.hpp"
#include "client/resources/resource.hpp"
#include "inferwire/client.hpp"
#include "inferwire/finish.hpp"
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
  constexpr std::int64_t any_number_of_choices = 0;
  auto http = client->request(
      {.path = std::string(path), .body = *std::move(text), .form = AnswerForm::stream}, options);
  if (!http) return std::move(http).error();
  return StreamPlan{"request", {}, *std::move(http), any_number_of_choices, options};
}

/// The choice that wire::first_choice would return.
Optional<Json> first_choice_in(const Json& document) {
  const auto choices = document.find("/choices");
  if (!choices || !choices->is_array()) return {};
  const auto items = choices->items();
  for (const Json& choice : items) {
    const auto index = choice.find("/index");
    if (!index || index->as_int() == 0) return choice;
  }
  return items.empty() ? Optional<Json>() : items.front();
}

/// The error in a choice, next to the partial message, as `failure_in` finds it in a chat::Response.
std::optional<Error> failure_in_choice(const Json& document, const ResponseHead& head) {
  const auto choice = first_choice_in(document);
  const auto reason = choice ? choice->find("/finish_reason") : std::nullopt;
  auto error = choice ? choice->find("/error") : std::nullopt;
  if (!reason || !error) return std::nullopt;
  if (finish_of(reason->as_string().value_or(""), false) != Finish::error) return std::nullopt;
  Extra alone;
  alone.set("error", *std::move(error));
  auto facts = wire::error_in(alone, true);
  if (!facts) return std::nullopt;
  return embedded_error(head, *std::move(facts));
}

/// The error of a document that tells it elsewhere than in a member `error`.
std::optional<Error> failure_in_document(const Json& document, const ResponseHead& head) {
  const auto is = [&document](std::string_view pointer, std::string_view word) {
    const auto value = document.find(pointer);
    return value && value->as_string() == word;
  };
  if (!is("/object", "response") || !is("/status", responses::ResponseStatus::failed)) {
    return failure_in_choice(document, head);
  }
  auto error = responses::ResponseError().as_error();
  take_head(error, head);
  return error;
}

}  // namespace

}  // namespace client

Result<Json> RawResponse::document() const {
  auto read = Json::parse(body);
  if (read && !wire::error_in_document(body)) {
    auto failure = client::failure_in_document(*read, info.head);
    if (!failure) return read;
    failure->body.assign(body, 0, client::kept_body_bytes);
    return *std::move(failure);
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
