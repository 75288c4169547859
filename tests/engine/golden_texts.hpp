/// \file
/// Hashes of texts and vectors that are the same bytes on every machine. A change of the corpus or of the
/// models changes these numbers; compiler, options and machine must never change them.
#pragma once

#include "engine/constraint/schema.hpp"
#include "engine/model/generator.hpp"
#include "inferwire/engine/embedding_model.hpp"
#include "inferwire/engine/language_model.hpp"

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace inferwire_test {

/// The FNV-1a hash of 64 bits.
class Hash {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325U;
};

/// The hash of twenty texts, each with a seed of its own.
inline std::uint64_t hash_of_texts(inferwire::engine::GenerationOptions options) {
  using namespace inferwire::engine;
  const ChatTurn turn{"user", "Tell me about the weather in the mountains."};
  const auto model = toy_model();
  const auto prompt = model->tokenize(model->render({&turn, 1}), true);
  options.max_tokens = 200;
  Hash hash;
  for (options.sampling.seed = 0; options.sampling.seed < 20; ++options.sampling.seed) {
    Generator generator{model, prompt, options};
    while (const auto piece = generator.next()) hash.add(piece->text);
  }
  return hash.value();
}

inline std::uint64_t hash_of_texts_under_a_schema() {
  using namespace inferwire::engine;
  const auto schema =
      Schema::parse(R"({"type": "object", "required": ["name", "state", "days"], "properties": {
      "name": {"type": "string"}, "state": {"enum": ["open", "sent"]}, "days": {"type": "number", "minimum": 0},
      "items": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$"}}}})");
  const auto compiled = compile_schema(schema, Strictness::strict, vocabulary_of(toy_model()));
  return hash_of_texts({.sampling = {.temperature = 0.7F}, .grammar = std::get<0>(compiled)});
}

inline std::uint64_t hash_of_vectors() {
  const auto model = inferwire::engine::toy_embedding_model();
  std::vector<float> vector(static_cast<std::size_t>(model->dimensions()));
  Hash hash;
  for (const std::string_view text :
       {"", "the quick brown fox", "Llamas hum.", "caf\xC3\xA9 \xF0\x9F\xA6\x99"}) {
    model->embed(text, "Represent this sentence:", vector);
    for (const float element : vector) hash.add(std::to_string(std::bit_cast<std::uint32_t>(element)));
  }
  return hash.value();
}

struct Golden {
  const char* what;
  std::uint64_t is;
  std::uint64_t should_be;
};

inline std::vector<Golden> golden_texts() {
  return {
      {"texts at temperature 1", hash_of_texts({}), 0x9946DAE72D378BEBU},
      {"texts at temperature 0.7", hash_of_texts({.sampling = {.temperature = 0.7F}}), 0xB2DFEB724446721FU},
      {"texts of the likeliest tokens, penalised",
       hash_of_texts(
           {.sampling = {.temperature = 0.7F, .top_p = 0.95F, .top_k = 40, .frequency_penalty = 0.5F}}),
       0x6FAE3FA1FC1F2B0EU},
      {"texts under a schema", hash_of_texts_under_a_schema(), 0xE430AEFE462AABA9U},
      {"vectors", hash_of_vectors(), 0xE586108F86E22BBDU},
  };
}

}  // namespace inferwire_test
