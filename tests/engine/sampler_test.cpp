#include "engine/model/sampler.hpp"

#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

using namespace inferwire::engine;
using namespace inferwire_test;

namespace {

std::vector<float> logarithms_of(const std::vector<double>& probabilities) {
  std::vector<float> result;
  for (const double p : probabilities) result.push_back(static_cast<float>(std::log(p)));
  return result;
}

const std::vector<float> five = logarithms_of({0.05, 0.4, 0.1, 0.3, 0.15});  // by likelihood: 1 3 4 2 0

/// Counts the first choices of `times` new samplers, by token.
std::map<Token, int> first_choices(SamplingOptions options, int times,
                                   const std::vector<float>& log_probs = five,
                                   const std::vector<std::uint8_t>& allowed = {}) {
  std::map<Token, int> counts;
  for (int i = 0; i < times; ++i) {
    options.seed = static_cast<std::uint64_t>(i);
    Sampler sampler{options, static_cast<int>(log_probs.size())};
    ++counts[sampler.next(log_probs, allowed).value().token];
  }
  return counts;
}

std::set<Token> chosen(const SamplingOptions& options) {
  std::set<Token> tokens;
  for (const auto& [token, count] : first_choices(options, 2000)) tokens.insert(token);
  return tokens;
}

}  // namespace

TEST_CASE("at temperature 1 tokens come as often as the model says", "[sampler]") {
  const std::map<Token, int> counts = first_choices({}, 20000);
  CHECK(counts.at(1) == Approx(8000).epsilon(0.04));
  CHECK(counts.at(3) == Approx(6000).epsilon(0.04));
  CHECK(counts.at(0) == Approx(1000).epsilon(0.12));
}

TEST_CASE("temperature sharpens and flattens", "[sampler]") {
  // At T = 0.5 token 1 has p^(1/T), normalised: .4^2 / (.05^2 + .4^2 + .1^2 + .3^2 + .15^2) =
  // .561
  CHECK(first_choices({.temperature = 0.5F}, 20000).at(1) == Approx(11228).epsilon(0.03));
  CHECK(first_choices({.temperature = 100.0F}, 20000).at(0) == Approx(4000).epsilon(0.06));
}

TEST_CASE("temperature 0 and top_k 1 take the likeliest token, the lowest among equals", "[sampler]") {
  const std::vector<float> tied = logarithms_of({0.1, 0.35, 0.2, 0.35});
  for (const SamplingOptions& options :
       {SamplingOptions{.temperature = 0.0F}, SamplingOptions{.temperature = 2.0F, .top_k = 1},
        SamplingOptions{.temperature = 1e-30F}}) {
    CHECK(first_choices(options, 200, tied) == std::map<Token, int>{{1, 200}});
  }
}

TEST_CASE("top_k keeps the likeliest tokens", "[sampler]") {
  CHECK(chosen({.top_k = 2}) == std::set<Token>{1, 3});
  CHECK(chosen({.top_k = 4}) == std::set<Token>{1, 2, 3, 4});
  CHECK(chosen({.top_k = 5}).size() == 5);
  CHECK(chosen({.top_k = 99}).size() == 5);
}

TEST_CASE("top_p keeps the fewest tokens that reach it", "[sampler]") {
  CHECK(chosen({.top_p = 0.0F}) == std::set<Token>{1});
  CHECK(chosen({.top_p = -1.0F}) == std::set<Token>{1});
  CHECK(chosen({.top_p = 0.39F}) == std::set<Token>{1});
  CHECK(chosen({.top_p = 0.6F}) == std::set<Token>{1, 3});
  CHECK(chosen({.top_p = 0.8F}) == std::set<Token>{1, 3, 4});
  CHECK(chosen({.top_p = 0.99F}).size() == 5);
  CHECK(first_choices({.top_p = 0.0F}, 10, logarithms_of({0.25, 0.25, 0.25, 0.25})) ==
        std::map<Token, int>{{0, 10}});
}

TEST_CASE("top_p is reached within what top_k left", "[sampler]") {
  // The first of {.4, .3} has .571 after renormalising. That is enough for .55, although it is only .4 of
  // all.
  CHECK(chosen({.top_p = 0.55F, .top_k = 2}) == std::set<Token>{1});
  CHECK(chosen({.top_p = 0.6F, .top_k = 2}) == std::set<Token>{1, 3});
}

TEST_CASE("logit_bias forces and bans", "[sampler]") {
  CHECK(chosen({.logit_bias = {{2, 100.0F}}}) == std::set<Token>{2});
  CHECK(chosen({.logit_bias = {{1, -100.0F}, {3, -100.0F}}}) == std::set<Token>{0, 2, 4});
  CHECK(chosen({.temperature = 0.0F, .logit_bias = {{1, -100.0F}}}) == std::set<Token>{3});
  CHECK(chosen({.temperature = 0.0F, .logit_bias = {{99, 100.0F}, {-1, 100.0F}}}) == std::set<Token>{1});
}

