/// \file
/// The bytes of a streamed answer in, elements out, and the truth about how it ended. No socket, and
/// of clocks the calendar's alone, for the date until which a refusal asks to wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client/stream/element.hpp"
#include "client/stream/stream_body.hpp"
#include "inferwire/provider.hpp"
#include "inferwire/stream.hpp"
#include "inferwire/transport.hpp"
#include "json/codec.hpp"
#include "wire/error_body.hpp"

namespace inferwire::inline v0_1::client {

class StreamDecoder {
 public:
  /// Borrows `head` for its life, which is empty until the answer's is there, and `row`, how the provider
  /// streams. `choices` is how many the request asked for (`n`).
  StreamDecoder(const ResponseHead& head, std::size_t max_event_bytes, std::int64_t choices,
                const StreamRow& row);

  /// The head is there.
  void on_head();
  void on_body(std::string_view bytes) { body_.on_body(bytes); }
  /// The body has ended, by itself (nullptr) or because the connection failed.
  void on_end(const Error* failure) { body_.on_end(failure); }

  enum class Next : std::uint8_t {
    element,   ///< the element has been decoded
    more,      ///< more bytes are needed
    complete,  ///< there is nothing more, and that is as it should be
    failed,    ///< `error` says why
  };
  /// After complete or failed it has nothing more to say.
  Next next(void* element, const ElementOps& ops, Error& error);
  /// The last element as it came, until it is asked for the next one.
  std::string_view text() const noexcept { return text_; }

  /// Whether what has come is a whole answer, now that nothing more comes.
  bool is_whole() const noexcept;
  /// Whether the head is there.
  bool has_head() const noexcept { return decoder_.has_value(); }
  /// Whether the answer is a refusal, which is told however much of its body has come.
  bool refused() const noexcept { return body_.kind() == StreamBody::Kind::error; }
  EndReason end_reason() const noexcept { return end_reason_; }
  /// A whole answer came instead of a stream.
  bool not_streamed() const noexcept { return body_.kind() == StreamBody::Kind::whole; }

 private:
  Next next_element(void* element, const ElementOps& ops, Error& error);
  [[gnu::cold]] Next next_whole(void* element, const ElementOps& ops, Error& error);
  Next decode_frame(const StreamBody::Frame& frame, void* element, const ElementOps& ops, Error& error);
  [[gnu::cold]] bool decode_as_whole(const StreamBody::Frame& frame, void* element, const ElementOps& ops,
                                     Error& error);
  void take_answer_state(const void* element, const ElementOps& ops);
  bool is_over() const noexcept;
  [[gnu::cold]] Error stream_error(wire::ErrorFacts facts) const;
  Next end_marker(const ElementOps& ops, Error& error);
  [[gnu::cold]] Next settle(Error& error);
  [[gnu::cold]] Next end_of_frames(Error& error);
  [[gnu::cold]] Next truncated(Error& error, std::string_view how = ", without its end marker");
  [[gnu::cold]] Next fail_with_failure(Error& error);
  [[gnu::cold]] Next fail(Error& error);
  Next finish(EndReason reason) noexcept;

  const ResponseHead& head_;
  const StreamRow& row_;
  StreamBody body_;
  std::optional<json::Decoder> decoder_{};  ///< from the answer's head on: a stream that waits needs none
  ChoiceTracker choices_;
  std::size_t max_event_bytes_;
  std::int64_t expected_choices_;
  EndReason end_reason_{EndReason::none};
  AnswerState answer_state_{AnswerState::none};  ///< how far the answer is, as its elements say
  std::unique_ptr<Error> verdict_{};             ///< the error of an answer that may fail
  std::uint64_t frames_{};
  std::string_view text_{};
};

}  // namespace inferwire::inline v0_1::client
