#include "testing/request_reader.hpp"

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "protocol/headers.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1::testing {

namespace {

constexpr std::string_view line_end = "\r\n";

/// The text before `end`; nothing if `end` has not been received.
std::optional<std::string_view> take_whole(std::string_view& bytes, std::string_view end) {
  if (bytes.find(end) == bytes.npos) return std::nullopt;
  return ascii::take_until(bytes, end);
}

}  // namespace

RequestReader::Next RequestReader::next(std::string& bytes, std::string_view base_url, HttpRequest& request) {
  auto rest = std::string_view(bytes).substr(read_);
  std::optional<Next> next;
  while (!next) next = step(rest, base_url);
  read_ = bytes.size() - rest.size();
  // Bytes that were read are dropped once they are more than half of the buffer: often enough, and seldom
  // enough not to move the same bytes repeatedly.
  if (read_ > rest.size()) bytes.erase(0, std::exchange(read_, 0));
  if (*next == Next::request) {
    part_ = Part::head;
    expectation_ = false;  // the body has already been received
    request = std::exchange(begun_, {});
    request.body = std::exchange(body_, {});
  }
  return *next;
}

bool RequestReader::take_expectation() noexcept { return std::exchange(expectation_, false); }

/// Reads one part; nothing if another one follows.
std::optional<RequestReader::Next> RequestReader::step(std::string_view& bytes, std::string_view base_url) {
  switch (part_) {
    case Part::head: return read_head(bytes, base_url);
    case Part::body:
      if (!read_bytes(bytes)) return Next::more;
      return Next::request;
    case Part::chunk_size: return read_chunk_size(bytes);
    case Part::chunk:
      if (!read_bytes(bytes)) return Next::more;
      part_ = Part::chunk_end;
      return std::nullopt;
    case Part::chunk_end:
      if (!take_whole(bytes, line_end)) return Next::more;
      part_ = Part::chunk_size;
      return std::nullopt;
    case Part::trailer: break;
  }
  const auto trailer = take_whole(bytes, line_end);
  if (!trailer) return Next::more;
  if (!trailer->empty()) return std::nullopt;
  return Next::request;
}

std::optional<RequestReader::Next> RequestReader::read_head(std::string_view& bytes,
                                                            std::string_view base_url) {
  while (bytes.starts_with(line_end)) bytes.remove_prefix(line_end.size());  // RFC 9112, 2.2
  auto head = take_whole(bytes, "\r\n\r\n");
  if (!head) return Next::more;
  auto line = ascii::take_until(*head, line_end);
  begun_.method = ascii::take_until(line, " ");
  const auto target = ascii::take_until(line, " ");  // the target of a proxy request is not a path
  if (!protocol::is_token(begun_.method)) return Next::unreadable;
  if (target.starts_with('/')) begun_.url = base_url;
  begun_.url += target;
  while (!head->empty()) {
    auto value = ascii::take_until(*head, line_end);
    const auto name = ascii::take_until(value, ":");
    begun_.headers.push_back({std::string(name), std::string(ascii::trim(value))});
  }
  const auto expected = find_header(begun_.headers, "expect");
  expectation_ = expected && ascii::equal_ignoring_case(*expected, "100-continue");
  return find_end();
}

/// Determines the end of the body of the request whose head was read.
std::optional<RequestReader::Next> RequestReader::find_end() {
  if (const auto coding = find_header(begun_.headers, "transfer-encoding")) {
    if (!ascii::equal_ignoring_case(*coding, "chunked")) return Next::unreadable;
    part_ = Part::chunk_size;
    return std::nullopt;
  }
  const auto length =
      parse_integer<std::uint64_t>(find_header(begun_.headers, "content-length").value_or("0"));
  if (!length) return Next::unreadable;
  part_ = Part::body;
  left_ = *length;
  return std::nullopt;
}

std::optional<RequestReader::Next> RequestReader::read_chunk_size(std::string_view& bytes) {
  auto line = take_whole(bytes, line_end);
  if (!line) return Next::more;
  const auto size_of_chunk = ascii::trim(ascii::take_until(*line, ";"));  // extensions are ignored
  const auto size = parse_integer<std::uint64_t>(size_of_chunk, 16);
  if (!size) return Next::unreadable;
  left_ = *size;
  part_ = left_ == 0 ? Part::trailer : Part::chunk;
  return std::nullopt;
}

/// Whether all remaining bytes have been received.
bool RequestReader::read_bytes(std::string_view& bytes) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  body_ += bytes.substr(0, count);
  bytes.remove_prefix(count);
  left_ -= count;
  return left_ == 0;
}

}  // namespace inferwire::inline v0_1::testing
