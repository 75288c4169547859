#include "protocol/framing/json_lines.hpp"

#include "json/scanner.hpp"
#include "json/text.hpp"

#include <cstring>

namespace inferwire::inline v0_1::protocol {

void JsonLinesParser::feed(std::string_view bytes) {
  if (too_large_) return;
  buffer_.erase(0, line_);
  scanned_ -= line_;
  line_ = 0;
  buffer_.append(bytes);
}

void JsonLinesParser::rest() noexcept {
  if (line_ != buffer_.size()) return;
  buffer_.erase(0, line_);
  line_ = scanned_ = 0;
  buffer_.rest();
}

JsonLinesParser::Next JsonLinesParser::next(JsonLine& line) {
  while (!too_large_ && line_ < buffer_.size()) {
    const char* const base = buffer_.data();
    const auto* const end =
        static_cast<const char*>(std::memchr(base + scanned_, '\n', buffer_.size() - scanned_));
    scanned_ = end != nullptr ? static_cast<std::size_t>(end - base) : buffer_.size();
    if (scanned_ - line_ > max_line_bytes_) {
      too_large_ = true;
      break;
    }
    if (end == nullptr && !finished_) return Next::more;

    std::string_view text(base + line_, scanned_ - line_);
    if (end != nullptr) ++scanned_;
    line_ = scanned_;
    if (at_start_) text = json::without_byte_order_mark(text);
    at_start_ = false;
    text = json::trim(text);
    if (text.empty()) continue;
    line = {text, end != nullptr};
    return Next::line;
  }
  return too_large_ ? Next::too_large : Next::more;
}

}  // namespace inferwire::inline v0_1::protocol
