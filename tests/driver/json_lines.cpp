#include "protocol/framing/json_lines.hpp"

#include "driver/feed.hpp"
#include "driver/operations.hpp"

namespace inferwire_driver {

using inferwire::protocol::JsonLine;
using inferwire::protocol::JsonLinesParser;
using nlohmann::json;

json run_jsonl(const json& request) {
  JsonLinesParser parser;
  json out = {{"lines", json::array()}, {"error", nullptr}};
  feed_all(request, parser, [&](std::size_t at) {
    JsonLine line;
    auto next = parser.next(line);
    for (; next == JsonLinesParser::Next::line; next = parser.next(line)) {
      json told = {{"at", at}};
      put_bytes(told, "line", line.text);
      out["lines"].push_back(std::move(told));
    }
    const bool too_large = next == JsonLinesParser::Next::too_large;
    if (too_large) out["error"] = {{"kind", "too_large"}};
    return too_large;
  });
  return out;
}

}  // namespace inferwire_driver
