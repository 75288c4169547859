#include "engine/answer/stream_error.hpp"

#include "engine/answer/answer.hpp"
#include "inferwire/response_events.hpp"
#include "protocol/framing/sse_writer.hpp"
#include "wire/documents.hpp"

#include <charconv>
#include <utility>

namespace inferwire::inline v0_1::engine {

void StreamError::follow(std::string_view events) {
  if (!numbers_events_) return;
  constexpr std::string_view member = R"("sequence_number":)";  // quotes inside texts have a backslash
  const auto last = events.rfind("\ndata:");
  const auto at = events.find(member, last == events.npos ? 0 : last);
  if (at == events.npos) return;
  std::int64_t number = 0;
  const auto digits = events.substr(at + member.size());
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc()) {
    number_ = number + 1;
  }
}

void StreamError::append(std::string& out, Framing framing, const Refusal& refusal) const {
  if (!numbers_events_) return append_frame(out, framing, error_body(form_, refusal));
  responses::ErrorEvent error{
      .sequence_number = number_, .code = code_of(refusal.cause), .message = refusal.message};
  error.extra.append("param", Json::raw("null"));  // the API sends it, and clients require it
  const responses::Event event(std::move(error));
  protocol::append_event(out, json::encode(event).value_or("{}"), "error");
}

}  // namespace inferwire::inline v0_1::engine
