#include "inferwire/testing/reply.hpp"

#include <utility>

namespace inferwire::inline v0_1::testing {

Reply Reply::json(std::string body, int status) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}},
          .body = {{.bytes = std::move(body)}}};
}

Reply Reply::stream(std::vector<std::string> pieces) {
  Reply reply{.headers = {{"Content-Type", "text/event-stream"}}, .framing = BodyFraming::chunked};
  for (auto& piece : pieces) reply.body.push_back({.bytes = std::move(piece)});
  return reply;
}

Reply Reply::silence() { return {.ending = Ending::silence, .head_gate = Gate()}; }

Reply Reply::bytes(std::string raw) { return {.ending = Ending::cut, .raw = std::move(raw)}; }

Reply Reply::reset() { return {.ending = Ending::reset}; }

}  // namespace inferwire::inline v0_1::testing
