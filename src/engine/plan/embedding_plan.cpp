#include "engine/plan/embedding_plan.hpp"

#include "engine/endpoints.hpp"
#include "engine/plan/rule_check.hpp"
#include "engine/plan/sampling_plan.hpp"
#include "engine/plan/token_texts.hpp"
#include "wire/documents.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

std::string characters_of(const Text& text, const EmbeddingModel& model) {
  if (const auto* characters = std::get_if<std::string_view>(&text)) return std::string(*characters);
  return model.text_of(std::get<std::vector<Token>>(text));
}

std::int64_t tokens_of(const Text& text, const EmbeddingModel& model) {
  if (const auto* characters = std::get_if<std::string_view>(&text)) return model.count_tokens(*characters);
  return static_cast<std::int64_t>(std::get<std::vector<Token>>(text).size());
}

/// Refuses LMI's schema for text generation, whose prompt is in the member that holds the texts to embed.
std::optional<Refusal> check_schema(const Document& document, const Dialect& dialect) {
  if (!dialect.embeddings.bare_rows || member(document, "parameters") == nullptr) return std::nullopt;
  return refuse::unsupported("parameters",
                             "is of LMI's schema for text generation, which is not served: send 'messages'");
}

/// Reads the request, whatever its provider calls the texts.
Result<embeddings::Request> decode(const Document& document, std::string_view body, const Dialect& dialect) {
  constexpr auto strict = json::Reading::strict;
  constexpr const char* ours = "input";
  if (dialect.embeddings.input == ours) return json::decode<embeddings::Request>(body, strict);
  auto respelt = document;
  respelt[ours] = respelt[std::string(dialect.embeddings.input)];
  return json::decode<embeddings::Request>(print_sorted(respelt), strict);
}

}  // namespace

OrRefusal<EmbeddingPlan> plan_embedding(const Question& question) {
  const auto& [document, body, endpoint, dialect, seed] = question;
  if (auto bad = check_rules(body, protocol::embedding_rules(), question.speaker())) {
    return *std::move(bad);
  }
  if (auto bad = check_schema(document, dialect)) return *std::move(bad);
  const auto decoded = decode(document, body, dialect);
  if (!decoded) return refuse::invalid_value(decoded.error().path, decoded.error().detail);
  const auto& request = *decoded;

  EmbeddingPlan plan{.served_model = served_name(endpoint),
                     .model = endpoint.embedding_model ? endpoint.embedding_model : toy_embedding_model(),
                     .instruction = request.instruction.value_or(""),
                     .bare_rows = dialect.embeddings.bare_rows,
                     .lone = std::holds_alternative<std::string>(request.input),
                     .base64 = !dialect.embeddings.bare_rows &&
                               request.encoding_format == embeddings::EncodingFormat::base64};
  const auto most = plan.model->dimensions();
  // Providers that answer with bare rows have no members besides the texts.
  const auto asked = dialect.embeddings.bare_rows ? most : request.dimensions.value_or(most);
  if (asked < 1 || asked > most) {
    return refuse::invalid_value(
        "dimensions", "this model has " + std::to_string(most) + ", but got " + std::to_string(asked));
  }
  plan.dimensions = static_cast<std::size_t>(asked);

  auto texts = texts_of(request.input, dialect.embeddings.input, plan.model->vocabulary_size());
  if (!texts) return std::move(texts).refusal();
  const auto window = window_of(endpoint, *plan.model);
  const auto instruction = plan.model->count_tokens(plan.instruction);
  for (const auto& text : *texts) {
    const auto tokens = tokens_of(text, *plan.model) + instruction;
    if (tokens > window)
      return refuse::context_length(std::string(dialect.embeddings.input), window, tokens, 0);
    plan.tokens += tokens;
    plan.texts.push_back(characters_of(text, *plan.model));
  }
  return plan;
}

}  // namespace inferwire::inline v0_1::engine
