// libFuzzer target: requests, answers and events of the Responses API survive a round trip, and any events
// fold to an answer that can be written. Each line is an event. Seeds: tests/fixtures/wire.
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "round_trip.hpp"
#include "wire/documents.hpp"

using namespace inferwire_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool well_formed = json::check(text).has_value();
  // These are kept from input to input: a document must leave nothing behind that shows in the next.
  static responses::Event event;
  static responses::Response response;
  static responses::Request request;
  const auto reading = (data[size - 1] & 1) != 0 ? json::Reading::strict : json::Reading::tolerant;
  decode(text, well_formed, reading, event);
  decode(text, well_formed, reading, response);
  decode(text, well_formed, reading, request);

  responses::Accumulator accumulator;
  for (std::string_view rest = text; !rest.empty();) {
    const auto end = rest.find('\n');
    auto line = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    if (line.starts_with("data: ")) line.remove_prefix(6);
    if (const auto decoded = json::decode<responses::Event>(line)) accumulator.add(*decoded);
  }
  const auto folded = accumulator.take((data[0] & 1) != 0);
  require(json::encode(folded).has_value(), "what events folded to could not be encoded");
  const responses::Request next{.model = "m", .input = folded.to_input_items()};
  require(json::encode(next).has_value(), "an answer could not be sent as input");
  return 0;
}
