#include "client/stream_decoder.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "client/http_error.hpp"
#include "protocol/media_type.hpp"
#include "wire/error_body.hpp"

namespace inferwire::inline v0_1::client {

namespace {

constexpr std::size_t most_error_bytes = 1u << 20;
constexpr std::string_view space = " \t\r\n";

}  // namespace

Error html_page_error(const ResponseHead& head, std::string_view body) {
  auto facts = wire::read_error_body(body, head.reason);
  return Error{
      .kind = ErrorKind::decode,
      .detail = "the server sent a page of HTML instead of an answer; is the base URL right? It says: " +
                facts.message,
      .status = head.status,
      .request_id = std::string(request_id(head))};
}

StreamDecoder::StreamDecoder(std::size_t max_event_bytes, std::int64_t choices)
    : parser_(max_event_bytes), max_event_bytes_(max_event_bytes), expected_choices_(choices) {}

void StreamDecoder::on_head(const ResponseHead& head) {
  head_ = head;
  if (head.status < 200 || head.status > 299) {
    mode_ = Mode::error;
    return;
  }
  switch (protocol::media_kind(find_header(head.headers, "content-type"))) {
    case protocol::MediaKind::event_stream: mode_ = Mode::events; break;
    case protocol::MediaKind::json: mode_ = Mode::whole; break;
    case protocol::MediaKind::html: mode_ = Mode::page; break;
    default: mode_ = Mode::unknown; break;
  }
}

void StreamDecoder::on_body(std::string_view bytes) {
  if (mode_ == Mode::events) {
    parser_.feed(bytes);
    return;
  }
  // One byte more than is allowed shows that there was more.
  const auto most = mode_ == Mode::whole ? max_event_bytes_ + 1 : most_error_bytes;
  body_.append(bytes.substr(0, most - std::min(most, body_.size())));
  if (mode_ == Mode::unknown) sniff();
}

void StreamDecoder::on_end(const Error* failure) {
  ended_ = true;
  if (failure != nullptr) failure_ = *failure;
}

/// No media type that we know: the first byte that is not white space tells.
void StreamDecoder::sniff() {
  const auto begin = body_.find_first_not_of(space);
  if (begin == std::string::npos) return;
  switch (body_[begin]) {
    case '{': mode_ = Mode::whole; break;
    case '<': mode_ = Mode::page; break;
    default:
      mode_ = Mode::events;
      parser_.feed(std::exchange(body_, {}));
      break;
  }
}

StreamDecoder::Next StreamDecoder::next(void* element, const ElementOps& ops, Error& error) {
  if (end_reason_ == EndReason::failed) return Next::failed;
  if (end_reason_ != EndReason::none) return Next::complete;
  if (mode_ == Mode::events) return next_event(element, ops, error);
  if (!ended_) return Next::more;
  if (failure_) {
    error = *failure_;
    error.status = head_.status;
    error.request_id = request_id(head_);
    return fail(error);
  }
  switch (mode_) {
    case Mode::whole: return next_whole(element, ops, error);
    case Mode::error: error = http_error(head_, body_, std::chrono::system_clock::now()); break;
    case Mode::page: error = html_page_error(head_, body_); break;
    default: error = about(ErrorKind::truncated, "the stream was empty"); break;
  }
  return fail(error);
}

StreamDecoder::Next StreamDecoder::next_event(void* element, const ElementOps& ops, Error& error) {
  protocol::SseEvent event;
  for (;;) {
    switch (parser_.next(event)) {
      case protocol::SseParser::Next::more: return ended_ ? end_of_events(error) : Next::more;
      case protocol::SseParser::Next::too_large:
        error = about(ErrorKind::too_large, "an event of the stream is larger than max_event_bytes");
        return fail(error);
      case protocol::SseParser::Next::event: break;
    }
    const auto data = json::trim(event.data);
    if (data.empty()) continue;
    ++frames_;
    if (data == "[DONE]" && (event.type.empty() || event.type == "message")) return finish(EndReason::done);
    return decode_frame(data, event.type == "error", element, ops, error);
  }
}

StreamDecoder::Next StreamDecoder::decode_frame(std::string_view data, bool named_error, void* element,
                                                const ElementOps& ops, Error& error) {
  Error problem;
  const bool decoded = ops.decode(decoder_, data, element, problem);
  auto facts = decoded ? wire::error_in(ops.unknown(element)) : wire::error_in_document(data);
  if (!facts && named_error) facts = wire::read_error_body(data, {});
  if (facts) {
    error = embedded_error(head_, std::move(*facts));
    error.kind = ErrorKind::stream_error;
    return fail(error);
  }
  if (!decoded) {
    error = about(ErrorKind::decode, std::move(problem.detail));
    error.path = std::move(problem.path);
    return fail(error);
  }
  ops.track(element, choices_);
  return Next::element;
}

StreamDecoder::Next StreamDecoder::next_whole(void* element, const ElementOps& ops, Error& error) {
  if (std::exchange(frames_, 1) != 0) return finish(EndReason::done);
  const auto size = body_.size();
  if (size > max_event_bytes_) {
    error = about(ErrorKind::too_large, "the answer is larger than max_event_bytes");
    return fail(error);
  }
  body_.append(json::padding, '\0');
  const std::string_view text(body_.data(), size);
  Error problem;
  if (ops.decode_whole(decoder_, text, element, problem)) return Next::element;
  if (auto facts = wire::error_in_document(text)) {
    error = embedded_error(head_, std::move(*facts));
  } else {
    error = about(ErrorKind::decode, std::move(problem.detail));
    error.path = std::move(problem.path);
  }
  return fail(error);
}

/// The body has ended without an end marker.
StreamDecoder::Next StreamDecoder::end_of_events(Error& error) {
  if (choices_.complete(expected_choices_)) return finish(EndReason::eof_after_finish);
  if (failure_) {
    error = *failure_;
    error.status = head_.status;
    error.request_id = request_id(head_);
    error.detail += "; " + std::to_string(frames_) + " events had arrived";
    return fail(error);
  }
  error = about(ErrorKind::truncated, frames_ == 0 ? "the stream ended before its first event"
                                                   : "the stream ended after " + std::to_string(frames_) +
                                                         " events, without its end marker");
  error.retryable = true;
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
  return Error{.kind = kind,
               .detail = std::move(detail),
               .status = head_.status,
               .request_id = std::string(request_id(head_))};
}

}  // namespace inferwire::inline v0_1::client
