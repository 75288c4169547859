// libFuzzer target: an event stream gives the same messages and the same fault however it is cut, and what
// was read can be written and read again.
#include "fuzz/pieces.hpp"
#include "protocol/framing/crc32.hpp"
#include "protocol/framing/event_stream.hpp"
#include "protocol/framing/event_stream_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace inferwire::protocol;

struct Seen {
  std::vector<std::string> messages;  ///< written again, each on its own
  EventStreamFault fault{};

  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen parse(std::string_view stream, std::string_view sizes, std::size_t limit) {
  EventStreamParser parser(limit);
  Seen seen;
  const auto drain = [&] {
    EventStreamMessage message;
    auto next = parser.next(message);
    for (; next == EventStreamParser::Next::message; next = parser.next(message)) {
      append_message(seen.messages.emplace_back(), message.headers, message.payload);
    }
    return next == EventStreamParser::Next::more;
  };
  inferwire_fuzz::for_each_piece(stream, sizes, [&](std::string_view piece) {
    parser.feed(piece);
    return drain();
  });
  parser.finish();
  drain();
  seen.fault = parser.fault();
  return seen;
}

void put(std::string& bytes, std::size_t at, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(number >> (24 - 8 * i) & 0xFFU);
}

/// A message around `bytes`, with right lengths and checksums, which random bytes would never have.
std::string framed(std::string_view bytes) {
  std::string out(12, '\0');
  out += bytes;
  out.append(4, '\0');
  const auto claimed = bytes.empty() ? 0U : static_cast<unsigned char>(bytes.front());
  put(out, 0, static_cast<std::uint32_t>(out.size()));
  put(out, 4, claimed);
  put(out, 8, crc32(std::string_view(out).substr(0, 8)));
  put(out, out.size() - 4, crc32(std::string_view(out).substr(0, out.size() - 4)));
  return out;
}

void check(std::string_view stream, const inferwire_fuzz::Input& input) {
  const auto whole = parse(stream, {}, input.limit);
  if (parse(stream, input.sizes, input.limit) != whole) std::abort();
  if (parse(stream, "\x01", input.limit) != whole) std::abort();
  std::string written;
  for (const auto& message : whole.messages) written += message;
  if (stream.substr(0, written.size()) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const inferwire_fuzz::Input input(bytes, size);
  check(input.stream, input);
  check(framed(input.stream) + framed(input.stream.substr(input.stream.size() / 2)), input);
  return 0;
}
