#include "http/head_reader.hpp"

#include "base/ascii.hpp"

#include <charconv>
#include <limits>

namespace inferwire::inline v0_1::http {

HeadReader::Line HeadReader::take(std::string_view line) {
  bytes_ += line.size();
  if (bytes_ > max_bytes) return Line::too_large;
  if (complete_) return Line::more;
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  if (!has_status_line_ && ascii::starts_with_ignoring_case(line, "HTTP/")) {
    take_status(line);
  } else if (!line.empty()) {
    take_header(line);
  } else if (head_.status >= 200) {
    complete_ = true;
    return Line::complete;
  } else if (head_.status == 101) {
    return Line::switched;
  } else {
    has_status_line_ = false;
  }
  return Line::more;
}

void HeadReader::reset() noexcept {
  bytes_ = 0;
  has_status_line_ = complete_ = false;
  head_.status = 0;
  head_.headers.clear();
}

/// "HTTP/1.1 200 OK", in upper or lower case, as libcurl takes it.
void HeadReader::take_status(std::string_view line) {
  has_status_line_ = true;
  head_.headers.clear();
  line.remove_prefix(std::string_view("HTTP/").size());
  const auto version = line.substr(0, line.find(' '));
  head_.http_version = version;
  line = ascii::trim(line.substr(version.size()));
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), head_.status);
  if (error != std::errc{}) head_.status = 0;
  head_.reason = ascii::trim(line.substr(static_cast<std::size_t>(end - line.data())));
}

void HeadReader::take_header(std::string_view line) {
  if (ascii::is_blank(line.front())) {
    // A folded line (RFC 9112 5.2) continues the previous one.
    if (head_.headers.empty()) return;
    head_.headers.append(" ");
    head_.headers.append(ascii::trim(line));
    return;
  }
  head_.headers.add_line(line);
}

std::optional<std::uint64_t> HeadReader::longer_than(std::uint64_t bytes) const noexcept {
  const auto text = find_header(head_.headers, "content-length");
  if (!text) return std::nullopt;
  std::uint64_t length{};
  const auto error = std::from_chars(text->data(), text->data() + text->size(), length).ec;
  // The number may be repeated (RFC 9110 8.6): "157, 157".
  if (error != std::errc{}) length = std::numeric_limits<std::uint64_t>::max();
  if (length <= bytes || find_header(head_.headers, "transfer-encoding")) return std::nullopt;
  return length;
}

}  // namespace inferwire::inline v0_1::http
