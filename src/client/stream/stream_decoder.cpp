#include "client/stream/stream_decoder.hpp"

#include "base/ascii.hpp"
#include "base/per_thread.hpp"
#include "client/call/http_error.hpp"
#include "client/counted.hpp"
#include "json/outline.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

/// Why an element cannot be decoded; written only then, and as a whole. Per thread, so that its 400 bytes are
/// neither cleared for each element nor part of each of ten thousand streams.
constinit thread_local PerThread<Error> kept_problem;

/// The error in a whole answer without choices; with choices it is an answer.
std::optional<wire::ErrorFacts> error_instead(void* element, const ElementOps& ops, std::int64_t requested) {
  ChoiceTracker choices(requested);
  ops.track(element, choices);
  return choices.any() ? std::nullopt : ops.error_in(element);
}

/// Whether a JSON object or list may continue after `text`: its first bracket was not closed.
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

/// The error in data that cannot be decoded. A gateway may send it before it has ended the event that broke
/// off: it is the last line. (Wei-Shaw/sub2api#1471)
std::optional<wire::ErrorFacts> error_in_cut(std::string_view data) {
  auto facts = wire::error_in_unread(data);
  const auto line_break = data.rfind('\n');
  if (facts || line_break == data.npos) return facts;
  return wire::error_in_unread(data.substr(line_break + 1));
}

/// Why every answer like this is unreadable; empty: a retry may help.
std::string why_unreadable(const ResponseHead& head) {
  if (has_no_body(head.status)) return "the answer's body is empty";
  if (content_encoding(head).empty()) return {};
  return "the stream has no readable event";  // add_head_facts says how it is encoded
}

/// Whether a line has the shape of a field: a short name, then a colon or the line's end. Server-sent events
/// may contain fields of any name, to be ignored.
bool is_like_field(std::string_view line) noexcept {
  constexpr std::size_t longest_name = 64;
  const auto name = line.substr(0, line.find(':'));
  return name.size() <= longest_name && std::ranges::all_of(name, [](char c) {
           return ascii::is_letter(c) || ascii::is_digit(c) || c == '-' || c == '_' || c == '.';
         });
}

bool are_like_fields(std::string_view lines) noexcept {
  while (!lines.empty()) {
    if (!is_like_field(ascii::take_until(lines, "\n"))) return false;
  }
  return true;
}

}  // namespace

StreamDecoder::StreamDecoder(const ElementOps& ops, const ResponseHead& head, std::size_t max_event_bytes,
                             std::int64_t choices, const StreamRow& row)
    : ops_(ops),
      head_(head),
      row_(row),
      body_(head, max_event_bytes, row.framing, ops.takes_null),
      choices_(choices),
      expected_choices_(choices) {}

void StreamDecoder::on_head() {
  decoder_.emplace(json::Series::alike);
  body_.on_head();
}

StreamDecoder::Next StreamDecoder::next(void* element) {
  if (end_reason_ == EndReason::failed) return Next::failed;
  if (end_reason_ != EndReason::none) return Next::complete;
  if (is_over()) return settle();
  if (body_.is_framed()) return next_element(element);
  if (!body_.is_there()) return Next::more;
  if (refused()) return fail(http_error(head_, body_.text()));
  if (body_.failure() != nullptr) return fail_with_failure();
  if (body_.text().empty() || body_.kind() == StreamBody::Kind::unknown) return truncated();
  if (not_streamed()) return next_whole(element);
  return fail(page_error(head_, body_.text()));
}

StreamDecoder::Next StreamDecoder::next_element(void* element) {
  StreamBody::Frame frame;
  switch (body_.next(frame)) {
    case StreamBody::Next::more: return body_.has_ended() ? end_of_frames() : Next::more;
    case StreamBody::Next::too_large:
      return fail(
          error_about(head_, ErrorKind::too_large, "an event of the stream is larger than max_event_bytes"));
    case StreamBody::Next::frame: break;
  }
  if (frame.data == end_mark && frame.type != error_type) return end_marker();
  return decode_frame(frame, element);
}

