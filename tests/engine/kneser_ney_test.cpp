#include "engine/model/kneser_ney.hpp"

#include "engine/model/random.hpp"
#include "engine/model/vector_math.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace inferwire::engine;
using namespace inferwire_test;

namespace {

// The vocabulary has 21 tokens: 18 ends a document, 19 opens a turn of others, and 20 a turn of the model.
constexpr int size = 21;
constexpr Token end = 18;
constexpr Token marker = 19;
constexpr Token answer = 20;

KneserNey learn(const std::vector<Token>& tokens) {
  return KneserNey{{.tokens = tokens, .markers = {end, answer, marker}, .vocabulary_size = size}};
}

std::vector<float> after(const KneserNey& model, const std::vector<Token>& context) {
  std::vector<float> out(size);
  model.probabilities(context, out);
  return out;
}

double total(const std::vector<float>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

TEST_CASE("n-gram probabilities sum to one after every context", "[kneser_ney]") {
  Random random{3};
  std::vector<Token> tokens;
  for (int i = 0; i < 3000; ++i) {
    const bool ends = random.next() % 20 == 0;
    tokens.push_back(ends ? end : static_cast<Token>((random.next() % 4) * (random.next() % 4)));
    if (random.next() % 50 == 0) tokens.push_back(marker);
  }
  tokens.push_back(end);
  const KneserNey model = learn(tokens);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Token> context(static_cast<std::size_t>(random.next() % 6));
    for (Token& token : context) token = static_cast<Token>(random.next() % size);
    const std::vector<float> probabilities = after(model, context);
    REQUIRE(total(probabilities) == Approx(1).margin(1e-5));
    REQUIRE(probabilities[marker] == 0);
    REQUIRE(probabilities[answer] == 0);
    for (Token token = 0; token < marker; ++token)
      REQUIRE(probabilities[static_cast<std::size_t>(token)] > 0);
  }
}

TEST_CASE("KneserNey: what followed a context is likeliest after it", "[kneser_ney]") {
  const KneserNey model = learn({1, 2, 3, 4, end, 1, 2, 3, 5, end, 6, 2, 3, 7, end, 1, 2, 3, 4, end});
  const std::vector<float> probabilities = after(model, {1, 2, 3});
  for (Token token = 0; token < size; ++token) {
    if (token != 4) CHECK(probabilities[4] > probabilities[static_cast<std::size_t>(token)]);
  }
  CHECK(after(model, {6, 2, 3})[7] > probabilities[7]);
}

TEST_CASE("KneserNey: only the last three tokens count", "[kneser_ney]") {
  const KneserNey model = learn({1, 2, 3, 4, 5, end, 9, 2, 3, 4, 6, end});
  CHECK(after(model, {1, 2, 3, 4}) == after(model, {9, 2, 3, 4}));
}

TEST_CASE("KneserNey: a token seen after many others beats one seen often after one", "[kneser_ney]") {
  // Token 10 follows only 9, but often; 11 follows four different tokens.
  const KneserNey model = learn({9, 10, 9, 10, 9, 10, 9, 10, 9, 10, 1, 11, 2, 11, 3, 11, 4, 11, end});
  const std::vector<float> unknown_context = after(model, {17});
  CHECK(unknown_context[11] > unknown_context[10]);
}

TEST_CASE("KneserNey: a document does not follow from the one before it", "[kneser_ney]") {
  const KneserNey model = learn({1, 2, end, 3, 4, end, 1, 2, end, 3, 4, end});
  CHECK(after(model, {1, 2, end}) == after(model, {end}));
  CHECK(after(model, {end})[1] == after(model, {end})[3]);
}

TEST_CASE("KneserNey: turns of others are context and are not learnt to be said", "[kneser_ney]") {
  const KneserNey model =
      learn({marker, 1, 2, answer, 3, 4, end, marker, 5, 2, answer, 3, 6, end, 7, 8, end});
  CHECK(after(model, {1, 2, answer})[3] > 0.5F);
  CHECK(after(model, {end})[7] > 0.5F);
  for (const auto& context : std::vector<std::vector<Token>>{{marker}, {1}, {end}, {}}) {
    for (const std::size_t said_by_others : {1U, 2U, 5U})
      CHECK(after(model, context)[said_by_others] < 1e-5F);
  }
}

TEST_CASE("KneserNey learns the smallest texts", "[kneser_ney]") {
  CHECK(total(after(learn({end}), {end})) == Approx(1));
  CHECK(total(after(learn({1, end}), {1})) == Approx(1));
}

TEST_CASE("logarithms and exponentials agree with the exact ones", "[vector_math]") {
  std::vector<float> in;
  for (int i = 0; i <= 1000; ++i) in.push_back(std::pow(10.0F, -static_cast<float>(i) / 27.0F));
  std::vector<float> out(in.size());
  logarithms(in, out);
  for (std::size_t i = 0; i < in.size(); ++i)
    CHECK(out[i] == Approx(std::log(in[i])).epsilon(1e-6).margin(1e-7));
  std::vector<float> back(in.size());
  exponentials(out, 0.0F, 1.0F, back);
  for (std::size_t i = 0; i < in.size(); ++i)
    CHECK(back[i] == Approx(std::exp(double{out[i]})).epsilon(2e-6));
}

TEST_CASE("logarithms are finite and far exponents vanish", "[vector_math]") {
  std::vector<float> values{0.0F, 1e-45F, 1.0F};
  logarithms(values, values);
  CHECK(values[0] == Approx(-87.3365).epsilon(1e-5));
  CHECK(values[1] == values[0]);
  CHECK(values[2] == 0);
  values = {0.0F, -87.5F, -1e9F, -std::numeric_limits<float>::infinity()};
  exponentials(values, 0.0F, 1.0F, values);
  CHECK(values == std::vector<float>{1, 0, 0, 0});
}

TEST_CASE("sums and maxima hold for every length", "[vector_math]") {
  std::vector<float> values;
  double exact = 0;
  for (int i = 1; i < 70; ++i) {
    values.push_back(static_cast<float>(i % 7) - 3.0F);
    exact += i % 7 - 3;
    CHECK(sum(values) == Approx(exact));
    CHECK(largest(values) == *std::max_element(values.begin(), values.end()));
    std::vector<float> doubled(values.size());
    scale(values, 2.0F, doubled);
    CHECK(doubled.back() == 2 * values.back());
  }
}
