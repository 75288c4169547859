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
#include "inferwire/provider.hpp"
#include "inferwire/stream.hpp"
#include "inferwire/transport.hpp"
#include "json/codec.hpp"
#include "protocol/framing/json_lines.hpp"
#include "protocol/framing/sagemaker_stream.hpp"
#include "protocol/framing/sse.hpp"

namespace inferwire::inline v0_1::client {

class StreamDecoder {
 public:
  /// Borrows `head` for its life, which is empty until the answer's is there, and `row`, how the provider
  /// streams. `choices` is how many the request asked for (`n`).
  StreamDecoder(const ResponseHead& head, std::size_t max_event_bytes, std::int64_t choices,
                const StreamRow& row);

  /// The head is there.
  void on_head();
  void on_body(std::string_view bytes);
  /// The body has ended, by itself (nullptr) or because the connection failed.
  void on_end(const Error* failure);

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
  bool refused() const noexcept { return mode_ == Mode::error; }
  EndReason end_reason() const noexcept { return end_reason_; }
  /// A whole answer came instead of a stream.
  bool not_streamed() const noexcept { return mode_ == Mode::whole; }

 private:
  /// What the body is. Of an AWS event stream: what its parts are put together.
  enum class Mode : std::uint8_t { unknown, sse, json_lines, whole, error, page };
  /// The unit of a stream. The views live until the parser is fed.
  struct Frame {
    std::string_view data{};
    std::string_view name{};  ///< the type of an SSE event; empty where it has none
    bool cut{};               ///< a last line that was not ended
  };
  enum class Framed : std::uint8_t { frame, more, too_large };

  bool framed() const noexcept { return mode_ == Mode::sse || mode_ == Mode::json_lines; }
  void read_as(Mode mode);
  void take_parts();
  void take_content(std::string_view bytes);
  std::size_t most_unframed() const noexcept;
  void take_beginning(std::string_view bytes);
  std::optional<Mode> mode_of(std::string_view beginning) const noexcept;
  [[gnu::cold]] void report(Error error);
  Framed next_frame(Frame& frame);
  Next next_element(void* element, const ElementOps& ops, Error& error);
  [[gnu::cold]] Next next_whole(void* element, const ElementOps& ops, Error& error);
  Next decode_frame(const Frame& frame, void* element, const ElementOps& ops, Error& error);
  void take_ending(const void* element, const ElementOps& ops);
  bool is_over() const noexcept;
  Next end_marker(const ElementOps& ops, Error& error);
  [[gnu::cold]] Next settle(Error& error);
  [[gnu::cold]] bool ends_inside_event() const noexcept;
  [[gnu::cold]] Next end_of_frames(Error& error);
  [[gnu::cold]] Next truncated(Error& error);
  [[gnu::cold]] Next fail_with_failure(Error& error);
  [[gnu::cold]] Next fail(Error& error);
  Next finish(EndReason reason) noexcept;
  [[gnu::cold]] Error about(ErrorKind kind, std::string detail) const;

  const ResponseHead& head_;
  const StreamRow& row_;
  std::unique_ptr<protocol::SageMakerStreamParser> parts_{};  ///< set if the body is an AWS event stream
  protocol::SseParser events_;
  std::unique_ptr<protocol::JsonLinesParser> lines_{};  ///< set if it is JSON lines
  std::optional<json::Decoder> decoder_{};  ///< from the answer's head on: a stream that waits needs none
  ChoiceTracker choices_;
  std::size_t max_event_bytes_;
  std::int64_t expected_choices_;
  Mode mode_{Mode::unknown};
  bool begun_{};  ///< the first bytes have told what the body is; before: what the head says
  bool ended_{};
  std::unique_ptr<Error> failure_{};  ///< why the body broke off
  bool reported_{};                   ///< the body itself says so, or cannot be read
  EndReason end_reason_{EndReason::none};
  Ending ending_{Ending::none};       ///< how far the answer is, as its elements say
  std::unique_ptr<Error> verdict_{};  ///< the error of an answer that may fail
  std::uint64_t frames_{};
  std::string_view text_{};
  std::string body_{};  ///< everything that is not a stream of frames, and what does not tell yet
};

/// Whether a body begins as server-sent events do: with a field or a comment.
bool begins_with_event(std::string_view body) noexcept;

}  // namespace inferwire::inline v0_1::client
