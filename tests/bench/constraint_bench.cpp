// Measures what a token costs under a schema, next to one of free text.
#include "engine/constraint/schema.hpp"
#include "engine/model/generator.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

namespace {

using namespace inferwire::engine;

const char* const order = R"({"type": "object", "required": ["name", "note", "state", "items", "total"],
    "properties": {"name": {"type": "string"}, "note": {"type": "string", "minLength": 20},
                   "state": {"enum": ["open", "paid", "sent"]},
                   "items": {"type": "array", "minItems": 2, "items": {"type": "object",
                             "properties": {"article": {"type": "string"}, "count": {"type": "integer", "minimum": 1}},
                             "required": ["article", "count"]}},
                   "total": {"type": "number", "minimum": 0}, "paid_at": {"type": "string", "format": "date"}}})";

const char* const alternatives = R"({"type": "array", "minItems": 3, "items": {"anyOf": [
    {"type": "object", "properties": {"kind": {"const": "a"}, "text": {"type": "string"}}, "required": ["kind", "text"]},
    {"type": "object", "properties": {"kind": {"const": "b"}, "text": {"type": ["string", "null"]}}, "required": ["kind", "text"]},
    {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$"}]}})";

std::shared_ptr<const Grammar> grammar_of(const char* schema) {
  return std::get<0>(compile_schema(Schema::parse(schema), Strictness::lenient, vocabulary_of(toy_model())));
}

void generate(benchmark::State& state, const std::shared_ptr<const Grammar>& grammar) {
  const auto model = toy_model();
  const auto prompt = model->tokenize("<|user|>Write down the order.<|assistant|>", true);
  std::uint64_t seed = 0;
  std::int64_t tokens = 0;
  for (auto _ : state) {
    Generator generator(
        model, prompt,
        {.sampling = {.temperature = 0.7F, .seed = seed++}, .max_tokens = 200, .grammar = grammar});
    while (!generator.finish_reason()) benchmark::DoNotOptimize(generator.next());
    tokens += generator.completion_tokens();
  }
  state.counters["tokens"] =
      benchmark::Counter(static_cast<double>(tokens), benchmark::Counter::kAvgIterations);
}

void free_text(benchmark::State& state) { generate(state, nullptr); }
BENCHMARK(free_text)->Unit(benchmark::kMicrosecond);

void under_schema(benchmark::State& state) { generate(state, grammar_of(order)); }
BENCHMARK(under_schema)->Unit(benchmark::kMicrosecond);

void under_alternatives(benchmark::State& state) { generate(state, grammar_of(alternatives)); }
BENCHMARK(under_alternatives)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
