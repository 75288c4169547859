/// \file
/// JSON lines: one JSON text per line (https://jsonlines.org, application/jsonlines, application/x-ndjson).
#pragma once

#include "protocol/framing/receive_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// One line. The view is valid until the next `feed` of the parser.
struct JsonLine {
  /// The line without surrounding JSON white space, never empty; followed by at least
  /// `ReceiveBuffer::padding` readable bytes.
  std::string_view text{};
  bool terminated{};  ///< false: the stream ended inside the line, which may be cut off
};

/// Splits a byte stream into lines: fed in any pieces, read line by line, in linear time. Only LF ends a
/// line; blank lines and a byte order mark at the start are skipped. The contents of lines are not checked.
///
/// Lines are not copied; those that were read are dropped when more bytes arrive, so that only an unfinished
/// line is ever moved.
class JsonLinesParser {
 public:
  /// `max_line_bytes` limits the length of a line including the white space before it.
  explicit JsonLinesParser(std::size_t max_line_bytes = 32u << 20) : max_line_bytes_(max_line_bytes) {}

  void feed(std::string_view bytes);
  /// Marks the end of the stream: the last line is complete without its LF.
  void finish() noexcept { finished_ = true; }

  enum class Next : std::uint8_t {
    line,       ///< `line` has been filled
    more,       ///< more bytes are needed
    too_large,  ///< the limit was exceeded; the parser returns nothing else from now on
  };
  Next next(JsonLine& line);

  /// See SseParser::rest.
  void rest() noexcept;

  /// The number of bytes that were moved inside the buffer; see ReceiveBuffer.
  std::size_t moved_bytes() const noexcept { return buffer_.moved_bytes(); }

 private:
  ReceiveBuffer buffer_;
  std::size_t max_line_bytes_;

  // Offsets into the buffer: line_ <= scanned_ <= size.
  std::size_t line_{};     // where the line that is being received begins
  std::size_t scanned_{};  // no LF between line_ and here

  bool at_start_{true};  // a byte order mark may still follow
  bool finished_{};
  bool too_large_{};
};

}  // namespace inferwire::inline v0_1::protocol
