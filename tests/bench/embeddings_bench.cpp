// Measures decode of an embedding answer of 256 x 1,024 floats: the library from text and from base64,
// On-Demand alone (the rows reserved, nothing checked), and nlohmann::json, in one run.
//
// Counters: `floats` and their `sum`, a checksum that has to be equal for all.
#include "embeddings_body.hpp"
#include "inferwire/embeddings.hpp"
#include "wire/embeddings.hpp"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace inferwire;

/// A document followed by padding, as in a receive buffer.
struct Padded {
  explicit Padded(std::string document) : size(document.size()), bytes(std::move(document)) {
    bytes.append(json::padding, '\0');
  }
  std::string_view text() const { return {bytes.data(), size}; }

  std::size_t size;
  std::string bytes;
};

const Padded& text() {
  static const Padded document(inferwire_bench::text_body());
  return document;
}
const Padded& base64() {
  static const Padded document(inferwire_bench::base64_body());
  return document;
}

template <class Rows>
void tell(benchmark::State& state, const Rows& rows) {
  std::size_t floats = 0;
  double sum = 0;
  for (const auto& row : rows) {
    floats += row.size();
    for (const float number : row) sum += static_cast<double>(number);
  }
  state.counters["floats"] = static_cast<double>(floats);
  state.counters["sum"] = sum;
}

void run_inferwire(benchmark::State& state, const Padded& document) {
  json::Decoder decoder;
  std::vector<std::vector<float>> rows;
  for (auto _ : state) {
    embeddings::Response response;  // a caller gets a new one with every call
    Error error;
    if (!wire::decode_embeddings(decoder, document.text(), response, error)) {
      state.SkipWithError("not decoded");
      return;
    }
    state.PauseTiming();
    rows.clear();
    for (auto& item : response.data) rows.push_back(std::move(item.embedding));
    state.ResumeTiming();
  }
  tell(state, rows);
}

void rows_inferwire_text(benchmark::State& state) { run_inferwire(state, text()); }
BENCHMARK(rows_inferwire_text)->Unit(benchmark::kMicrosecond);
void rows_inferwire_base64(benchmark::State& state) { run_inferwire(state, base64()); }
BENCHMARK(rows_inferwire_base64)->Unit(benchmark::kMicrosecond);

void rows_ondemand(benchmark::State& state) {
  namespace ondemand = simdjson::ondemand;
  ondemand::parser parser;
  std::vector<std::vector<float>> kept;
  for (auto _ : state) {
    std::vector<std::vector<float>> rows;
    rows.reserve(inferwire_bench::rows);
    ondemand::document document;
    const simdjson::padded_string_view padded(text().bytes.data(), text().size, text().bytes.size());
    if (parser.iterate(padded).get(document) != simdjson::SUCCESS) state.SkipWithError("not JSON");
    for (auto item : document["data"].get_array()) {
      auto& row = rows.emplace_back();
      row.reserve(inferwire_bench::columns);
      for (auto number : item["embedding"].get_array()) {
        double value = 0;
        if (number.get_double().get(value) != simdjson::SUCCESS) state.SkipWithError("not a number");
        row.push_back(static_cast<float>(value));
      }
    }
    state.PauseTiming();
    kept = std::move(rows);
    state.ResumeTiming();
  }
  tell(state, kept);
}
BENCHMARK(rows_ondemand)->Unit(benchmark::kMicrosecond);

void rows_nlohmann(benchmark::State& state) {
  std::vector<std::vector<float>> kept;
  for (auto _ : state) {
    std::vector<std::vector<float>> rows;
    rows.reserve(inferwire_bench::rows);
    {
      const auto document = nlohmann::json::parse(text().text());
      for (const auto& item : document["data"]) rows.push_back(item["embedding"].get<std::vector<float>>());
    }
    state.PauseTiming();
    kept = std::move(rows);
    state.ResumeTiming();
  }
  tell(state, kept);
}
BENCHMARK(rows_nlohmann)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
