/// \file
/// Server-sent events: WHATWG HTML 9.2, https://html.spec.whatwg.org/multipage/server-sent-events.html
#pragma once

#include "protocol/framing/receive_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// One event. The views are valid until the next `feed` or `next` of the parser.
struct SseEvent {
  std::string_view type{};  ///< empty means "message"
  /// The data lines, joined by LF; followed by at least `ReceiveBuffer::padding` readable bytes.
  std::string_view data{};
  std::string_view last_event_id{};  ///< the current id: of this event, or of an earlier one
  /// The reconnection time in milliseconds, if this event's block sets it: digits without leading zeros, of
  /// which the specification sets no limit.
  std::string_view retry{};
};

/// Splits a byte stream into events: fed in any pieces, read event by event, in linear time. If the stream
/// ends, an event without its closing blank line is ignored, so the parser need not be notified.
///
/// The client never reconnects: only tests of the specification ask for ids and reconnection times.
///
/// Bytes that are not UTF-8 are passed through unchanged; the reader of the data decides.
///
/// Events are not copied. The lines of their data are joined in place, and data that was read is dropped when
/// more bytes arrive, so that only an unfinished event is ever moved.
class SseParser {
 public:
  /// How a stream is read.
  enum class Reading : std::uint8_t {
    as_specified,
    /// The client's. A data line after a line with a whole JSON object or `null`, which nothing can continue,
    /// begins the next event: some servers leave the blank line out. A line that begins with `{` is also
    /// data, and a byte order mark before a line is ignored. A field `error` is the data of an event whose
    /// type is "error": llama.cpp sent its errors in one until 2025.
    tolerant,
  };

  /// `max_event_bytes` limits the data of an event together with the line being received, even if that is a
  /// comment.
  explicit SseParser(std::size_t max_event_bytes = 32u << 20, Reading reading = Reading::as_specified)
      : max_event_bytes_(max_event_bytes), reading_(reading) {}

  void feed(std::string_view bytes);

  enum class Next : std::uint8_t {
    event,      ///< `event` has been filled
    more,       ///< more bytes are needed
    too_large,  ///< the limit was exceeded; the parser returns nothing else from now on
  };
  Next next(SseEvent& event);

  /// The received part of an unfinished event, for use after the end of the stream: its data, or else the
  /// line that has no end, unless that is a comment.
  std::string_view unfinished() const noexcept;

  /// The beginning of the lines, joined by LF, that are neither fields nor comments nor data, also an
  /// unfinished one: what a proxy wrote into or instead of the stream. Kept only in a tolerant reading.
  [[gnu::cold]] std::string stray() const;

  /// The id of the last finished block that set one.
  std::string_view last_event_id() const noexcept { return last_event_id_; }
  /// The last reconnection time that the server has set; empty if it has set none.
  std::string_view retry() const noexcept { return rare_ ? rare_->retry : std::string_view(); }
  /// Sets the id that applies before the first event, as when a stream is resumed.
  void start_after(std::string last_event_id);

  /// Called when the last event has been used, before waiting for more: releases memory that is not needed
  /// until then.
  void rest() noexcept;

  /// The number of bytes that were moved inside the buffer; see ReceiveBuffer.
  std::size_t moved_bytes() const noexcept { return buffer_.moved_bytes() + joined_bytes_; }

 private:
  /// Fields that few servers send: allocated separately to keep the parsers of thousands of streams small.
  struct Rare {
    std::string late_type;  // set after data: this block's type if a blank line ends it, else the next one's
    std::string id;         // of the block that is being received
    std::string retry;
    std::string stray;
  };

  Rare& rare();
  void drop_read() noexcept;
  void end_block() noexcept;
  [[gnu::cold]] void take_late_type() noexcept;
  void skip_byte_order_mark() noexcept;
  bool begins_block(std::string_view line) const noexcept;
  void take_line(std::string_view line);
  [[gnu::cold]] void take_stray(std::string_view line);
  void keep_stray(std::string_view line);
  void take_data(std::string_view value) noexcept;

  ReceiveBuffer buffer_;
  std::size_t max_event_bytes_;
  Reading reading_;

  // Offsets into the buffer: data_begin_ <= data_end_ <= line_ <= scanned_ <= size.
  std::size_t data_begin_{};
  std::size_t data_end_{};
  std::size_t line_{};     // where the line that is being received begins
  std::size_t scanned_{};  // no line end before here

  std::size_t joined_bytes_{};

  // The block that is being received.
  bool has_data_{};
  bool has_lines_{};  // more than one data line
  bool has_retry_{};
  bool has_id_{};
  bool has_late_type_{};
  std::string type_;
  std::string last_event_id_;
  std::unique_ptr<Rare> rare_;  // nullptr: nothing of it was sent

  bool at_start_{true};  // a byte order mark may still follow
  bool skip_lf_{};       // the last line ended in CR: an LF that follows belongs to it
  bool handed_out_{};    // the block above is finished and its event was returned
  bool too_large_{};
};

}  // namespace inferwire::inline v0_1::protocol
