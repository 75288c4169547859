// Finds which of a few texts is nearest to a question.
//
//     embeddings "How do I reset my password?"
//     OPENAI_API_KEY=... embeddings --base-url https://api.openai.com/v1 --model text-embedding-3-small
//
// Prints each text with the cosine of the angle between its vector and the question's.
#include "example.hpp"

#include <cmath>
#include <numeric>
#include <span>

namespace {

/// The cosine of the angle between two vectors, which need not be of length 1.
double cosine(std::span<const float> a, std::span<const float> b) {
  const auto product = [](auto x, auto y) { return std::inner_product(x.begin(), x.end(), y.begin(), 0.0); };
  return product(a, b) / std::sqrt(product(a, a) * product(b, b));
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "embeddings [question]", "inferwire-embed");
  const inferwire::Client client(example::options(arguments));

  // The question comes last.
  std::vector<std::string> texts{"Choose 'forgotten password' to get a new password by mail.",
                                 "Invoices are sent on the first of each month.",
                                 "The office in Cork is closed on Mondays."};
  texts.push_back(arguments.words.empty() ? "How do I reset my password?" : arguments.words[0]);

  const auto reply = client.embeddings.create({.model = arguments.model, .input = texts});
  if (!reply) return example::fail(reply.error());
  const auto& question = reply->data.back().embedding;
  for (std::size_t i = 0; i + 1 < texts.size(); ++i) {
    std::cout << cosine(reply->data[i].embedding, question) << "  " << texts[i] << '\n';
  }
}
