#include "client/stream/stream_body.hpp"

#include "client/call/http_error.hpp"
#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"
#include "protocol/framing/media_type.hpp"
#include "wire/error_body.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

// A message of an AWS event stream may hold many events, so a lower limit for events does not limit it.
constexpr std::size_t least_payload_limit = 1u << 20;

/// How long a message of an AWS event stream may be.
std::size_t most_message_bytes(std::size_t max_event_bytes) noexcept {
  return protocol::event_stream_overhead +
         std::clamp(max_event_bytes, least_payload_limit, protocol::largest_event_stream_payload);
}

/// The beginnings of lines of server-sent events.
constexpr std::string_view fields[] = {"data:", "event:", "id:", "retry:", "error:", ":"};

/// Whether `beginning` may be the start of one of them.
bool may_become_field(std::string_view beginning) noexcept {
  return std::ranges::any_of(fields, [&](std::string_view field) { return field.starts_with(beginning); });
}

/// Whether data looks like an object, as that of nearly all frames does.
bool is_object(std::string_view data) noexcept { return data.starts_with('{') && data.ends_with('}'); }

/// The payload of a frame. Some servers write the field's name twice, or the end marker in quotes; LMI writes
/// the field's name before JSON lines.
std::string_view payload(std::string_view data) noexcept {
  constexpr std::string_view field = "data:";
  data = json::trim(data);
  while (data.starts_with(field)) data = json::trim(data.substr(field.size()));
  return data == R"("[DONE]")" ? end_mark : data;
}

/// Whether a body that began as one object is in fact undeclared JSON lines.
bool holds_lines(std::string_view text) noexcept {
  json::Scanner scanner(text);
  return scanner.value() && json::trim(text.substr(scanner.offset())).starts_with('{');
}

/// Removes the end marker that some servers add to a whole answer.
std::string_view without_end_marker(std::string_view text) noexcept {
  auto rest = json::trim(text);
  for (const auto word : {end_mark, std::string_view("data:")}) {
    if (!rest.ends_with(word)) return text;
    rest.remove_suffix(word.size());
    rest = json::trim(rest);
  }
  return rest;
}

}  // namespace

bool begins_with_event(std::string_view body) noexcept {
  if (body.starts_with('{')) return false;  // nearly all whole answers do
  body = json::trim(json::without_byte_order_mark(body));
  return std::ranges::any_of(fields, [&](std::string_view field) { return body.starts_with(field); });
}

StreamBody::StreamBody(const ResponseHead& head, std::size_t max_event_bytes, Framing framing,
                       bool delivers_null)
    : head_(head),
      events_(max_event_bytes, protocol::SseParser::Reading::tolerant),
      max_event_bytes_(max_event_bytes),
      framing_(framing),
      delivers_null_(delivers_null) {}

void StreamBody::on_head() {
  if (!is_success(head_.status)) {
    read_as(Kind::error);
    begun_ = true;
    return;
  }
  auto media = protocol::media_kind(find_header(head_.headers, "content-type"));
  if (media == protocol::MediaKind::aws_event_stream) {
    parts_ = std::make_unique<protocol::SageMakerStreamParser>(most_message_bytes(max_event_bytes_));
    media = protocol::media_kind(find_header(head_.headers, "x-amzn-sagemaker-content-type"));
  }
  switch (media) {
    case protocol::MediaKind::event_stream: read_as(Kind::sse); break;
    case protocol::MediaKind::json_lines: read_as(Kind::json_lines); break;
    case protocol::MediaKind::json: read_as(Kind::whole); break;
    case protocol::MediaKind::html: read_as(Kind::page); break;
    default: read_as(Kind::unknown); break;
  }
}

void StreamBody::read_as(Kind kind) {
  kind_ = kind;
  if (kind != Kind::json_lines || lines_) return;
  lines_ = std::make_unique<protocol::JsonLinesParser>(max_event_bytes_);
}

void StreamBody::on_body(std::string_view bytes) {
  if (ended_) return;  // after an exception
  if (!parts_) {
    take_content(bytes);
    return;
  }
  parts_->feed(bytes);
  take_parts();
}

void StreamBody::on_end(const Error* failure) {
  if (ended_) return;
  if (failure != nullptr) {
    failure_ = std::make_unique<Error>(*failure);
  } else if (parts_) {
    parts_->finish();
    take_parts();
  }
  if (!std::exchange(begun_, true)) take_content(std::exchange(text_, {}));
  if (kind_ == Kind::whole && holds_lines(text_)) {
    read_as(Kind::json_lines);
    lines_->feed(std::exchange(text_, {}));
  }
  if (lines_ && !failure_) lines_->finish();
  ended_ = true;
}