TEST_CASE("Sampler::next gives nothing when every token is banned", "[sampler]") {
  Sampler banned{{.logit_bias = {{0, -100.0F}, {1, -100.0F}}}, 2};
  CHECK_FALSE(banned.next(logarithms_of({0.5, 0.5})));
  Sampler sampler{{}, 2};
  CHECK_FALSE(sampler.next(logarithms_of({0.5, 0.5}), std::vector<std::uint8_t>{0, 0}));
}

TEST_CASE("Sampler never chooses what a broken model calls NaN or infinitely likely", "[sampler]") {
  for (const float broken :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const auto& options : {SamplingOptions{}, SamplingOptions{.temperature = 0.0F},
                                SamplingOptions{.top_p = 0.9F}, SamplingOptions{.top_k = 2}}) {
      Sampler sampler{options, 2};
      CHECK(sampler.next(std::vector{broken, -1.0F}).value().token == 1);
      CHECK_FALSE(sampler.next(std::vector{broken, broken}));
    }
  }
}

TEST_CASE("a mask excludes whatever the other parameters say", "[sampler]") {
  const std::vector<std::uint8_t> allowed{1, 0, 1, 0, 0};
  const std::map<Token, int> counts = first_choices({.logit_bias = {{1, 100.0F}}}, 3000, five, allowed);
  CHECK(counts.size() == 2);
  CHECK(counts.at(2) == Approx(2000).epsilon(0.06));
}

TEST_CASE("penalties count generated tokens", "[sampler]") {
  // The difference is ln .4 - ln .3 = .288: only a larger penalty makes token 3 the second choice.
  const auto greedy = [](float frequency, float presence, int choices) {
    Sampler sampler{{.temperature = 0.0F, .frequency_penalty = frequency, .presence_penalty = presence}, 5};
    std::vector<Token> tokens;
    for (int i = 0; i < choices; ++i) tokens.push_back(sampler.next(five).value().token);
    return tokens;
  };
  CHECK(greedy(0.0F, 0.2F, 3) == std::vector<Token>{1, 1, 1});
  CHECK(greedy(0.0F, 0.3F, 3) == std::vector<Token>{1, 3, 1});
  CHECK(greedy(0.15F, 0.0F, 3) == std::vector<Token>{1, 1, 3});
  CHECK(greedy(-1.0F, 0.0F, 3) == std::vector<Token>{1, 1, 1});
}

TEST_CASE("Sampler takes extreme penalties", "[sampler]") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<std::uint8_t> some{1, 1, 0, 1, 0};
  const std::vector<std::uint8_t> others{0, 1, 1, 0, 1};
  for (const float extreme : {-infinity, -1e30F, 1e30F, infinity}) {
    for (auto options : {SamplingOptions{}, SamplingOptions{.temperature = 0.0F},
                         SamplingOptions{.top_p = 0.9F}, SamplingOptions{.top_k = 2}}) {
      options.frequency_penalty = options.presence_penalty = extreme;
      options.logit_bias = {{1, extreme}};
      Sampler sampler{options, 5};
      for (int i = 0; i < 50; ++i) {
        const auto& allowed = i % 3 == 0 ? some : others;
        const auto token = sampler.next(five, allowed).value().token;
        REQUIRE((token >= 0 && token < 5));
        REQUIRE(allowed[static_cast<std::size_t>(token)] == 1);
      }
    }
  }
}

TEST_CASE("Sampler's logprobs are the model's, whatever the parameters", "[sampler]") {
  Sampler sampler{{.temperature = 0.2F, .top_k = 3, .logit_bias = {{2, 100.0F}}, .top_logprobs = 3}, 5};
  const Sample sample = sampler.next(five).value();
  CHECK(sample.token == 2);
  CHECK(sample.logprob == five[2]);
  REQUIRE(sample.top.size() == 3);
  CHECK(sample.top[0].token == 1);
  CHECK(sample.top[0].logprob == five[1]);
  CHECK(sample.top[1].token == 3);
  CHECK(sample.top[2].token == 4);
}

TEST_CASE("the same seed makes the same choices", "[sampler]") {
  const auto choices = [](std::uint64_t seed) {
    Sampler sampler{{.seed = seed}, 5};
    std::vector<Token> tokens;
    for (int i = 0; i < 50; ++i) tokens.push_back(sampler.next(five).value().token);
    return tokens;
  };
  CHECK(choices(5) == choices(5));
  CHECK(choices(5) != choices(6));
}

TEST_CASE("random numbers are those of SplitMix64 and lie between 0 and 1", "[sampler]") {
  Random random{1234567};
  CHECK(random.next() == 6457827717110365317U);  // the published reference values
  CHECK(random.next() == 3203168211198807973U);
  for (int i = 0; i < 10000; ++i) {
    const float u = random.uniform();
    REQUIRE((u >= 0 && u < 1));
  }
  CHECK(mix(1, 0) != mix(0, 1));
}
