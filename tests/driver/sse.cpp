#include "protocol/framing/sse.hpp"

#include "driver/operations.hpp"

namespace inferwire_driver {

using inferwire::protocol::SseEvent;
using inferwire::protocol::SseParser;
using nlohmann::json;

json run_sse(const json& request) {
  SseParser parser;
  if (request.contains("options")) parser.start_after(request["options"].value("last_event_id", ""));
  json out = {{"events", json::array()}, {"error", nullptr}};
  const auto chunks = chunks_of(request);
  for (std::size_t at = 0; at < chunks.size(); ++at) {
    parser.feed(chunks[at]);
    SseEvent event;
    for (;;) {
      const auto next = parser.next(event);
      if (next == SseParser::Next::more) break;
      if (next == SseParser::Next::too_large) {
        out["error"] = {{"kind", "too_large"}};
        return out;
      }
      json told = {{"at", at}};
      put_bytes(told, "event", event.type);
      put_bytes(told, "data", event.data);
      put_bytes(told, "id", event.last_event_id);
      if (!event.retry.empty()) told["retry"] = number(event.retry);
      out["events"].push_back(std::move(told));
    }
  }
  put_bytes(out, "last_event_id", parser.last_event_id());
  out["retry"] = parser.retry().empty() ? json() : number(parser.retry());
  return out;
}

}  // namespace inferwire_driver
