// Raw requests.
#include "client/resources/launch.hpp"
#include "client/resources/open.hpp"
#include "client/resources/resource.hpp"
#include "client/stream/element.hpp"
#include "inferwire/client.hpp"

namespace inferwire::inline v0_1 {

namespace client {

namespace {

bool check_whole(json::Decoder&, std::string_view text, void* element, Error& error) {
  if (auto checked = json::check(text); !checked) {
    error = std::move(checked).error();
    return false;
  }
  *static_cast<Json*>(element) = Json::raw(std::string(text));
  return true;
}

/// Accepts an answer that is not streamed, unless it is an error, whatever its status.
bool take_whole(json::Decoder& decoder, std::string_view text, void* element, Error& error) {
  return check_whole(decoder, text, element, error) && !wire::error_in_document(text);
}

bool decode_frame(json::Decoder& decoder, std::string_view text, std::string_view, void* element,
                  Error& error) {
  return check_whole(decoder, text, element, error);
}

std::optional<wire::ErrorFacts> error_in_json(const void* element) {
  return wire::error_in_document(static_cast<const Json*>(element)->text());
}

/// Tracks nothing: the choices are unknown, and a clean end of the body is the end.
void track_nothing(const void*, ChoiceTracker&) {}

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
  return http_error(head, answer.text(), std::chrono::system_clock::now());
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
Result<detail::StreamPlan> raw_plan(const std::shared_ptr<detail::Core>& client, std::string_view path,
                                    const Optional<Json>& body, const CallOptions& options) {
  if (!client) return moved_from();
  auto text = text_of(body);
  if (!text) return std::move(text).error();
  constexpr std::int64_t any_number_of_choices = 0;
  auto http = client->request(
      {.path = std::string(path), .body = *std::move(text), .form = AnswerForm::stream}, options);
  if (!http) return std::move(http).error();
  return detail::StreamPlan{"request", {}, *std::move(http), any_number_of_choices, options};
}

}  // namespace

template <>
const ElementOps& element_ops<Json>() {
  static constexpr ElementOps ops{.decode = &decode_frame,
                                  .decode_whole = &take_whole,
                                  .error_in = &error_in_json,
                                  .track = &track_nothing};
  return ops;
}

}  // namespace client

Result<Json> RawResponse::document() const {
  auto read = Json::parse(body);
  if (read && !wire::error_in_document(body)) return read;
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
