/// \file
/// The event stream encoding of AWS (application/vnd.amazon.eventstream):
/// https://smithy.io/2.0/aws/amazon-eventstream.html
#pragma once

#include "protocol/framing/receive_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::protocol {

/// The types of header values, by their numbers on the wire.
enum class EventStreamType : std::uint8_t {
  bool_true = 0,
  bool_false = 1,
  byte = 2,
  short_integer = 3,
  integer = 4,
  long_integer = 5,
  bytes = 6,
  string = 7,
  timestamp = 8,  ///< milliseconds since 1970
  uuid = 9,
};

struct EventStreamHeader {
  std::string_view name{};
  EventStreamType type{EventStreamType::string};
  std::int64_t number{};    ///< the value of integers, timestamps and bools (1, 0)
  std::string_view text{};  ///< the value of strings and bytes; the 16 bytes of a uuid

  friend bool operator==(const EventStreamHeader&, const EventStreamHeader&) = default;
};

/// One message. The views are valid until the next `feed` or `next` of the parser.
struct EventStreamMessage {
  std::span<const EventStreamHeader> headers{};
  std::string_view payload{};  ///< followed by at least `ReceiveBuffer::padding` readable bytes

  /// The value of the string header `name`; nothing if there is none.
  std::optional<std::string_view> find(std::string_view name) const noexcept;
};

/// The specification's limit for the payload of a message.
inline constexpr std::size_t largest_event_stream_payload = 24u << 20;
/// What a message may have besides its payload: 128 KiB of headers, and framing.
inline constexpr std::size_t event_stream_overhead = (128u << 10) + 16;
inline constexpr std::size_t largest_event_stream_message =
    largest_event_stream_payload + event_stream_overhead;

/// Errors in an event stream.
enum class EventStreamFault : std::uint8_t {
  none,
  prelude_crc,  ///< the checksum of the lengths is wrong: most likely this is not an event stream
  message_crc,  ///< the checksum of a message is wrong
  length,       ///< the lengths of a message contradict each other
  too_large,    ///< the length of a message exceeds the limit
  headers,      ///< the headers of a message cannot be read, or are too many
  truncated,    ///< the stream ended inside a message
};
/// Describes the error in words.
std::string_view describe(EventStreamFault fault) noexcept;

/// Splits a byte stream into messages: fed in any pieces, read message by message, in linear time. A message
/// is returned only if both of its checksums are right; after an error nothing more is. Memory is allocated
/// for received bytes, never for a claimed length.
class EventStreamParser {
 public:
  /// `max_message_bytes` limits the declared length of a message, including framing.
  explicit EventStreamParser(std::size_t max_message_bytes = largest_event_stream_message)
      : max_message_bytes_(max_message_bytes) {}

  void feed(std::string_view bytes);
  /// Marks the end of the stream: an unfinished message becomes an error.
  void finish() noexcept { finished_ = true; }

  enum class Next : std::uint8_t {
    message,  ///< `message` has been filled
    more,     ///< more bytes are needed
    broken,   ///< `fault` says why; the parser returns nothing else from now on
  };
  Next next(EventStreamMessage& message);

  EventStreamFault fault() const noexcept { return fault_; }
  /// The number of bytes that were moved inside the buffer; see ReceiveBuffer.
  std::size_t moved_bytes() const noexcept { return buffer_.moved_bytes(); }

 private:
  Next fail(EventStreamFault fault) noexcept;
  bool read_headers(std::string_view bytes);

  ReceiveBuffer buffer_;
  std::size_t max_message_bytes_;
  std::size_t begin_{};  // where the message that is being received begins
  std::size_t total_{};  // its length; 0 while its prelude is not complete
  std::size_t headers_size_{};
  std::vector<EventStreamHeader> headers_;
  EventStreamFault fault_{EventStreamFault::none};
  bool finished_{};
};

}  // namespace inferwire::inline v0_1::protocol
