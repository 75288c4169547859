// Measures SSE and typed decode of a stream of 10,000 completion chunks: the library, and a decoder written
// by hand with On-Demand, in one run.
#include "hand_written_decode.hpp"
#include "inferwire/completions.hpp"
#include "json/codec.hpp"
#include "stream_bench.hpp"
#include "wire/documents.hpp"

#include <string>
#include <string_view>

namespace {

using namespace inferwire;

constexpr int chunks = 10000;

const std::string& stream() {
  static const std::string text = [] {
    constexpr std::string_view words[] = {" the",   " tide",   " of",      " basalt",
                                          " forms", ",",       " when",    " lava",
                                          " cools", "\\n",     " quickly", " gr\xC3\xBC\xC3\x9F",
                                          " and",   " slowly."};
    std::string out;
    for (int i = 0; i < chunks; ++i) {
      out += R"(data: {"id":"cmpl-2c653de2-afd4-4075-bc8d-8200562a191b","object":"text_completion",)"
             R"("created":1758326497,"model":"mpt-7b-8k-instruct","choices":[{"index":0,"text":")";
      out += words[static_cast<std::size_t>(i) % std::size(words)];
      out += R"(","logprobs":null,"finish_reason":)";
      out += i + 1 == chunks ? "\"stop\"" : "null";
      out += "}],\"usage\":null}\n\n";
    }
    return out + "data: [DONE]\n\n";
  }();
  return text;
}

template <class Decode>
void run(benchmark::State& state, Decode decode) {
  completions::Chunk chunk;
  inferwire_bench::run_stream(state, stream(), chunk, decode, [](const completions::Chunk& decoded) {
    return decoded.choices[0].text.size();
  });
}

void decode_completions_inferwire(benchmark::State& state) {
  json::Decoder decoder;
  Error error;
  run(state, [&](std::string_view data, completions::Chunk& chunk) {
    return decoder.decode(data, chunk, json::Reading::tolerant, error);
  });
}
BENCHMARK(decode_completions_inferwire)->Unit(benchmark::kMicrosecond);

void decode_completions_hand_written(benchmark::State& state) {
  inferwire_bench::HandWrittenCompletions decoder;
  run(state, [&](std::string_view data, completions::Chunk& chunk) {
    return decoder.decode(data, data.size() + protocol::ReceiveBuffer::padding, chunk);
  });
}
BENCHMARK(decode_completions_hand_written)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
