// libFuzzer target: a stream gives the same events however it is cut, and the limit holds for any input.
#include "fuzz/pieces.hpp"
#include "protocol/framing/sse.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace inferwire::protocol;

struct Seen {
  std::vector<std::string> events;
  std::string last_event_id;
  std::string retry;

  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen parse(std::string_view stream, std::string_view sizes, std::size_t max_event_bytes, bool& too_large) {
  SseParser parser(max_event_bytes);
  Seen seen;
  inferwire_fuzz::for_each_piece(stream, sizes, [&](std::string_view piece) {
    parser.feed(piece);
    SseEvent event;
    auto next = parser.next(event);
    for (; next == SseParser::Next::event; next = parser.next(event)) {
      if (event.data.size() > max_event_bytes) std::abort();
      seen.events.push_back(std::string(event.type) + '\0' + std::string(event.data) + '\0' +
                            std::string(event.last_event_id) + '\0' + std::string(event.retry));
    }
    too_large = next == SseParser::Next::too_large;
    return true;
  });
  seen.last_event_id = parser.last_event_id();
  seen.retry = parser.retry();
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const inferwire_fuzz::Input input(bytes, size);
  bool cut_too_large{};
  bool whole_too_large{};
  bool bytes_too_large{};
  const auto cut = parse(input.stream, input.sizes, input.limit, cut_too_large);
  const auto whole = parse(input.stream, {}, input.limit, whole_too_large);
  const auto by_byte = parse(input.stream, "\x01", input.limit, bytes_too_large);
  if (cut_too_large != whole_too_large || cut_too_large != bytes_too_large) std::abort();
  if (cut.events != whole.events || cut.events != by_byte.events) std::abort();
  if (!whole_too_large && (cut != whole || cut != by_byte)) std::abort();
  return 0;
}
