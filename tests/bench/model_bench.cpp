// Measures the bundled models against plain ones of the same kind, on the same text: learning, generating a
// token, embedding; and what a whole chat costs beside its tokens.
#include "engine/model/corpus.hpp"
#include "engine/model/generator.hpp"
#include "engine/model/toy_model.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/engine/embedding_model.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/engine_transport.hpp"
#include "reference/bpe.hpp"
#include "reference/embedding.hpp"
#include "reference/kneser_ney.hpp"
#include "reference/sampler.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace reference = inferwire_bench::reference;
using namespace inferwire::engine;

constexpr int vocabulary_size = 1024;
constexpr int tokens_of_a_text = 200;

std::string all_text() {
  std::string text;
  for (const auto file : corpus()) text += file;
  return text;
}

struct ReferenceModel {
  explicit ReferenceModel(const std::string& text)
      : bpe(text, vocabulary_size), ngrams(bpe.encode(text), bpe.size()) {}

  reference::Bpe bpe;
  reference::KneserNey ngrams;
};

// --- Learning ---

void learn_inferwire(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(learn_toy_model());
}
BENCHMARK(learn_inferwire)->Unit(benchmark::kMicrosecond);

void learn_reference(benchmark::State& state) {
  const auto text = all_text();
  for (auto _ : state) benchmark::DoNotOptimize(ReferenceModel(text));
}
BENCHMARK(learn_reference)->Unit(benchmark::kMicrosecond);

// --- Tokens ---

/// Generates texts of the same length each time: the end token is forbidden.
void generate(benchmark::State& state, SamplingOptions sampling, int tokens = tokens_of_a_text) {
  const auto model = toy_model();
  const auto prompt = model->tokenize("<|user|>The server<|assistant|>", true);
  const auto end = model->tokenize("<|end|>", true).front();
  sampling.logit_bias = {{end, -100.0F}};
  for (auto _ : state) {
    ++sampling.seed;
    Generator generator(model, prompt, {.sampling = sampling, .max_tokens = tokens});
    while (!generator.finish_reason()) benchmark::DoNotOptimize(generator.next());
  }
}

/// Generates texts of the same length with the plain model. `choose` is the plain sampler's way to choose a
/// token.
void generate_plainly(benchmark::State& state, int (reference::Sampler::*choose)(std::span<const float>)) {
  const ReferenceModel model(all_text());
  std::vector<float> probabilities(static_cast<std::size_t>(model.bpe.size()));
  reference::Sampler sampler(probabilities.size());
  for (auto _ : state) {
    auto history = model.bpe.encode("The server");
    for (int i = 0; i < tokens_of_a_text; ++i) {
      model.ngrams.probabilities(history, probabilities);
      history.push_back((sampler.*choose)(probabilities));
    }
    benchmark::DoNotOptimize(history);
  }
}

void tokens_inferwire(benchmark::State& state) { generate(state, {.temperature = 0.7F}); }
BENCHMARK(tokens_inferwire)->Unit(benchmark::kMicrosecond);

void tokens_reference(benchmark::State& state) { generate_plainly(state, &reference::Sampler::from_all); }
BENCHMARK(tokens_reference)->Unit(benchmark::kMicrosecond);

void likeliest_inferwire(benchmark::State& state) {
  generate(state, {.temperature = 0.7F, .top_p = 0.95F, .top_k = 40});
}
BENCHMARK(likeliest_inferwire)->Unit(benchmark::kMicrosecond);

void likeliest_reference(benchmark::State& state) {
  generate_plainly(state, &reference::Sampler::from_likeliest);
}
BENCHMARK(likeliest_reference)->Unit(benchmark::kMicrosecond);

// --- A chat of 32 tokens, and the tokens alone ---

constexpr int tokens_of_a_chat = 32;

void chat_tokens(benchmark::State& state) { generate(state, {}, tokens_of_a_chat); }
BENCHMARK(chat_tokens)->Unit(benchmark::kMicrosecond);

void chat_in_process(benchmark::State& state) {
  const inferwire::Client client(
      {.provider = inferwire::Provider::openai(),
       .base_url = "http://localhost/v1",
       .transport = std::make_shared<EngineTransport>(std::make_shared<Engine>())});
  inferwire::chat::Request request{.model = "inferwire-toy",
                                   .messages = {inferwire::chat::user("The server")}};
  request.max_tokens = tokens_of_a_chat;
  request.ignore_eos = true;
  request.seed = 0;
  for (auto _ : state) {
    ++*request.seed;
    const auto reply = client.chat.create(request);
    if (!reply) return state.SkipWithError(reply.error().message().c_str());
    if (reply->usage->completion_tokens != tokens_of_a_chat) return state.SkipWithError("the chat is short");
  }
}
BENCHMARK(chat_in_process)->Unit(benchmark::kMicrosecond);

// --- Embeddings ---

const std::string text_to_embed = "the quick brown fox jumps over the lazy dog near the river bank today";

void embed_inferwire(benchmark::State& state) {
  const auto model = toy_embedding_model();
  std::vector<float> out(static_cast<std::size_t>(model->dimensions()));
  for (auto _ : state) {
    model->embed(text_to_embed, "", out);
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(embed_inferwire)->Unit(benchmark::kMicrosecond);

void embed_reference(benchmark::State& state) {
  const reference::Embedding embed(all_text());
  for (auto _ : state) benchmark::DoNotOptimize(embed(text_to_embed));
}
BENCHMARK(embed_reference)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
