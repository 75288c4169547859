#include "client/call/http_error.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "protocol/framing/media_type.hpp"
#include "protocol/framing/sse.hpp"
#include "protocol/retry_after.hpp"
#include "wire/error_kind.hpp"
#include "wire/html_message.hpp"

#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

/// Ends the message for answers that do not come from the service.
constexpr std::string_view not_the_service =
    "is the base URL right, or is a proxy or the login page of a network in between?";

void take(Error& error, wire::ErrorFacts facts) {
  error.detail = std::move(facts.message);
  error.code = std::move(facts.code);
  error.type = std::move(facts.type);
  error.param = std::move(facts.param);
  error.original_code = std::move(facts.original_code);
  error.original_status = facts.original_status.value_or(0);
  error.retry_after = facts.retry_delay;
  if (error.request_id.empty()) error.request_id = std::move(facts.request_id);
}

/// SageMaker names the error in a header: "ModelError:http://internal.amazon.com/...".
void take_header_type(Error& error, const ResponseHead& head) {
  const auto header = find_header(head.headers, "x-amzn-errortype");
  if (!header) return;
  auto type = header->substr(0, header->find(':'));
  if (const auto mark = type.find('#'); mark != type.npos) type.remove_prefix(mark + 1);
  if (type.empty()) return;
  if (error.type.empty()) error.type = std::move(error.code);
  error.code = type;
}

/// "x-should-retry: true|false" overrides the table; any other value is ignored.
std::optional<bool> should_retry_header(const ResponseHead& head) {
  const auto value = ascii::trim(find_header(head.headers, "x-should-retry").value_or(""));
  if (ascii::equal_ignoring_case(value, "true")) return true;
  if (ascii::equal_ignoring_case(value, "false")) return false;
  return std::nullopt;
}

/// Adds to the error of an unreadable body that it is encoded, if it is.
void explain_encoding(Error& error, const ResponseHead& head) {
  const auto encoding = content_encoding(head);
  if (encoding.empty()) return;
  error.detail += "; the body is encoded (" + std::string(encoding.substr(0, 40)) +
                  "), which this client does not decode";
}

/// The target of a redirect, without the parts of a URL that may be secret: user information and query.
/// Empty: no redirect target.
std::string place_of_redirect(const ResponseHead& head) {
  const auto location = find_header(head.headers, "location").value_or("");
  const auto place = location.substr(0, location.find_first_of("?#"));
  constexpr std::size_t readable = 200;
  const bool is_shown = !place.empty() && place.size() <= readable && place.find('@') == place.npos;
  return std::string(is_shown || location.empty() ? place : "another place");
}

/// A redirect that was not followed is treated like an HTML page: the answer is not the service's.
void tell_redirect(Error& error, const ResponseHead& head) {
  error.kind = ErrorKind::decode;
  const auto place = place_of_redirect(head);
  if (place.empty()) return;
  error.detail = "the server redirects to " + place + ", which is not followed; ";
  error.detail += not_the_service;
}

/// Whether a document that begins with `<` is XML rather than HTML.
bool is_xml(const ResponseHead& head, std::string_view body) {
  const auto type = find_header(head.headers, "content-type");
  if (protocol::media_kind(type) == protocol::MediaKind::html || wire::html_message(body)) {
    return false;
  }
  const auto text = json::trim(json::without_byte_order_mark(body));
  return text.starts_with("<?xml") || text.starts_with("<Error") ||
         ascii::find_ignoring_case(type.value_or(""), "xml") != std::string_view::npos;
}

/// The facts of the body of an error answer. LiteLLM sends the error of a stream that has not begun as its
/// first event.
wire::ErrorFacts facts_of(const ResponseHead& head, std::string_view body) {
  const bool is_stream =
      protocol::media_kind(find_header(head.headers, "content-type")) == protocol::MediaKind::event_stream;
  protocol::SseParser events;
  protocol::SseEvent first;
  if (is_stream) events.feed(body.substr(0, wire::most_error_bytes));
  const bool has_event = events.next(first) == protocol::SseParser::Next::event;
  return wire::read_error_body(has_event ? first.data : body, head.reason);
}

constexpr std::string_view json_marks = "{[\"";

bool looks_like_json(std::string_view trimmed) noexcept { return trimmed.find_first_of(json_marks) == 0; }

