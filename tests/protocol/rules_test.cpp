#include "protocol/rules/rules.hpp"

#include "support/catch.hpp"

#include <limits>
#include <set>

using namespace inferwire::protocol;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Calls `look` for `rules` and for each table below them.
template <class F>
void for_all(std::span<const Rule> rules, F&& look) {
  look(rules);
  for (const auto& rule : rules) for_all(rule.members, look);
}

}  // namespace

TEST_CASE("chat_rules has at most one rule per speaker and member") {
  for (const auto speaker :
       {Speaker::databricks_preview, Speaker::databricks, Speaker::openai, Speaker::ai21, Speaker::lmi}) {
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

TEST_CASE("chat_rules have ranges for numbers and words for strings only") {
  for_all(chat_rules(), [](std::span<const Rule> rules) {
    for (const auto& rule : rules) {
      INFO(rule.name);
      const bool numeric = rule.form == ValueForm::integer || rule.form == ValueForm::number;
      const bool is_bounded = !rule.range.contains(-infinity) || !rule.range.contains(infinity);
      CHECK((numeric || !is_bounded));
      CHECK((rule.form == ValueForm::string || rule.words.empty()));
    }
  });
}

TEST_CASE("find_rule finds a rule by member and speaker") {
  CHECK(find_rule(chat_rules(), Speaker::openai, "seed") != nullptr);
  CHECK(find_rule(chat_rules(), Speaker::databricks, "seed") == nullptr);
  CHECK(find_rule(chat_rules(), Speaker::databricks, "n")->range.to > 1000);
  CHECK(find_rule(chat_rules(), Speaker::openai, "n")->range.to == 128);
  CHECK(find_rule(chat_rules(), Speaker::databricks_preview, "n") == nullptr);
}

TEST_CASE("a safety_identifier has up to 128 characters at OpenAI") {
  for (const auto rules : {chat_rules(), responses_rules()}) {
    CHECK(find_rule(rules, Speaker::openai, "safety_identifier")->text_length.most == 128);
  }
}

TEST_CASE("find_rule has the ranges of AI21 and LMI") {
  const auto chat = [](Speaker speaker, std::string_view name) {
    return find_rule(chat_rules(), speaker, name);
  };
  CHECK(chat(Speaker::ai21, "max_tokens")->range.contains(0));
  CHECK_FALSE(chat(Speaker::ai21, "max_tokens")->range.contains(4097));
  CHECK(chat(Speaker::ai21, "top_p")->range.contains(0));
  CHECK_FALSE(chat(Speaker::lmi, "top_p")->range.contains(0));
  CHECK(chat(Speaker::ai21, "n")->range.to == 16);
  CHECK(chat(Speaker::ai21, "stop")->text_length.most == 65536);
  CHECK(chat(Speaker::ai21, "model")->required);
  CHECK_FALSE(chat(Speaker::lmi, "model")->required);
  CHECK(chat(Speaker::ai21, "documents") != nullptr);
  for (const auto* unknown : {"seed", "logprobs", "tool_choice", "top_k", "stream_options"}) {
    CHECK(chat(Speaker::ai21, unknown) == nullptr);
  }
  for (const auto* known : {"seed", "logprobs", "top_logprobs", "logit_bias", "ignore_eos", "user"}) {
    CHECK(chat(Speaker::lmi, known) != nullptr);
  }
  CHECK(chat(Speaker::lmi, "documents") == nullptr);
}

TEST_CASE("was_refused knows what live endpoints refuse, beside the documents' rules") {
  CHECK(was_refused(Speaker::databricks, "databricks-gpt-oss-120b", "stop"));
  CHECK_FALSE(was_refused(Speaker::databricks, "databricks-claude-sonnet-4", "stop"));
  CHECK(was_refused(Speaker::databricks, "databricks-claude-sonnet-4", "seed"));
  CHECK_FALSE(was_refused(Speaker::openai, "gpt-4o", "seed"));
  // The documents still say that `stop` may be sent.
  CHECK(find_rule(chat_rules(), Speaker::databricks, "stop") != nullptr);
}

TEST_CASE("speaker_of maps the rule set of every provider") {
  using inferwire::Provider;
  using inferwire::RuleSet;
  CHECK(speaker_of(Provider::databricks().rules) == Speaker::databricks);
  CHECK(speaker_of(Provider::databricks_gateway().rules) == Speaker::databricks);
  CHECK(speaker_of(Provider::openai().rules) == Speaker::openai);
  CHECK(speaker_of(Provider::ai21().rules) == Speaker::ai21);
  CHECK(speaker_of(Provider::lmi().rules) == Speaker::lmi);
  CHECK(speaker_of(Provider::sagemaker().rules) == Speaker::lmi);
  CHECK_FALSE(speaker_of(RuleSet::none));
}

TEST_CASE("Range::contains with open and closed ends") {
  constexpr Range top_p{.from = 0, .to = 1, .above = true};
  CHECK_FALSE(top_p.contains(0));
  CHECK(top_p.contains(1e-9));
  CHECK(top_p.contains(1));
  CHECK_FALSE(top_p.contains(1.0001));
  CHECK(Range().contains(-infinity));
  CHECK(Range().contains(infinity));
}
