/// \file
/// JSON lines: one JSON text a line (https://jsonlines.org, application/jsonlines, application/x-ndjson).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "protocol/framing/receive_buffer.hpp"

namespace inferwire::inline v0_1::protocol {

/// One line. The view lives until the parser's following `feed`.
struct JsonLine {
  /// The line without the white space of JSON around it, never empty; followed by at least
  /// `ReceiveBuffer::padding` readable bytes.
  std::string_view text{};
  bool terminated{};  ///< false: the stream ended before the line did, so that it may be cut
};

/// Cuts a byte stream into lines: pushed in any split, pulled line by line, in linear time. Only LF ends a
/// line; blank lines and a byte order mark at the start are passed over. What is in a line is not looked at.
///
/// A line lies where it was received; what has been read is dropped when the next bytes come, so that only an
/// unfinished line is ever moved.
class JsonLinesParser {
 public:
  /// `max_line_bytes` bounds a line, with the white space before it.
  explicit JsonLinesParser(std::size_t max_line_bytes = 32u << 20) : max_line_bytes_(max_line_bytes) {}

  void feed(std::string_view bytes);
  /// The stream has ended: the last line counts without its LF.
  void finish() noexcept { finished_ = true; }

  enum class Next : std::uint8_t {
    line,       ///< `line` has been filled
    more,       ///< nothing without further bytes
    too_large,  ///< the limit was passed; the parser gives nothing else from here on
  };
  Next next(JsonLine& line);

  /// Does what SseParser::rest does.
  void rest() noexcept;

  /// How many bytes the parser has moved inside its buffer; see ReceiveBuffer.
  std::size_t moved_bytes() const noexcept { return buffer_.moved_bytes(); }

 private:
  ReceiveBuffer buffer_;
  std::size_t max_line_bytes_;

  // Offsets into the buffer: line_ <= scanned_ <= size.
  std::size_t line_{};     // where the line that is being received begins
  std::size_t scanned_{};  // no LF between line_ and here

  bool at_start_{true};  // a byte order mark may still come
  bool finished_{};
  bool too_large_{};
};

}  // namespace inferwire::inline v0_1::protocol