/// The first 80 characters of what `text` says, on one line, up to anything like JSON.
std::string excerpt(std::string_view text) {
  if (looks_like_json(json::trim(text))) return {};
  constexpr std::size_t read_bytes = 4096;
  constexpr std::size_t most_characters = 80;
  const auto said = wire::read_error_body(text.substr(0, read_bytes), {}).message;
  std::string out;
  std::size_t characters = 0;
  for (auto rest = std::string_view(said).substr(0, said.find_first_of(json_marks)); !rest.empty();) {
    const auto size = utf8::first_character(rest).length;
    const bool is_space = static_cast<unsigned char>(rest.front()) <= ' ';
    if (is_space && (out.empty() || out.back() == ' ')) {
      rest.remove_prefix(size);
      continue;
    }
    if (++characters > most_characters) break;
    out += is_space ? std::string_view(" ") : rest.substr(0, size);
    rest.remove_prefix(size);
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

/// Whether a document in an answer of unknown length breaks off: it ended where the connection did, or that
/// between a proxy and the server, behind which the proxy sends a proper last chunk; or came over HTTP/2,
/// where libcurl before 8.0 mistakes a reset stream for a complete one.
bool is_cut(const ResponseHead& head, std::string_view document) noexcept {
  const bool in_process = head.http_version.empty();  // an in-process transport reports the end of the body
  const bool known = in_process || has_no_body(head.status) || find_header(head.headers, "content-length");
  return !known && json::is_cut(document);
}

}  // namespace

RequestId request_id(const ResponseHead& head) {
  for (const std::string_view name : {"x-request-id", "request-id", "x-databricks-request-id",
                                      "x-amzn-requestid", "apim-request-id", "x-litellm-call-id", "cf-ray"}) {
    if (const auto value = find_header(head.headers, name)) return {*value, name};
  }
  return {};
}

std::string_view content_encoding(const ResponseHead& head) noexcept {
  const auto encoding = find_header(head.headers, "content-encoding").value_or("");
  return ascii::equal_ignoring_case(encoding, "identity") ? std::string_view() : encoding;
}

void add_head_facts(Error& error, const ResponseHead& head) {
  error.status = head.status;
  const auto [id, header] = request_id(head);
  error.request_id = id;
  error.request_id_header = header;
  const bool unread = error.kind == ErrorKind::decode || error.kind == ErrorKind::truncated;
  if (unread) explain_encoding(error, head);
}

void add_head_facts(ResponseInfo& info, const ResponseHead& head) {
  info.head = head;
  const auto [id, header] = request_id(head);
  info.request_id = id;
  info.request_id_header = header;
}

void take_wishes(Error& error, const ResponseHead& head, std::chrono::system_clock::time_point now) {
  error.retryable = should_retry_header(head).value_or(error.retryable);
  if (const auto asked = protocol::retry_after(head.headers, now)) error.retry_after = asked;
}

Error http_error(const ResponseHead& head, std::string_view body, std::chrono::system_clock::time_point now) {
  Error error;
  add_head_facts(error, head);
  auto facts = facts_of(head, body);
  const auto original = facts.original_status;
  const bool read = facts.is_object;
  take(error, std::move(facts));
  // Text of the body was readable, and nothing may follow it: it may end within a key.
  if (!read && error.detail == head.reason) explain_encoding(error, head);
  take_header_type(error, head);
  wire::judge(error, head.status, original);
  take_wishes(error, head, now);
  keep_body(error, body);
  if (head.status / 100 == 3) tell_redirect(error, head);
  return error;
}

Error embedded_error(const ResponseHead& head, wire::ErrorFacts facts, std::string_view body) {
  Error error;
  add_head_facts(error, head);
  const auto original = facts.original_status;
  take(error, std::move(facts));
  if (error.detail.empty()) error.detail = "the server reports an error and does not say which";
  wire::judge_embedded(error, original);
  take_wishes(error, head);
  keep_body(error, body);
  return error;
}

Error exception_error(const ResponseHead& head, std::string_view type, std::string_view body) {
  auto facts = wire::read_error_body(body, {});
  facts.type = type;
  auto error = embedded_error(head, std::move(facts), body);
  error.kind = ErrorKind::stream_error;
  return error;
}

Error error_about(const ResponseHead& head, ErrorKind kind, std::string detail) {
  Error error{.kind = kind, .detail = std::move(detail)};
  add_head_facts(error, head);
  return error;
}

Error page_error(const ResponseHead& head, std::string_view body) {
  const bool xml = is_xml(head, body);
  Error error{
      .kind = ErrorKind::decode,
      .detail = "the server sent " + std::string(xml ? "XML" : "a page of HTML") + " instead of an answer"};
  add_head_facts(error, head);
  (error.detail += "; ") += not_the_service;
  if (xml) error.code = wire::xml_text(body, "code");
  const auto said = xml ? wire::xml_text(body, "message") : wire::read_error_body(body, {}).message;
  // Last, as in `quote`: it may end within a key.
  if (!said.empty()) error.detail += " It says: " + said;
  keep_body(error, body);
  return error;
}

void keep_body(Error& error, std::string_view body) {
  constexpr std::size_t most_bytes = std::size_t{64} << 10U;
  error.body.assign(body.substr(0, most_bytes));
}

bool is_plain_text(std::string_view text) {
  text = json::trim(json::without_byte_order_mark(text));
  return !text.empty() && !looks_like_json(text) && !json::check(text);
}

void quote(Error& error, std::string_view before, std::string_view text) {
  const auto said = excerpt(text);
  if (!said.empty()) error.detail.append(before).append(said);
}

Error unread_document(const ResponseHead& head, std::string_view body, Error problem) {
  const bool is_text = is_plain_text(body);
  const bool is_blank = json::trim(body).empty();
  if (is_blank) problem.detail = "the answer's body is empty";
  if (is_cut(head, body)) {
    problem = {.kind = ErrorKind::truncated,
               .detail = (is_blank ? "" : "the answer ended inside of its document: ") + problem.detail,
               .retryable = true};
  } else if (is_text) {
    problem = {.kind = ErrorKind::decode, .detail = "the answer is not JSON"};
  }
  add_head_facts(problem, head);
  keep_body(problem, body);
  if (is_text) quote(problem, ": ", body);
  return problem;
}

}  // namespace inferwire::inline v0_1::client
