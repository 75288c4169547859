// Measures SSE and typed decode of a Responses stream of 10,000 text deltas (about 210 bytes each) with all
// events around them: the library, and a decoder of text deltas written by hand with On-Demand, in one run.
// Both read the same bytes; the eight other events are too few to matter.
#include "hand_written_events.hpp"
#include "inferwire/response_events.hpp"
#include "json/codec.hpp"
#include "responses_stream_body.hpp"
#include "stream_bench.hpp"
#include "wire/documents.hpp"

namespace {

using namespace inferwire;

void decode_events(benchmark::State& state, json::Series series) {
  json::Decoder decoder(series);
  Error error;
  responses::Event event;
  const auto& type = json::describe<responses::Event>();
  inferwire_bench::run_stream(
      state, inferwire_bench::responses_stream(), event,
      [&](std::string_view data, responses::Event& decoded) {
        return decoder.decode_any(data, &decoded, type, json::Reading::tolerant, error);
      },
      [](const responses::Event& decoded) { return decoded.text().size(); });
}
void decode_events_inferwire(benchmark::State& state) { decode_events(state, json::Series::none); }
BENCHMARK(decode_events_inferwire)->Unit(benchmark::kMicrosecond);

/// Decodes as a client's stream does, which expects each document to be like the one before.
void decode_events_alike(benchmark::State& state) { decode_events(state, json::Series::alike); }
BENCHMARK(decode_events_alike)->Unit(benchmark::kMicrosecond);

void decode_events_hand_written(benchmark::State& state) {
  inferwire_bench::HandWrittenEvents decoder;
  inferwire_bench::SomeEvent event;
  inferwire_bench::run_stream(
      state, inferwire_bench::responses_stream(), event,
      [&](std::string_view data, inferwire_bench::SomeEvent& decoded) {
        return decoder.decode(data, data.size() + protocol::ReceiveBuffer::padding, decoded);
      },
      [](const inferwire_bench::SomeEvent& decoded) {
        return decoded.is_delta ? decoded.delta.delta.size() : 0;
      });
}
BENCHMARK(decode_events_hand_written)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
