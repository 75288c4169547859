#include "protocol/framing/json_lines.hpp"

#include "driver/operations.hpp"

namespace inferwire_driver {

using inferwire::protocol::JsonLine;
using inferwire::protocol::JsonLinesParser;
using nlohmann::json;

json run_jsonl(const json& request) {
  JsonLinesParser parser;
  json out = {{"lines", json::array()}, {"error", nullptr}};
  const auto chunks = chunks_of(request);
  for (std::size_t at = 0; at <= chunks.size(); ++at) {
    if (at == chunks.size()) {
      parser.finish();
    } else {
      parser.feed(chunks[at]);
    }
    JsonLine line;
    auto next = parser.next(line);
    for (; next == JsonLinesParser::Next::line; next = parser.next(line)) {
      json told = {{"at", at}};
      put_bytes(told, "line", line.text);
      out["lines"].push_back(std::move(told));
    }
    if (next == JsonLinesParser::Next::too_large) {
      out["error"] = {{"kind", "too_large"}};
      return out;
    }
  }
  return out;
}

}  // namespace inferwire_driver
