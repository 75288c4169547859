/// \file
/// Decodes the body of a streamed answer into elements, and determines how it ended. Uses no socket, and no
/// clock but the calendar's, for dates in Retry-After.
#pragma once

#include "client/stream/element.hpp"
#include "client/stream/stream_body.hpp"
#include "inferwire/provider.hpp"
#include "inferwire/stream.hpp"
#include "inferwire/transport.hpp"
#include "json/codec.hpp"
#include "wire/error_body.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

class StreamDecoder {
 public:
  /// `ops` are those of the elements' type. `head`, which is empty until the answer's head arrives, and
  /// `row`, the provider's streaming options, must outlive it. `choices` is how many the request asked for
  /// (`n`), as in ChoiceTracker.
  StreamDecoder(const ElementOps& ops, const ResponseHead& head, std::size_t max_event_bytes,
                std::int64_t choices, const StreamRow& row);

  /// The head has arrived.
  void on_head();
  void on_body(std::string_view bytes) { body_.on_body(bytes); }
  /// The body has ended: completely (nullptr) or because the connection failed.
  void on_end(const Error* failure) { body_.on_end(failure); }

  enum class Next : std::uint8_t {
    element,   ///< the element was decoded
    more,      ///< more bytes are needed
    complete,  ///< the stream ended properly
    failed,    ///< `error` says why
  };
  /// After complete or failed, returns the same again.
  Next next(void* element);
  /// The last call, if the reader leaves. complete, failed: the element that was read last ended the answer,
  /// whatever may follow it; otherwise more.
  [[gnu::cold]] Next leave();
  /// Why it failed. May be moved from.
  Error& error() noexcept { return *verdict_; }
  /// Whether the end of the stream has been decoded or its body has ended, so that nothing of use follows.
  bool has_seen_end() const noexcept;
  /// The unchanged text of the last element, until the next one is requested.
  std::string_view text() const noexcept { return text_; }

  const ElementOps& ops() const noexcept { return ops_; }
  /// Whether the answer is complete, now that nothing more arrives.
  bool is_whole() const noexcept;
  /// Whether all the choices that were requested have finished.
  bool expects_end() const noexcept {
    return ops_.answer_state == nullptr && expected_choices_ > 0 && choices_.complete();
  }
  /// Whether the server has reported that the answer failed, with the reason or without.
  bool has_failed() const noexcept {
    return answer_state_ == AnswerState::failed || answer_state_ == AnswerState::unexplained;
  }
  /// Whether the answer failed for a reason that has not been read.
  bool awaits_reason() const noexcept { return answer_state_ == AnswerState::unexplained; }
  /// Whether the head has arrived.
  bool has_head() const noexcept { return decoder_.has_value(); }
  /// Whether the answer is an error status, which is reported even if its body is incomplete.
  bool refused() const noexcept { return body_.kind() == StreamBody::Kind::error; }
  EndReason end_reason() const noexcept { return end_reason_; }
  /// Whether a whole answer came instead of a stream.
  bool not_streamed() const noexcept { return body_.kind() == StreamBody::Kind::whole; }

 private:
  Next next_element(void* element);
  [[gnu::cold]] Next next_whole(void* element);
  Next decode_frame(const StreamBody::Frame& frame, void* element);
  [[gnu::cold]] bool decode_as_whole(const StreamBody::Frame& frame, void* element, Error& error);
  [[gnu::cold]] Next unread(const StreamBody::Frame& frame, Error error);
  void take_answer_state(const void* element);
  [[gnu::cold]] Next explain(wire::ErrorFacts facts, const StreamBody::Frame& frame, bool decoded);
  bool is_over() const noexcept;
  [[gnu::cold]] bool was_last();
  [[gnu::cold]] Error stream_error(wire::ErrorFacts facts, std::string_view data) const;
  Next end_marker();
  [[gnu::cold]] Next settle();
  [[gnu::cold]] Next end_of_frames();
  [[gnu::cold]] Next truncated(std::string_view how = ", without its end marker");
  [[gnu::cold]] Next fail_with_failure();
  [[gnu::cold]] Next fail(Error error);
  Next finish(EndReason reason) noexcept;

  const ElementOps& ops_;
  const ResponseHead& head_;
  const StreamRow& row_;
  StreamBody body_;
  std::optional<json::Decoder> decoder_{};  ///< made when the head arrives: a stream that waits needs none
  ChoiceTracker choices_;
  std::int64_t expected_choices_;
  EndReason end_reason_{EndReason::none};
  AnswerState answer_state_{AnswerState::none};  ///< the state of the answer according to its elements
  std::unique_ptr<Error> verdict_{};             ///< why the answer failed, or may fail
  std::uint64_t frames_{};
  std::string_view text_{};
};

}  // namespace inferwire::inline v0_1::client
