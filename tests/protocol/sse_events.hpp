/// \file
/// The events that an SSE parser finds in a stream that arrives in given pieces, copied out of its buffers.
#pragma once

#include "protocol/framing/sse.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire_test {

struct SeenEvent {
  std::string type;
  std::string data;
  std::string id;
  std::string retry;
  std::size_t at{};  ///< the number of bytes that had been fed when the event was returned

  /// Compares all but `at`, which depends on how the stream is split.
  friend bool operator==(const SeenEvent& a, const SeenEvent& b) {
    return a.type == b.type && a.data == b.data && a.id == b.id && a.retry == b.retry;
  }
};

struct SeenStream {
  std::vector<SeenEvent> events;
  std::string last_event_id;
  std::string retry;
  bool too_large{};

  friend bool operator==(const SeenStream&, const SeenStream&) = default;
};

inline SeenStream parse_in_pieces(inferwire::protocol::SseParser parser, std::string_view stream,
                                  const std::vector<std::size_t>& ends) {
  using Next = inferwire::protocol::SseParser::Next;
  SeenStream seen;
  std::size_t fed = 0;
  bool rests = false;
  const auto feed_to = [&](std::size_t end) {
    parser.feed(stream.substr(fed, end - fed));
    fed = end;
    inferwire::protocol::SseEvent event;
    for (;;) {
      const auto next = parser.next(event);
      seen.too_large = next == Next::too_large;
      // Calling `rest` before the next piece must make no difference.
      if (next == Next::more && (rests = !rests)) parser.rest();
      if (next != Next::event) break;
      // The data must be followed by padding; a sanitizer detects if it is not.
      for (std::size_t i = 0; i < inferwire::protocol::ReceiveBuffer::padding; ++i) {
        [[maybe_unused]] volatile char readable = event.data.data()[event.data.size() + i];
      }
      seen.events.push_back({event.type.empty() ? "message" : std::string(event.type),
                             std::string(event.data), std::string(event.last_event_id),
                             std::string(event.retry), fed});
    }
  };
  for (const auto end : ends) feed_to(end);
  feed_to(stream.size());
  seen.last_event_id = parser.last_event_id();
  seen.retry = parser.retry();
  return seen;
}

/// Parses the stream in pieces of `size` bytes.
inline SeenStream parse_every(std::size_t size, std::string_view stream,
                              inferwire::protocol::SseParser parser = inferwire::protocol::SseParser()) {
  std::vector<std::size_t> ends;
  for (auto end = size; end < stream.size(); end += size) ends.push_back(end);
  return parse_in_pieces(std::move(parser), stream, ends);
}

}  // namespace inferwire_test
