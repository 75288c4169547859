// Checks texts of random schemas with a validator that shares no code with their writer.
#include "constrained_text.hpp"
#include "random_schema.hpp"
#include "schema_validator.hpp"
#include "support/catch.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

using namespace inferwire::engine;
using namespace inferwire_test;

namespace {

/// The number of schemas to try: INFERWIRE_SCHEMAS, by default 2,000.
int schemas_to_try() {
  const char* wanted = std::getenv("INFERWIRE_SCHEMAS");
  return wanted != nullptr ? std::atoi(wanted) : 2'000;
}

/// Opens the file that INFERWIRE_SCHEMA_LOG names, if it names one. Each line gets a schema and a text that
/// was written for it, for other validators to check.
std::ofstream open_log() {
  const char* path = std::getenv("INFERWIRE_SCHEMA_LOG");
  return path != nullptr ? std::ofstream(path) : std::ofstream();
}

}  // namespace

TEST_CASE("every text of a random schema is an instance, within every budget it fits into", "[schema]") {
  RandomSchema schemas(20'261);
  int compiled = 0;
  auto log = open_log();
  for (int i = 0; i < schemas_to_try(); ++i) {
    const auto schema = schemas.next();
    INFO(schema.dump());
    const auto result = compile(schema, Strictness::strict);
    const auto* grammar = std::get_if<0>(&result);
    if (grammar == nullptr) continue;
    ++compiled;
    const SchemaValidator validator(nlohmann::json::parse(schema.dump()));
    const auto least = static_cast<int>((*grammar)->cost());
    for (const int budget : {least, least + 1 + i % 7, least + 200}) {
      const auto [text, tokens, ended] = random_text(*grammar, budget, static_cast<std::uint64_t>(i));
      INFO(text);
      if (log.is_open()) log << '[' << schema.dump() << ',' << text << "]\n";
      CHECK(ended);
      CHECK(tokens <= budget);
      const auto instance = nlohmann::json::parse(text, nullptr, false);
      REQUIRE_FALSE(instance.is_discarded());
      CHECK(validator.fault(instance) == "");
    }
  }
  CHECK(compiled > schemas_to_try() / 2);
}

TEST_CASE("a lenient schema with unknown keywords still gives a document", "[schema]") {
  RandomSchema schemas(7);
  for (int i = 0; i < 500; ++i) {
    auto schema = schemas.next();
    if (!schema.is_object()) continue;
    schema["not"] = {{"const", 7}};
    schema["invented"] = "value";
    const auto result = compile(schema, Strictness::lenient);
    if (const auto* grammar = std::get_if<0>(&result)) {
      CHECK(nlohmann::json::accept(random_text(*grammar, 500, 1).text));
    }
  }
}

TEST_CASE("a budget that is too small gives the beginning of an instance", "[schema]") {
  const auto schema = Schema::parse(R"({"type": "object", "required": ["city", "days"],
      "properties": {"city": {"type": "string", "minLength": 20}, "days": {"type": "integer"}}})");
  const auto grammar = std::get<0>(compile(schema, Strictness::strict));
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const int budget = static_cast<int>(grammar->cost()) / 2;
    const auto [text, tokens, ended] = random_text(grammar, budget, seed);
    CHECK_FALSE(ended);
    CHECK(tokens == budget);
    CHECK(text.starts_with(R"({"city":")"));
    CHECK(random_text(grammar, static_cast<int>(grammar->cost()), seed).ended);
  }
}
