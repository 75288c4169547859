#include "client/stream/stream_decoder.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/ascii.hpp"
#include "client/call/http_error.hpp"
#include "client/counted.hpp"
#include "json/outline.hpp"
#include "protocol/framing/media_type.hpp"
#include "wire/error_body.hpp"

namespace inferwire::inline v0_1::client {

namespace {

constexpr std::size_t most_error_bytes = 1u << 20;
constexpr std::string_view end_mark = "[DONE]";

/// The beginnings of lines of server-sent events.
constexpr std::string_view fields[] = {"data:", "event:", "id:", "retry:", "error:", ":"};

/// Whether what follows `beginning` may make one of them of it.
bool may_become_field(std::string_view beginning) noexcept {
  return std::ranges::any_of(fields, [&](std::string_view field) { return field.starts_with(beginning); });
}

/// What a frame says. Some servers write the field's name twice, or the end marker in quotes; some handlers
/// of LMI write SSE and call it JSON lines.
std::string_view payload(std::string_view data) noexcept {
  constexpr std::string_view field = "data:";
  if (data.starts_with('{') && data.ends_with('}')) return data;  // as nearly all do
  data = json::trim(data);
  if (data.starts_with(field)) data = json::trim(data.substr(field.size()));
  return data == R"("[DONE]")" ? end_mark : data;
}

/// Cuts off the end of a stream that some servers put behind a whole answer.
std::string_view without_end_marker(std::string_view text) noexcept {
  auto rest = json::trim(text);
  for (const auto word : {end_mark, std::string_view("data:")}) {
    if (!rest.ends_with(word)) return text;
    rest.remove_suffix(word.size());
    rest = json::trim(rest);
  }
  return rest;
}

/// The error in a whole answer without choices; one that has some is an answer.
std::optional<wire::ErrorFacts> error_instead(const void* element, const ElementOps& ops) {
  ChoiceTracker choices;
  ops.track(element, choices);
  return choices.any() ? std::nullopt : ops.error_in(element);
}

/// Whether a JSON object or list could go on behind `text`: no bracket of it has closed the first one.
bool may_go_on(std::string_view text) noexcept {
  int depth = 0;
  bool over = false;
  json::each_byte(text, [&](char c, bool in_string) {
    if (in_string) return true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') over = --depth <= 0;
    return !over;
  });
  return !over;
}

/// Why no answer like this one can be read; empty: one that is asked for again may be.
std::string why_unreadable(const ResponseHead& head) {
  if (head.status == 204 || head.status == 205) return "the answer's body is empty";
  const auto encoding = find_header(head.headers, "content-encoding");
  if (!encoding || encoding->empty() || ascii::equal_ignoring_case(*encoding, "identity")) return {};
  return "the answer is encoded as " + std::string(*encoding) + ", which was not asked for";
}

}  // namespace

bool begins_with_event(std::string_view body) noexcept {
  body = json::trim(json::without_byte_order_mark(body));
  return std::ranges::any_of(fields, [&](std::string_view field) { return body.starts_with(field); });
}

StreamDecoder::StreamDecoder(const ResponseHead& head, std::size_t max_event_bytes, std::int64_t choices,
                             const StreamRow& row)
    : head_(head),
      row_(row),
      events_(max_event_bytes, protocol::SseParser::ErrorField::event,
              protocol::SseParser::BlockEnd::whole_object),
      max_event_bytes_(max_event_bytes),
      expected_choices_(choices) {}

void StreamDecoder::on_head() {
  decoder_.emplace(json::Series::alike);
  if (!is_success(head_.status)) {
    read_as(Mode::error);
    begun_ = true;
    return;
  }
  auto media = protocol::media_kind(find_header(head_.headers, "content-type"));
  if (media == protocol::MediaKind::aws_event_stream) {
    parts_ = std::make_unique<protocol::SageMakerStreamParser>();
    media = protocol::media_kind(find_header(head_.headers, "x-amzn-sagemaker-content-type"));
  }
  switch (media) {
    case protocol::MediaKind::event_stream: read_as(Mode::sse); break;
    case protocol::MediaKind::json_lines: read_as(Mode::json_lines); break;
    case protocol::MediaKind::json: read_as(Mode::whole); break;
    case protocol::MediaKind::html: read_as(Mode::page); break;
    default: read_as(Mode::unknown); break;
  }
}

void StreamDecoder::read_as(Mode mode) {
  mode_ = mode;
  if (mode != Mode::json_lines || lines_) return;
  lines_ = std::make_unique<protocol::JsonLinesParser>(max_event_bytes_);
}

void StreamDecoder::on_body(std::string_view bytes) {
  if (ended_) return;  // after an exception
  if (!parts_) {
    take_content(bytes);
    return;
  }
  parts_->feed(bytes);
  take_parts();
}

void StreamDecoder::on_end(const Error* failure) {
  if (ended_) return;
  if (failure != nullptr) {
    failure_ = std::make_unique<Error>(*failure);
  } else if (parts_) {
    parts_->finish();
    take_parts();
  }
  if (!std::exchange(begun_, true)) take_content(std::exchange(body_, {}));
  if (lines_ && !failure_) lines_->finish();
  ended_ = true;
}

/// Takes an AWS event stream apart. What ends it before its time ends the body.
void StreamDecoder::take_parts() {
  using Part = protocol::SageMakerStreamParser::Next;
  protocol::SageMakerEvent event;
  for (;;) {
    switch (parts_->next(event)) {
      case Part::part: take_content(event.payload); break;
      case Part::more: return;
      case Part::exception: return report(exception_error(head_, event.type, event.payload));
      case Part::error: return report(exception_error(head_, event.type, event.message));
      case Part::broken: {
        const bool cut = parts_->fault() == protocol::EventStreamFault::truncated;
        auto error = about(cut ? ErrorKind::truncated : ErrorKind::decode,
                           "the event stream is broken: " + std::string(describe(parts_->fault())));
        if (!cut) return report(std::move(error));
        // What came before may be whole, as where the connection breaks off.
        error.retryable = true;
        failure_ = std::make_unique<Error>(std::move(error));
        return;
      }
    }
  }
}

void StreamDecoder::take_content(std::string_view bytes) {
  if (!begun_) return take_beginning(bytes);
  switch (mode_) {
    case Mode::sse: events_.feed(bytes); return;
    case Mode::json_lines: lines_->feed(bytes); return;
    default: body_.append(bytes.substr(0, most_unframed() - std::min(most_unframed(), body_.size())));
  }
}

/// Servers, and what stands before them, call bodies by wrong names: what a body begins with tells more.
void StreamDecoder::take_beginning(std::string_view bytes) {
  const auto joined = body_.empty() ? std::string() : std::exchange(body_, {}).append(bytes);
  auto beginning = json::without_byte_order_mark(joined.empty() ? bytes : joined);
  beginning.remove_prefix(std::min(beginning.find_first_not_of(" \t\r\n"), beginning.size()));
  const auto mode = mode_of(beginning);
  if (!mode) {
    body_ = beginning;
    return;
  }
  read_as(*mode);
  begun_ = true;
  take_content(beginning);
}

/// What a body is that begins so; nothing while that does not tell.
std::optional<StreamDecoder::Mode> StreamDecoder::mode_of(std::string_view beginning) const noexcept {
  if (json::byte_order_mark.starts_with(beginning)) return std::nullopt;  // so nothing does
  const bool told_lines =
      mode_ == Mode::json_lines || (mode_ == Mode::unknown && row_.framing == Framing::json_lines);
  switch (beginning.front()) {
    case '{':
    case '[': return told_lines ? Mode::json_lines : Mode::whole;
    case '<': return Mode::page;
    default: break;
  }
  if (mode_ == Mode::unknown || mode_ == Mode::sse) return Mode::sse;
  if (begins_with_event(beginning)) return Mode::sse;
  return may_become_field(beginning) ? std::nullopt : std::optional(mode_);
}

/// How much of a body that is not framed is kept. One byte more than is allowed shows that there was more.
std::size_t StreamDecoder::most_unframed() const noexcept {
  if (mode_ != Mode::whole) return most_error_bytes;
  return std::max(max_event_bytes_, max_event_bytes_ + 1);  // the largest number has none above it
}

void StreamDecoder::report(Error error) {
  failure_ = std::make_unique<Error>(std::move(error));
  reported_ = ended_ = true;
}

StreamDecoder::Next StreamDecoder::next(void* element, const ElementOps& ops, Error& error) {
  if (end_reason_ == EndReason::failed) return Next::failed;
  if (end_reason_ != EndReason::none) return Next::complete;
  if (is_over()) return settle(error);
  if (framed()) return next_element(element, ops, error);
  // What goes on beyond the bound might do so for ever.
  if (!ended_ && body_.size() < most_unframed()) return Next::more;
  if (mode_ == Mode::error) {
    error = http_error(head_, body_, std::chrono::system_clock::now());
    return fail(error);
  }
  if (failure_) return fail_with_failure(error);
  if (body_.empty() || mode_ == Mode::unknown) return truncated(error);
  if (mode_ == Mode::whole) return next_whole(element, ops, error);
  error = html_page_error(head_, body_);
  return fail(error);
}

StreamDecoder::Next StreamDecoder::next_element(void* element, const ElementOps& ops, Error& error) {
  Frame frame;
  switch (next_frame(frame)) {
    case Framed::more: return ended_ ? end_of_frames(error) : Next::more;
    case Framed::too_large:
      error = about(ErrorKind::too_large, "an event of the stream is larger than max_event_bytes");
      return fail(error);
    case Framed::frame: break;
  }
  if (frame.data == end_mark && frame.name != "error") {
    return end_marker(ops, error);
  }
  return decode_frame(frame, element, ops, error);
}

/// The next frame that says something.
StreamDecoder::Framed StreamDecoder::next_frame(Frame& frame) {
  if (mode_ == Mode::sse) {
    protocol::SseEvent event;
    for (;;) {
      const auto next = events_.next(event);
      if (next == protocol::SseParser::Next::more) return events_.rest(), Framed::more;
      if (next == protocol::SseParser::Next::too_large) return Framed::too_large;
      frame = {.data = payload(event.data), .name = event.type};
      if (!frame.data.empty()) return Framed::frame;
    }
  }
  protocol::JsonLine line;
  for (;;) {
    const auto next = lines_->next(line);
    if (next == protocol::JsonLinesParser::Next::more) return lines_->rest(), Framed::more;
    if (next == protocol::JsonLinesParser::Next::too_large) return Framed::too_large;
    frame = {.data = payload(line.text), .cut = !line.terminated};
    if (!frame.data.empty()) return Framed::frame;
  }
}

StreamDecoder::Next StreamDecoder::decode_frame(const Frame& frame, void* element, const ElementOps& ops,
                                                Error& error) {
  const bool decoded = ops.decode(*decoder_, frame.data, frame.name, element, error);
  auto facts = decoded ? ops.error_in(element) : wire::error_in_document(frame.data);
  if (!facts && frame.name == "error") facts = wire::read_error_body(frame.data, {});
  if (!facts && !decoded && frame.cut && may_go_on(frame.data)) return truncated(error);
  ++frames_;
  if (facts) {
    error = embedded_error(head_, std::move(*facts));
    error.kind = ErrorKind::stream_error;
    if (!choices_.any()) return fail(error);
    error.retryable = false;  // another answer would not go on where this one broke off
    if (!decoded || ops.answers == nullptr || !ops.answers(element)) return fail(error);
    // The usage of what there was of the answer (OpenRouter): the error comes behind it.
    verdict_ = std::make_unique<Error>(std::move(error));
    ending_ = Ending::failed;
  }
  if (!decoded) {
    take_head(error, head_);
    return fail(error);
  }
  text_ = frame.data;
  ops.track(element, choices_);
  take_ending(element, ops);
  return Next::element;
}

void StreamDecoder::take_ending(const void* element, const ElementOps& ops) {
  if (ops.ending == nullptr) return;
  if (!verdict_) verdict_ = std::make_unique<Error>();
  const auto said = ops.ending(element, *verdict_);
  // A piece is of the answer that is under way. Behind one that is complete it begins the next turn.
  if (said == Ending::none || (said == Ending::piece && ending_ == Ending::under_way)) return;
  ending_ = said;
}

/// Whether the last element was the last one.
bool StreamDecoder::is_over() const noexcept {
  return ending_ == Ending::failed || (ending_ == Ending::complete && !row_.responses_in_turns);
}

/// The frame `[DONE]`. A server that has told of its response as it goes has to tell its end, too, and an
/// answer in choices has some.
StreamDecoder::Next StreamDecoder::end_marker(const ElementOps& ops, Error& error) {
  const bool untold = ops.ending != nullptr && (ending_ == Ending::none || ending_ == Ending::under_way);
  const bool cut = untold || (frames_ == 0 && expected_choices_ > 0);
  return cut ? truncated(error) : finish(EndReason::done);
}

/// The last element has been given out.
StreamDecoder::Next StreamDecoder::settle(Error& error) {
  if (ending_ == Ending::complete) return finish(EndReason::done);
  error = *verdict_;
  error.status = head_.status;
  if (error.request_id.empty()) take_request_id(error, head_);
  if (choices_.any()) error.retryable = false;
  return fail(error);
}

StreamDecoder::Next StreamDecoder::next_whole(void* element, const ElementOps& ops, Error& error) {
  if (std::exchange(frames_, 1) != 0) {
    return ending_ == Ending::under_way ? truncated(error) : finish(EndReason::done);
  }
  const auto size = body_.size();
  if (size > max_event_bytes_) {
    error = about(ErrorKind::too_large, "the answer is larger than max_event_bytes");
    return fail(error);
  }
  body_.append(json::padding, '\0');
  const auto text = without_end_marker({body_.data(), size});
  Error problem;
  const bool decoded = ops.decode_whole(*decoder_, text, element, problem);
  if (auto facts = decoded ? error_instead(element, ops) : wire::error_in_document(text)) {
    error = embedded_error(head_, std::move(*facts));
  } else if (decoded) {
    text_ = text;
    take_ending(element, ops);
    return Next::element;
  } else {
    error = is_cut(head_, text) ? cut_document(problem) : std::move(problem);
    take_head(error, head_);
  }
  return fail(error);
}

/// Whether an event was cut. An end marker is one without the blank line behind it, too.
bool StreamDecoder::ends_inside_event() const noexcept {
  const auto rest = payload(events_.unfinished());
  return !rest.empty() && rest != end_mark;
}

bool StreamDecoder::is_whole() const noexcept {
  if (ending_ == Ending::complete) return true;
  // If no choices could tell, only a clean end is a whole one, and not one inside of an event.
  const bool can_tell = expected_choices_ > 0 || !(failure_ || ends_inside_event());
  return can_tell && choices_.complete(expected_choices_);
}

/// The body has ended without an end marker.
StreamDecoder::Next StreamDecoder::end_of_frames(Error& error) {
  if (reported_) return fail_with_failure(error);
  if (is_whole()) return finish(EndReason::eof_after_finish);
  if (!failure_) return truncated(error);
  failure_->detail += "; " + counted(frames_, "event") + " had arrived";
  return fail_with_failure(error);
}

StreamDecoder::Next StreamDecoder::truncated(Error& error) {
  if (auto why = frames_ == 0 ? why_unreadable(head_) : std::string(); !why.empty()) {
    error = about(ErrorKind::decode, std::move(why));
    return fail(error);
  }
  error = about(ErrorKind::truncated, frames_ == 0 ? "the stream ended before its first event"
                                                   : "the stream ended after " + counted(frames_, "event") +
                                                         ", without its end marker");
  error.retryable = true;
  return fail(error);
}

/// The body broke off: what is known of the answer goes with the reason.
StreamDecoder::Next StreamDecoder::fail_with_failure(Error& error) {
  error = *failure_;
  take_head(error, head_);
  return fail(error);
}

StreamDecoder::Next StreamDecoder::fail(Error& error) {
  if (frames_ > 0 && error.kind == ErrorKind::decode) {
    error.detail += " in event " + std::to_string(frames_) + " of the stream";
  }
  end_reason_ = EndReason::failed;
  return Next::failed;
}

StreamDecoder::Next StreamDecoder::finish(EndReason reason) noexcept {
  end_reason_ = reason;
  return Next::complete;
}

Error StreamDecoder::about(ErrorKind kind, std::string detail) const {
  Error error{.kind = kind, .detail = std::move(detail)};
  take_head(error, head_);
  return error;
}

}  // namespace inferwire::inline v0_1::client
