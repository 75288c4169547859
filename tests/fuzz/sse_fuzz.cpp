// However a stream is cut, the same events come out of it, and the limit holds whatever comes in.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/sse.hpp"

namespace {

using namespace inferwire::protocol;

struct Seen {
  std::vector<std::string> events;
  std::string last_event_id;
  std::string retry;

  friend bool operator==(const Seen&, const Seen&) = default;
};

/// In pieces as long as `sizes` says, over and over; empty: in one.
Seen parse(std::string_view stream, std::string_view sizes, std::size_t max_event_bytes, bool& too_large) {
  SseParser parser(max_event_bytes);
  Seen seen;
  for (std::size_t turn = 0; !stream.empty(); ++turn) {
    const auto size = sizes.empty()
                          ? stream.size()
                          : static_cast<std::size_t>(static_cast<unsigned char>(sizes[turn % sizes.size()]));
    const auto piece = stream.substr(0, sizes.size() == 1 && size == 0 ? 1 : size);
    stream.remove_prefix(piece.size());
    parser.feed(piece);
    SseEvent event;
    auto next = parser.next(event);
    for (; next == SseParser::Next::event; next = parser.next(event)) {
      if (event.data.size() > max_event_bytes) std::abort();
      seen.events.push_back(std::string(event.type) + '\0' + std::string(event.data) + '\0' +
                            std::string(event.last_event_id) + '\0' + std::string(event.retry_digits));
    }
    too_large = next == SseParser::Next::too_large;
    if (turn > 100'000) break;  // sizes of nothing but zeros
  }
  seen.last_event_id = parser.last_event_id();
  seen.retry = parser.retry_digits();
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  // The first byte says how many of the next ones are lengths of pieces, the second how small the limit is.
  const auto sizes = input.substr(2, static_cast<unsigned char>(input[0]) % 8);
  const std::size_t limit = static_cast<unsigned char>(input[1]) % 2 == 0 ? 1u << 20 : 64;
  const auto stream = input.substr(2 + sizes.size());
  bool cut_too_large{};
  bool whole_too_large{};
  bool bytes_too_large{};
  const bool only_zeros = sizes.find_first_not_of('\0') == sizes.npos && !sizes.empty();
  const auto cut = parse(stream, only_zeros ? std::string_view("\x01") : sizes, limit, cut_too_large);
  const auto whole = parse(stream, {}, limit, whole_too_large);
  const auto by_byte = parse(stream, "\x01", limit, bytes_too_large);
  if (cut_too_large != whole_too_large || cut_too_large != bytes_too_large) std::abort();
  if (cut.events != whole.events || cut.events != by_byte.events) std::abort();
  if (!whole_too_large && (cut != whole || cut != by_byte)) std::abort();
  return 0;
}
