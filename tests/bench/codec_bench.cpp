// Measures SSE and typed decode of a chat stream of 10,000 chunks (267 bytes each), and encode of a request
// of 200 messages (205 KB): the library, a decoder written by hand with On-Demand, and nlohmann::json, in one
// run.
//
// Counters: `allocations` per event; `bytes` of content, a checksum that has to be equal for all decoders.
#include "chat_stream_body.hpp"
#include "hand_written_decode.hpp"
#include "inferwire/chat.hpp"
#include "json/codec.hpp"
#include "long_request.hpp"
#include "nlohmann_decode.hpp"
#include "stream_bench.hpp"
#include "wire/documents.hpp"

#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

namespace {

using namespace inferwire;

/// Runs the stream with `decode(data, chunk)` for every chunk.
template <class Decode>
void run_stream(benchmark::State& state, Decode decode) {
  chat::Chunk chunk;
  inferwire_bench::run_stream(state, inferwire_bench::chat_stream(), chunk, decode,
                              [](const chat::Chunk& decoded) {
                                const auto& content = decoded.choices[0].delta.content;
                                return content ? std::get_if<std::string>(&*content)->size() : 0;
                              });
}

void decode_stream(benchmark::State& state, json::Series series) {
  json::Decoder decoder(series);
  Error error;
  run_stream(state, [&](std::string_view data, chat::Chunk& chunk) {
    return decoder.decode(data, chunk, json::Reading::tolerant, error);
  });
}

void decode_inferwire(benchmark::State& state) { decode_stream(state, json::Series::none); }
BENCHMARK(decode_inferwire)->Unit(benchmark::kMicrosecond);

/// Decodes as a client's stream does, which expects each document to be like the one before.
void decode_alike(benchmark::State& state) { decode_stream(state, json::Series::alike); }
BENCHMARK(decode_alike)->Unit(benchmark::kMicrosecond);

void decode_hand_written(benchmark::State& state) {
  inferwire_bench::HandWritten decoder;
  run_stream(state, [&](std::string_view data, chat::Chunk& chunk) {
    return decoder.decode(data, data.size() + protocol::ReceiveBuffer::padding, chunk);
  });
}
BENCHMARK(decode_hand_written)->Unit(benchmark::kMicrosecond);

void decode_nlohmann(benchmark::State& state) {
  run_stream(state, [](std::string_view data, chat::Chunk& chunk) {
    return inferwire_bench::nlohmann_decode(data, chunk);
  });
}
BENCHMARK(decode_nlohmann)->Unit(benchmark::kMicrosecond);

void split_only(benchmark::State& state) {
  chat::Chunk ready;
  ready.choices.emplace_back();
  run_stream(state, [&](std::string_view, chat::Chunk& chunk) {
    if (chunk.choices.empty()) chunk = ready;
    return true;
  });
}
BENCHMARK(split_only)->Unit(benchmark::kMicrosecond);

void encode_inferwire(benchmark::State& state) {
  std::size_t size = 0;
  for (auto _ : state) {
    auto encoded = json::encode(inferwire_bench::long_request());
    size = encoded ? encoded->size() : 0;
    benchmark::DoNotOptimize(encoded);
  }
  state.counters["bytes"] = static_cast<double>(size);
}
BENCHMARK(encode_inferwire)->Unit(benchmark::kMicrosecond);

void encode_nlohmann(benchmark::State& state) {
  std::size_t size = 0;
  for (auto _ : state) {
    auto encoded = inferwire_bench::nlohmann_encode(inferwire_bench::long_request());
    size = encoded.size();
    benchmark::DoNotOptimize(encoded);
  }
  state.counters["bytes"] = static_cast<double>(size);
}
BENCHMARK(encode_nlohmann)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
