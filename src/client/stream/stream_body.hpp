/// \file
/// The bytes of a streamed answer in, its frames out, or what came instead of a stream. Servers, and what
/// stands before them, call bodies by wrong names: what a body begins with tells more than its head.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "inferwire/error.hpp"
#include "inferwire/provider.hpp"
#include "inferwire/transport.hpp"
#include "protocol/framing/json_lines.hpp"
#include "protocol/framing/sagemaker_stream.hpp"
#include "protocol/framing/sse.hpp"

namespace inferwire::inline v0_1::client {

/// The frame that ends a stream.
inline constexpr std::string_view end_mark = "[DONE]";
/// The name of a frame that holds an error.
inline constexpr std::string_view error_name = "error";

class StreamBody {
 public:
  /// What the body is. Of an AWS event stream: what its parts are put together.
  enum class Kind : std::uint8_t { unknown, sse, json_lines, whole, error, page };

  /// Borrows `head` for its life. `framing` is the provider's where nothing else tells.
  StreamBody(const ResponseHead& head, std::size_t max_event_bytes, Framing framing);

  /// The head is there.
  void on_head();
  void on_body(std::string_view bytes);
  /// The body has ended, by itself (nullptr) or because the connection failed.
  void on_end(const Error* failure);

  Kind kind() const noexcept { return kind_; }
  bool is_framed() const noexcept { return kind_ == Kind::sse || kind_ == Kind::json_lines; }
  bool has_ended() const noexcept { return ended_; }
  /// Why the body broke off; nullptr if it did not.
  const Error* failure() const noexcept { return failure_.get(); }
  /// Whether the body itself says why, or cannot be read any further.
  bool tells_failure() const noexcept { return tells_failure_; }

  // If it is framed.

  /// The unit of a stream. The views live until the body is fed.
  struct Frame {
    std::string_view data{};
    std::string_view name{};  ///< the type of an SSE event; empty where it has none
    bool cut{};               ///< a last line that was not ended
  };
  enum class Next : std::uint8_t { frame, more, too_large };
  /// The next frame that says something; behind its data is padding.
  Next next(Frame& frame);
  /// What has come of an event inside of which it has ended; empty: it has not. An end marker is one without
  /// the blank line behind it, too.
  [[gnu::cold]] std::string_view unfinished() const noexcept;

  // If it is not.

  /// Whether as much of it is there as is kept: what goes on beyond that might do so for ever.
  bool is_there() const noexcept { return ended_ || text_.size() >= most_kept(); }
  std::string_view text() const noexcept { return text_; }
  /// The whole of it, without an end marker, and with padding behind it. Once.
  std::string_view padded_text();

 private:
  void read_as(Kind kind);
  void take_parts();
  void take_content(std::string_view bytes);
  void take_beginning(std::string_view bytes);
  std::optional<Kind> kind_of(std::string_view beginning) const noexcept;
  [[gnu::cold]] bool take_field(std::string_view& line) noexcept;
  std::size_t most_kept() const noexcept;
  [[gnu::cold]] void tell_failure(Error error);

  const ResponseHead& head_;
  std::unique_ptr<protocol::SageMakerStreamParser> parts_{};  ///< set if it is an AWS event stream
  protocol::SseParser events_;
  std::unique_ptr<protocol::JsonLinesParser> lines_{};  ///< set if it is JSON lines
  std::size_t max_event_bytes_;
  Framing framing_;
  Kind kind_{Kind::unknown};
  bool begun_{};          ///< the first bytes have told what the body is; before: what the head says
  bool error_follows_{};  ///< a field has said so of the next line
  bool ended_{};
  bool tells_failure_{};
  std::unique_ptr<Error> failure_{};
  std::string text_{};  ///< everything that is not a stream of frames, and what does not tell yet
};

/// Whether a body begins as server-sent events do: with a field or a comment.
bool begins_with_event(std::string_view body) noexcept;

}  // namespace inferwire::inline v0_1::client
