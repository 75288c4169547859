/// \file
/// Server-sent events: WHATWG HTML 9.2, https://html.spec.whatwg.org/multipage/server-sent-events.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/framing/receive_buffer.hpp"

namespace inferwire::inline v0_1::protocol {

/// One event. The views live until the parser's following `feed` or `next`.
struct SseEvent {
  std::string_view type{};  ///< empty means "message"
  /// The data lines, joined by LF; followed by at least `ReceiveBuffer::padding` readable bytes.
  std::string_view data{};
  std::string_view last_event_id{};  ///< the id that stands: this event's, or that of an earlier one
  /// Milliseconds, when this event's block sets them; what does not fit is the largest number that does.
  std::optional<std::int64_t> retry{};
  /// The digits of the field `retry` without leading zeros: the specification sets no bound.
  std::string_view retry_digits{};
};

/// Cuts a byte stream into events: pushed in any split, pulled event by event, in linear time. Where the
/// stream ends, an event without its closing blank line has not happened, so there is nothing to tell the
/// parser.
///
/// Bytes that are not UTF-8 pass through as they are; whoever reads the data decides.
///
/// An event lies where it was received. The lines of its data are moved together there, and what has been
/// read is dropped when the next bytes come, so that only an unfinished event is ever moved.
class SseParser {
 public:
  /// A field `error`, which the specification has parsers ignore. llama.cpp sent its errors in one until
  /// 2025.
  enum class ErrorField : std::uint8_t {
    ignored,
    event,  ///< is the data of an event whose type is "error"
  };

  /// The places at which a block ends.
  enum class BlockEnd : std::uint8_t {
    blank_line,  ///< what the specification says
    /// A line of data that follows one with a whole JSON object begins a new block, since nothing can go on
    /// there: some servers leave the blank line out. A line that begins with `{` is one of data, too, and a
    /// byte order mark before a line is none of it.
    whole_object,
  };

  /// `max_event_bytes` bounds the data of an event together with the line that is being received, be it a
  /// comment.
  explicit SseParser(std::size_t max_event_bytes = 32u << 20, ErrorField error_field = ErrorField::ignored,
                     BlockEnd block_end = BlockEnd::blank_line)
      : max_event_bytes_(max_event_bytes), error_field_(error_field), block_end_(block_end) {}

  void feed(std::string_view bytes);

  enum class Next : std::uint8_t {
    event,      ///< `event` has been filled
    more,       ///< nothing without further bytes
    too_large,  ///< the limit was passed; the parser gives nothing else from here on
  };
  Next next(SseEvent& event);

  /// What has come of an event that has not ended, for when the stream has: its data, or its first line,
  /// which is none of a comment.
  std::string_view unfinished() const noexcept;

  /// The id of the last finished block that set one.
  std::string_view last_event_id() const noexcept { return last_event_id_; }
  /// The reconnection time in milliseconds, if the server has ever set it.
  std::optional<std::int64_t> retry() const noexcept;
  std::string_view retry_digits() const noexcept { return retry_; }
  /// The id that stands before the first event, as when a stream is taken up again.
  void start_after(std::string last_event_id);

  /// To be called when the last event has been read and used, before a wait for more: gives memory away that
  /// is not needed until then.
  void rest() noexcept;

  /// How many bytes the parser has moved inside its buffer; see ReceiveBuffer.
  std::size_t moved_bytes() const noexcept { return buffer_.moved_bytes() + joined_bytes_; }

 private:
  void drop_read() noexcept;
  void end_block() noexcept;
  [[gnu::cold]] void take_late_type() noexcept;
  bool skip_byte_order_mark() noexcept;
  bool begins_block(std::string_view line) const noexcept;
  void take_line(std::string_view line);
  [[gnu::cold]] void take_stray(std::string_view line);
  void take_data(std::string_view value) noexcept;

  ReceiveBuffer buffer_;
  std::size_t max_event_bytes_;
  ErrorField error_field_;
  BlockEnd block_end_;

  // Offsets into the buffer: data_begin_ <= data_end_ <= line_ <= scanned_ <= size.
  std::size_t data_begin_{};
  std::size_t data_end_{};
  std::size_t line_{};     // where the line that is being received begins
  std::size_t scanned_{};  // no line end before here

  std::size_t joined_bytes_{};

  // The block that is being received.
  bool has_data_{};
  bool has_lines_{};  // of data, more than one
  bool has_retry_{};
  bool has_id_{};
  bool has_late_type_{};
  std::string type_;
  std::string late_type_;  // told behind data: this block's if a blank line ends it, else the next one's
  std::string id_;

  std::string last_event_id_;
  std::string retry_;

  bool at_start_{true};  // a byte order mark may still come
  bool skip_lf_{};       // the last line ended in CR: an LF that follows belongs to it
  bool handed_out_{};    // the block above is finished and its event has been given
  bool too_large_{};
};

}  // namespace inferwire::inline v0_1::protocol