StreamDecoder::Next StreamDecoder::decode_frame(const StreamBody::Frame& frame, void* element) {
  auto& problem = kept_problem.get();
  bool decoded = ops_.decode(*decoder_, frame.data, frame.type, element, problem);
  // A whole answer comes first or not at all: MiniMax's last chunk repeats the message that came in pieces.
  if (!choices_.any()) [[unlikely]]
    decoded = decoded && decode_as_whole(frame, element, problem);
  auto facts = decoded ? ops_.error_in(element) : error_in_cut(frame.data);
  if (!facts && frame.type == error_type) facts = wire::read_error_body(frame.data, {});
  if (!facts && !decoded && frame.cut && may_go_on(frame.data)) return truncated();
  ++frames_;
  if (facts) {
    if (answer_state_ == AnswerState::unexplained) return explain(*std::move(facts), frame, decoded);
    auto error = stream_error(std::move(*facts), frame.data);
    if (!choices_.any() || !decoded || ops_.answers == nullptr || !ops_.answers(element))
      return fail(std::move(error));
    // OpenRouter sends part of the answer, or its usage, with the error: this element precedes the error.
    verdict_ = std::make_unique<Error>(std::move(error));
    answer_state_ = AnswerState::failed;
  }
  if (!decoded) return unread(frame, std::move(problem));
  text_ = frame.data;
  ops_.track(element, choices_);
  take_answer_state(element);
  return Next::element;
}

/// The error event after a response that failed says why it did. It is an element as well, for accumulators.
StreamDecoder::Next StreamDecoder::explain(wire::ErrorFacts facts, const StreamBody::Frame& frame,
                                           bool decoded) {
  *verdict_ = embedded_error(head_, std::move(facts), frame.data);
  verdict_->kind = ErrorKind::response_failed;
  answer_state_ = AnswerState::failed;
  if (!decoded) return settle();
  text_ = frame.data;
  return Next::element;
}

StreamDecoder::Next StreamDecoder::unread(const StreamBody::Frame& frame, Error error) {
  if (answer_state_ == AnswerState::unexplained) return settle();
  add_head_facts(error, head_);
  keep_body(error, frame.data);
  fail(std::move(error));
  if (is_plain_text(frame.data)) quote(*verdict_, ": ", frame.data);
  return Next::failed;
}

/// Decodes a frame with a whole answer again. False: it cannot be read as one.
bool StreamDecoder::decode_as_whole(const StreamBody::Frame& frame, void* element, Error& error) {
  if (ops_.is_whole == nullptr || !ops_.is_whole(element)) return true;
  const bool decoded = ops_.decode_whole(*decoder_, frame.data, expected_choices_, element, error);
  decoder_.emplace(json::Series::alike);  // the element's content is not what the decoder decoded
  return decoded;
}

void StreamDecoder::take_answer_state(const void* element) {
  if (ops_.answer_state == nullptr) return;
  if (!verdict_) verdict_ = std::make_unique<Error>();
  const auto said = ops_.answer_state(element, *verdict_);
  // A piece belongs to the answer in progress. After a complete answer it begins the next turn.
  if (said == AnswerState::none || (said == AnswerState::piece && answer_state_ == AnswerState::under_way))
    return;
  if (answer_state_ == AnswerState::unexplained && said != AnswerState::failed) return;
  answer_state_ = said;
  if (has_failed()) keep_body(*verdict_, text_);
}

/// Whether the last decoded element ends the stream.
bool StreamDecoder::is_over() const noexcept {
  return answer_state_ == AnswerState::failed ||
         (answer_state_ == AnswerState::complete && !row_.responses_in_turns);
}

/// The error that a server sends in the data of a stream.
Error StreamDecoder::stream_error(wire::ErrorFacts facts, std::string_view data) const {
  auto error = embedded_error(head_, std::move(facts), data);
  error.kind = ErrorKind::stream_error;
  if (choices_.any()) error.retryable = false;  // a retry would not continue where this answer broke off
  return error;
}

/// Handles the frame `[DONE]`. A response that reports its state must have reported its end as well, and an
/// answer with choices must have at least one.
StreamDecoder::Next StreamDecoder::end_marker() {
  if (answer_state_ == AnswerState::unexplained) return settle();
  const bool untold = answer_state_ == AnswerState::none || answer_state_ == AnswerState::under_way;
  const bool cut = ops_.answer_state != nullptr ? untold : !choices_.any() && choices_.needs_any();
  return cut ? truncated(", none of which ends an answer") : finish(EndReason::done);
}

/// The last element was returned, or nothing that follows says why the answer failed.
StreamDecoder::Next StreamDecoder::settle() {
  if (answer_state_ == AnswerState::complete) return finish(EndReason::done);
  auto error = *verdict_;
  take_wishes(error, head_);
  if (choices_.any()) error.retryable = false;
  return fail(std::move(error));
}

