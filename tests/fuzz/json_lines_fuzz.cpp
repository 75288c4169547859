// libFuzzer target: JSON lines come out the same however they are cut, and the limit holds for any input.
#include "fuzz/pieces.hpp"
#include "protocol/framing/json_lines.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using inferwire::protocol::JsonLine;
using inferwire::protocol::JsonLinesParser;

std::vector<std::string> parse(std::string_view stream, std::string_view sizes, std::size_t limit) {
  JsonLinesParser parser(limit);
  std::vector<std::string> lines;
  const auto drain = [&] {
    JsonLine line;
    auto next = parser.next(line);
    for (; next == JsonLinesParser::Next::line; next = parser.next(line)) {
      if (line.text.empty() || line.text.size() > limit) std::abort();
      lines.push_back(std::string(line.text) + (line.terminated ? "\n" : ""));
    }
    if (next == JsonLinesParser::Next::too_large) lines.emplace_back("\ntoo large");
    return next == JsonLinesParser::Next::more;
  };
  inferwire_fuzz::for_each_piece(stream, sizes, [&](std::string_view piece) {
    parser.feed(piece);
    return drain();
  });
  parser.finish();
  if (lines.empty() || lines.back() != "\ntoo large") drain();
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const inferwire_fuzz::Input input(bytes, size);
  const auto whole = parse(input.stream, {}, input.limit);
  if (parse(input.stream, input.sizes, input.limit) != whole) std::abort();
  if (parse(input.stream, "\x01", input.limit) != whole) std::abort();
  return 0;
}
