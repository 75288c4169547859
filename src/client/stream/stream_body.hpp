/// \file
/// Splits the body of a streamed answer into frames, or collects what came in place of a stream. Servers and
/// proxies declare wrong media types: the first bytes of a body are more reliable than its head.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/provider.hpp"
#include "inferwire/transport.hpp"
#include "protocol/framing/json_lines.hpp"
#include "protocol/framing/sagemaker_stream.hpp"
#include "protocol/framing/sse.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// The frame that ends a stream.
inline constexpr std::string_view end_mark = "[DONE]";
/// The type of a frame that holds an error.
inline constexpr std::string_view error_type = "error";

class StreamBody {
 public:
  /// The kind of the body. In an AWS event stream: of its joined payloads.
  enum class Kind : std::uint8_t { unknown, sse, json_lines, whole, error, page };

  /// `head` must outlive it. `framing` is the provider's, used if nothing else determines it.
  /// `delivers_null`: whether frames with `null` are delivered, not ignored.
  StreamBody(const ResponseHead& head, std::size_t max_event_bytes, Framing framing, bool delivers_null);

  /// The head has arrived.
  void on_head();
  void on_body(std::string_view bytes);
  /// The body has ended: completely (nullptr) or because the connection failed.
  void on_end(const Error* failure);

  std::size_t max_event_bytes() const noexcept { return max_event_bytes_; }
  Kind kind() const noexcept { return kind_; }
  bool is_framed() const noexcept { return kind_ == Kind::sse || kind_ == Kind::json_lines; }
  bool has_ended() const noexcept { return ended_; }
  /// Why the body broke off; nullptr if it did not.
  const Error* failure() const noexcept { return failure_.get(); }
  /// Whether the body itself reports the failure, or cannot be read further.
  bool tells_failure() const noexcept { return tells_failure_; }

  // For a framed body.

  /// The unit of a stream: a server-sent event, or a line of JSON as if it were one. The views are valid
  /// until more of the body arrives.
  struct Frame : protocol::SseEvent {
    bool cut{};  ///< a last line without a line end
  };
  enum class Next : std::uint8_t { frame, more, too_large };
  /// The next frame with data; its data is followed by padding.
  Next next(Frame& frame);
  /// The data of an event that was incomplete when the body ended; empty: there is none. An end marker
  /// without the blank line after it also counts.
  [[gnu::cold]] std::string_view unfinished() const noexcept;

  /// The beginning of the lines in server-sent events that are no part of them.
  [[gnu::cold]] std::string stray() const { return kind_ == Kind::sse ? events_.stray() : std::string(); }

  // For an unframed body.

  /// Whether all that is kept of it has arrived: it might go on beyond that forever.
  bool is_there() const noexcept { return ended_ || text_.size() >= most_kept(); }
  std::string_view text() const noexcept { return text_; }
  /// All of it without an end marker, followed by padding. Call once.
  std::string_view padded_text();

 private:
  void read_as(Kind kind);
  void take_parts();
  void take_content(std::string_view bytes);
  void take_beginning(std::string_view bytes);
  std::optional<Kind> kind_of(std::string_view beginning) const noexcept;
  bool is_blank(const Frame& frame) const noexcept;
  [[gnu::cold]] bool take_field(std::string_view& line) noexcept;
  std::size_t most_kept() const noexcept;
  [[gnu::cold]] void tell_failure(Error error);

  const ResponseHead& head_;
  std::unique_ptr<protocol::SageMakerStreamParser> parts_{};  ///< set if it is an AWS event stream
  protocol::SseParser events_;
  std::unique_ptr<protocol::JsonLinesParser> lines_{};  ///< set if it is JSON lines
  std::size_t max_event_bytes_;
  Framing framing_;
  bool delivers_null_;
  Kind kind_{Kind::unknown};
  bool begun_{};          ///< the first bytes have determined the kind; before that, the head does
  bool error_follows_{};  ///< a field announced an error in the next line
  bool ended_{};
  bool tells_failure_{};
  std::unique_ptr<Error> failure_{};
  std::string text_{};  ///< the unframed body, or what does not determine the kind yet
};

/// Whether a body begins as server-sent events do: with a field or a comment.
bool begins_with_event(std::string_view body) noexcept;

}  // namespace inferwire::inline v0_1::client