StreamDecoder::Next StreamDecoder::next_whole(void* element) {
  if (std::exchange(frames_, 1) != 0) {
    if (answer_state_ == AnswerState::unexplained) return settle();
    return answer_state_ == AnswerState::under_way ? truncated() : finish(EndReason::done);
  }
  if (body_.text().size() > body_.max_event_bytes()) {
    return fail(error_about(head_, ErrorKind::too_large, "the answer is larger than max_event_bytes"));
  }
  const auto text = body_.padded_text();
  Error problem;
  const bool decoded = ops_.decode_whole(*decoder_, text, expected_choices_, element, problem);
  if (auto facts = decoded ? error_instead(element, ops_, expected_choices_) : wire::error_in_unread(text)) {
    return fail(embedded_error(head_, std::move(*facts), text));
  }
  if (!decoded) return fail(unread_document(head_, text, std::move(problem)));
  text_ = text;
  take_answer_state(element);
  return Next::element;
}

bool StreamDecoder::is_whole() const noexcept {
  if (answer_state_ == AnswerState::complete) return true;
  // If the number of choices is unknown, only a clean end outside of an event makes the answer complete.
  const bool can_tell = expected_choices_ > 0 || (body_.failure() == nullptr && body_.unfinished().empty());
  return can_tell && choices_.complete();
}

StreamDecoder::Next StreamDecoder::leave() {
  if (end_reason_ != EndReason::none) return end_reason_ == EndReason::failed ? Next::more : Next::complete;
  if (is_over() || has_failed()) return settle();
  return was_last() ? Next::complete : Next::more;
}

/// Whether the element that was read last ended the answer. Takes the next frame, if it has arrived.
bool StreamDecoder::was_last() {
  if (not_streamed()) return frames_ > 0 && answer_state_ != AnswerState::under_way;
  if (!body_.is_framed()) return false;
  StreamBody::Frame frame;
  const auto next = body_.next(frame);
  if (next == StreamBody::Next::frame && frame.data == end_mark && frame.type != error_type)
    return end_marker() == Next::complete;
  if (next == StreamBody::Next::more && body_.has_ended()) return !body_.tells_failure() && is_whole();
  // The end alone tells which was the last of a raw stream's elements, of an unknown number of choices, or of
  // an agent's turns, the next of which may have arrived.
  const bool in_turns = next != StreamBody::Next::more || row_.responses_in_turns;
  const bool open_ended = expected_choices_ <= 0 || (ops_.answer_state != nullptr && in_turns);
  return !open_ended && is_whole();
}

bool StreamDecoder::has_seen_end() const noexcept {
  return end_reason_ != EndReason::none || is_over() || body_.has_ended();
}

/// The body ended without an end marker.
StreamDecoder::Next StreamDecoder::end_of_frames() {
  if (answer_state_ == AnswerState::unexplained) return settle();
  if (body_.tells_failure()) return fail_with_failure();
  if (is_whole()) return finish(EndReason::eof_after_finish);
  // An incomplete event is no element, but it may contain the error that ended the stream.
  if (auto facts = error_in_cut(body_.unfinished())) {
    return fail(stream_error(std::move(*facts), body_.unfinished()));
  }
  if (body_.failure() == nullptr) return truncated();
  auto next = fail_with_failure();
  verdict_->detail += "; " + counted(frames_, "event") + " had arrived";
  return next;
}

StreamDecoder::Next StreamDecoder::truncated(std::string_view how) {
  if (auto why = frames_ == 0 ? why_unreadable(head_) : std::string(); !why.empty()) {
    return fail(error_about(head_, ErrorKind::decode, std::move(why)));
  }
  const auto stray = body_.stray();
  if (frames_ == 0 && !are_like_fields(stray)) {
    auto error = error_about(head_, ErrorKind::decode, "the answer is not a stream of events");
    keep_body(error, stray);
    quote(error, ": ", stray);
    return fail(std::move(error));
  }
  auto error =
      error_about(head_, ErrorKind::truncated,
                  frames_ == 0 ? "the stream ended before its first event"
                               : "the stream ended after " + counted(frames_, "event") + std::string(how));
  error.retryable = true;
  keep_body(error, stray);
  if (!stray.empty()) quote(error, frames_ == 0 ? "; it says: " : "; among its events it says: ", stray);
  return fail(std::move(error));
}

/// The body broke off: adds what is known of the answer to the error.
StreamDecoder::Next StreamDecoder::fail_with_failure() {
  auto error = *body_.failure();
  add_head_facts(error, head_);
  return fail(std::move(error));
}

StreamDecoder::Next StreamDecoder::fail(Error error) {
  if (frames_ > 0 && error.kind == ErrorKind::decode && !not_streamed()) {
    error.detail += " in event " + std::to_string(frames_) + " of the stream";
  }
  verdict_ = std::make_unique<Error>(std::move(error));
  end_reason_ = EndReason::failed;
  return Next::failed;
}

StreamDecoder::Next StreamDecoder::finish(EndReason reason) noexcept {
  end_reason_ = reason;
  return Next::complete;
}

}  // namespace inferwire::inline v0_1::client
