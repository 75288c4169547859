#include "protocol/rules.hpp"

#include <set>

#include "support/catch.hpp"

using namespace inferwire::protocol;

namespace {

/// Walks all tables below `rules`.
template <class F>
void for_all(std::span<const Rule> rules, F&& look) {
  look(rules);
  for (const auto& rule : rules) for_all(rule.members, look);
}

}  // namespace

TEST_CASE("no speaker has two rules for one member") {
  for (const auto speaker : {Speaker::databricks_preview, Speaker::databricks, Speaker::openai}) {
    for_all(chat_rules(), [&](std::span<const Rule> rules) {
      std::set<std::string_view> names;
      for (const auto& rule : rules) {
        if (!contains(rule.speakers, speaker)) continue;
        INFO(rule.name);
        CHECK(names.insert(rule.name).second);
      }
    });
  }
}

TEST_CASE("a rule's limits belong to its shape") {
  for_all(chat_rules(), [](std::span<const Rule> rules) {
    for (const auto& rule : rules) {
      INFO(rule.name);
      const bool numeric = rule.shape == Shape::integer || rule.shape == Shape::number;
      CHECK((numeric || !rule.range.bounded()));
      CHECK((rule.shape == Shape::string || rule.words.empty()));
    }
  });
}

TEST_CASE("rules are found by member and speaker") {
  CHECK(find_rule(chat_rules(), Speaker::openai, "seed") != nullptr);
  CHECK(find_rule(chat_rules(), Speaker::databricks, "seed") == nullptr);
  CHECK(find_rule(chat_rules(), Speaker::databricks, "n")->range.to > 1000);
  CHECK(find_rule(chat_rules(), Speaker::openai, "n")->range.to == 128);
  CHECK(find_rule(chat_rules(), Speaker::databricks_preview, "n") == nullptr);
}

TEST_CASE("a range knows its ends") {
  constexpr Range top_p{.from = 0, .to = 1, .above = true};
  CHECK_FALSE(top_p.contains(0));
  CHECK(top_p.contains(1e-9));
  CHECK(top_p.contains(1));
  CHECK_FALSE(top_p.contains(1.0001));
  CHECK_FALSE(Range().bounded());
}
