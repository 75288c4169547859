// The engine on llama.cpp, with a model of random weights.
#include "inferwire/llama/llama.hpp"

#include "inferwire/engine/engine.hpp"
#include "random_gguf.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "support/temporary_file.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;
using engine::ChatTurn;
using engine::Token;

namespace {

llama::LlamaOptions options(const std::string& path) {
  const char* const backends = std::getenv("INFERWIRE_GGML_BACKENDS");
  return {.path = path, .backends = backends != nullptr ? backends : ""};
}

llama::LlamaOptions options() {
  static const TemporaryFile file(RandomGguf().bytes());
  return options(file.path());
}

std::vector<float> vector_of(const engine::EmbeddingModel& embedder, std::string_view text,
                             std::string_view instruction = "") {
  std::vector<float> out(RandomGguf::width);
  embedder.embed(text, instruction, out);
  return out;
}

const std::shared_ptr<const engine::LanguageModel>& model() {
  static const auto loaded = llama::load_language_model(options()).value();
  return loaded;
}

std::vector<float> log_probs(const engine::LanguageModel::State& state) {
  std::vector<float> out(static_cast<std::size_t>(model()->vocabulary_size()));
  model()->log_probs(state, out);
  return out;
}

}  // namespace

TEST_CASE("load_language_model refuses what is no GGUF file", "[llama]") {
  const auto absent = llama::load_language_model(options("/no/such/file.gguf"));
  CHECK(absent.error().kind == ErrorKind::config);
  CHECK_THAT(absent.error().detail, contains("is no file"));
  const auto unreadable = llama::load_language_model(options(INFERWIRE_FIXTURES "/NOTICE.md"));
  CHECK(unreadable.error().kind == ErrorKind::config);
  CHECK_THAT(unreadable.error().detail, contains("magic"));
  CHECK(llama::load_embedding_model(options("")).error().kind == ErrorKind::config);
}

TEST_CASE("the model has its file's name, window, tokens and template", "[llama]") {
  CHECK(model()->id() == "inferwire-random");
  CHECK(model()->context_window() == static_cast<int>(RandomGguf::context_window));
  CHECK(model()->vocabulary_size() == 264);
  std::string back;
  for (const Token token : model()->tokenize("the thing: caf\xC3\xA9 \xF0\x9F\xA6\x99", false)) {
    back += model()->token_bytes(token);
  }
  CHECK(back == "the thing: caf\xC3\xA9 \xF0\x9F\xA6\x99");
  CHECK(model()->token_bytes(-1).empty());

  const std::vector<ChatTurn> turns{{"system", "Be brief."}, {"user", "Hi"}};
  CHECK(model()->render(turns) ==
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
  const auto end = model()->tokenize("<|im_end|>", true).back();
  CHECK(model()->is_end(end));
  CHECK(model()->token_bytes(end).empty());
  CHECK_FALSE(model()->is_end('a'));
}

TEST_CASE("next-token probabilities sum to 1, and a cloned state goes on by itself", "[llama]") {
  const auto state = model()->start(model()->tokenize("the thing", true));
  const auto clone = state->clone();
  const auto before = log_probs(*state);
  double sum = 0;
  for (const float logprob : before) sum += std::exp(static_cast<double>(logprob));
  CHECK(sum == Approx(1).margin(1e-4));
  CHECK(log_probs(*clone) == before);
  model()->advance(*clone, 'a');
  CHECK(log_probs(*clone) != before);
  CHECK(log_probs(*state) == before);
  model()->advance(*state, 'a');
  const auto one = log_probs(*state), other = log_probs(*clone);
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i] == Approx(other[i]).margin(1e-3));
  CHECK(log_probs(*model()->start({})).size() == before.size());
}

TEST_CASE("embedding vectors have length 1 and are reproducible", "[llama]") {
  const auto embedder = llama::load_embedding_model(options()).value();
  REQUIRE(embedder->dimensions() == static_cast<int>(RandomGguf::width));
  for (const char* const text : {"", "sunny day"}) {
    double square = 0;
    for (const float x : vector_of(*embedder, text))
      square += static_cast<double>(x) * static_cast<double>(x);
    CHECK(square == Approx(1).margin(1e-4));
  }
  const auto sunny = vector_of(*embedder, "sunny day");
  CHECK(vector_of(*embedder, "sunny day") == sunny);
  CHECK(vector_of(*embedder, "quarterly report") != sunny);
  CHECK(vector_of(*embedder, "sunny day", "Represent: ") != sunny);
}

TEST_CASE("vectors are pooled as the file specifies, by default to their mean", "[llama]") {
  enum : std::uint32_t { none, mean, first, last, rank };  // llama.cpp's numbers
  const auto embed = [](std::optional<std::uint32_t> pooling, std::string_view text) {
    const TemporaryFile file(RandomGguf(pooling).bytes());
    return vector_of(*llama::load_embedding_model(options(file.path())).value(), text);
  };
  const auto usual = embed({}, "sunny day");
  CHECK(embed(mean, "sunny day") == usual);
  CHECK(embed(none, "sunny day") == usual);
  CHECK(embed(rank, "sunny day") == usual);
  CHECK(embed(last, "sunny day") != usual);
  // Each token sees only those before it, and every text begins with the same one.
  const auto begin = embed(first, "sunny day");
  CHECK(begin != usual);
  CHECK(embed(first, "quarterly report") == begin);
}

TEST_CASE("the engine serves a llama model", "[llama]") {
  engine::EngineOptions serving;
  serving.endpoints.push_back({.name = "random", .served_model = "random", .model = model()});
  engine::Engine one(serving);
  const std::string question = R"({"model":"random","messages":[{"role":"user","content":"Hi"}],"seed":3,)";

  const auto answer =
      ask(one, "/v1/chat/completions", question + R"("max_tokens":12,"n":2,"logprobs":true})");
  INFO(answer.body);
  REQUIRE(answer.head.status == 200);
  const auto document = nlohmann::json::parse(answer.body);
  CHECK(document["choices"].size() == 2);
  CHECK(document["usage"]["prompt_tokens"] > 5);
  const auto again = ask(one, "/v1/chat/completions", question + R"("max_tokens":12,"n":2,"logprobs":true})");
  CHECK(nlohmann::json::parse(again.body)["choices"] == document["choices"]);

  const auto constrained = ask(one, "/v1/chat/completions", question + R"("max_tokens":80,"response_format":{
      "type":"json_schema","json_schema":{"name":"city","strict":true,"schema":{"type":"object",
      "properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city","days"],
      "additionalProperties":false}}}})");
  INFO(constrained.body);
  const auto city = nlohmann::json::parse(constrained.body)["choices"][0]["message"]["content"];
  CHECK(nlohmann::json::parse(city.get<std::string>())["days"].is_number_integer());
}