/// Parses an AWS event stream. An exception, an error or a fault in it ends the body.
void StreamBody::take_parts() {
  using Part = protocol::SageMakerStreamParser::Next;
  protocol::SageMakerEvent event;
  for (;;) {
    switch (parts_->next(event)) {
      case Part::part: take_content(event.payload); break;
      case Part::more: return;
      case Part::exception: return tell_failure(exception_error(head_, event.type, event.payload));
      case Part::error: return tell_failure(exception_error(head_, event.type, event.message));
      case Part::broken: {
        const auto fault = parts_->fault();
        const bool cut = fault == protocol::EventStreamFault::truncated;
        if (fault == protocol::EventStreamFault::too_large &&
            max_event_bytes_ < protocol::largest_event_stream_payload) {
          return tell_failure(error_about(head_, ErrorKind::too_large,
                                          "a message of the event stream is larger than max_event_bytes"));
        }
        auto error = error_about(head_, cut ? ErrorKind::truncated : ErrorKind::decode,
                                 "the event stream is broken: " + std::string(describe(fault)));
        if (!cut) return tell_failure(std::move(error));
        // What came before may be complete, as when the connection breaks.
        error.retryable = true;
        failure_ = std::make_unique<Error>(std::move(error));
        return;
      }
    }
  }
}

void StreamBody::tell_failure(Error error) {
  failure_ = std::make_unique<Error>(std::move(error));
  tells_failure_ = ended_ = true;
}

void StreamBody::take_content(std::string_view bytes) {
  if (!begun_) return take_beginning(bytes);
  switch (kind_) {
    case Kind::sse: events_.feed(bytes); return;
    case Kind::json_lines: lines_->feed(bytes); return;
    default: text_.append(bytes.substr(0, most_kept() - std::min(most_kept(), text_.size())));
  }
}

void StreamBody::take_beginning(std::string_view bytes) {
  const auto joined = text_.empty() ? std::string() : std::exchange(text_, {}).append(bytes);
  auto beginning = json::without_byte_order_mark(joined.empty() ? bytes : joined);
  beginning.remove_prefix(std::min(beginning.find_first_not_of(" \t\r\n"), beginning.size()));
  const auto kind = kind_of(beginning);
  if (!kind) {
    text_ = beginning;
    return;
  }
  read_as(*kind);
  begun_ = true;
  take_content(beginning);
}

/// The kind of a body with this beginning; std::nullopt while that is undecided.
std::optional<StreamBody::Kind> StreamBody::kind_of(std::string_view beginning) const noexcept {
  if (json::byte_order_mark.starts_with(beginning)) return std::nullopt;  // empty, or part of the mark
  const bool told_lines =
      kind_ == Kind::json_lines || (kind_ == Kind::unknown && framing_ == Framing::json_lines);
  switch (beginning.front()) {
    case '{':
    case '[': return told_lines ? Kind::json_lines : Kind::whole;
    case '<': return Kind::page;
    default: break;
  }
  if (told_lines) return Kind::json_lines;  // even of events: LMI sends some without blank lines
  if (kind_ == Kind::unknown || kind_ == Kind::sse) return Kind::sse;
  if (begins_with_event(beginning)) return Kind::sse;
  return may_become_field(beginning) ? std::nullopt : std::optional(kind_);
}

/// How much of an unframed body is kept. One byte more than allowed shows that there was more.
std::size_t StreamBody::most_kept() const noexcept {
  if (kind_ != Kind::whole) return wire::most_error_bytes;
  return std::max(max_event_bytes_, max_event_bytes_ + 1);  // avoids overflow for the largest number
}

StreamBody::Next StreamBody::next(Frame& frame) {
  if (kind_ == Kind::sse) {
    for (;;) {
      const auto next = events_.next(frame);
      if (next == protocol::SseParser::Next::more) return events_.rest(), Next::more;
      if (next == protocol::SseParser::Next::too_large) return Next::too_large;
      if (is_object(frame.data)) return Next::frame;
      frame.data = payload(frame.data);
      // A ping without an object is ignored.
      if (!is_blank(frame) && frame.type != "ping") return Next::frame;
    }
  }
  protocol::JsonLine line;
  for (;;) {
    const auto next = lines_->next(line);
    if (next == protocol::JsonLinesParser::Next::more) return lines_->rest(), Next::more;
    if (next == protocol::JsonLinesParser::Next::too_large) return Next::too_large;
    if (line.text.front() != '{' && !take_field(line.text)) continue;
    const bool failed = std::exchange(error_follows_, false);
    frame.data = payload(line.text);
    frame.type = failed ? error_type : "";
    frame.cut = !line.terminated;
    if (!is_blank(frame)) return Next::frame;
  }
}

/// Whether a frame says nothing. Servers send `null` to keep a connection alive, but not as an error.
bool StreamBody::is_blank(const Frame& frame) const noexcept {
  return frame.data.empty() || (frame.data == "null" && !delivers_null_ && frame.type != error_type);
}

/// Takes one line of events that are sent as lines, each with all of an event's data; returns whether it has
/// data.
bool StreamBody::take_field(std::string_view& line) noexcept {
  const auto* const field =
      std::ranges::find_if(fields, [line](std::string_view name) { return line.starts_with(name); });
  if (field == std::end(fields) || *field == "data:") return true;
  const auto value = json::trim(line.substr(field->size()));
  const bool is_error = *field == "error:";
  if (is_error) line = value;
  if (is_error || *field == "event:") error_follows_ = is_error || value == error_type;
  return is_error;
}

std::string_view StreamBody::unfinished() const noexcept {
  const auto rest = payload(events_.unfinished());
  return rest == end_mark ? std::string_view() : rest;
}

std::string_view StreamBody::padded_text() {
  const auto size = text_.size();
  text_.append(json::padding, '\0');
  return without_end_marker({text_.data(), size});
}

}  // namespace inferwire::inline v0_1::client
