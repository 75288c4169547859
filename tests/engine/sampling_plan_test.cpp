// How long an answer may become.
#include "engine/plan/sampling_plan.hpp"

#include "support/catch.hpp"

#include <cstdint>
#include <optional>

using namespace inferwire;
using namespace inferwire_test;
using engine::most_tokens;

TEST_CASE("an answer is as long as was asked for, or as there is room") {
  CHECK(*most_tokens("max_tokens", 12, 100, {}) == 12);
  CHECK(*most_tokens("max_tokens", 0, 100, {}) == 0);
  CHECK(*most_tokens("max_tokens", std::nullopt, 100, {}) == 100);
  CHECK(*most_tokens("max_tokens", std::nullopt, 1'048'576, {}) == 1'048'576);
  CHECK(*most_tokens("max_tokens", 512, 100'000, {.choices = 128, .likely = 20}) == 512);
}

TEST_CASE("more than can be held is refused where it was asked for, and not begun where it was not") {
  const engine::AnswerSize sizes[] = {
      {.choices = 128, .likely = 20}, {.choices = 4096}, {.choices = 128, .echoed = 30'000}};
  for (const auto& size : sizes) {
    CAPTURE(size.choices, size.likely, size.echoed);
    const auto refused = most_tokens("max_tokens", 20'000, 32'768, size);
    REQUIRE_FALSE(refused);
    CHECK(refused.refusal().status == 400);
    CHECK(refused.refusal().param == "max_tokens");
    CHECK_THAT(refused.refusal().message, contains("but got 20000"));
  }
  const auto open = most_tokens("max_tokens", std::nullopt, 32'768, sizes[0]);
  REQUIRE(open);
  CHECK(*open < 1000);
  CHECK(most_tokens("max_tokens", *open, 32'768, sizes[0]));
  CHECK_FALSE(most_tokens("max_tokens", *open + 1, 32'768, sizes[0]));
  CHECK_FALSE(most_tokens("max_tokens", std::nullopt, 32'768, sizes[2]));
}

TEST_CASE("an answer without choices has any length") {
  CHECK(*most_tokens("max_tokens", 12, 100, {.choices = 0}) == 12);
}
