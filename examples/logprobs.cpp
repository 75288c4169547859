// Shows how sure the model was: the log probabilities of an answer's tokens, and of their alternatives.
//
//     logprobs "Tell me about bread."
//
// Prints a line for each token: its probability, the token, and the two likeliest tokens at its position;
// then the perplexity.
#include "example.hpp"

#include <cmath>
#include <iomanip>

namespace chat = inferwire::chat;

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "logprobs [question]", "inferwire-toy");
  const inferwire::Client client(example::options(arguments));
  const auto reply = client.chat.create(
      {.model = arguments.model,
       .messages = {chat::user(arguments.words.empty() ? "Tell me about bread." : arguments.words[0])},
       .max_tokens = 12,
       .logprobs = true,
       .top_logprobs = 2});
  if (!reply) return example::fail(reply.error());

  if (reply->choices.empty() || !reply->choices[0].logprobs || reply->choices[0].logprobs->content.empty()) {
    std::cout << "the service tells no probabilities\n";
    return 1;
  }
  const auto& tokens = reply->choices[0].logprobs->content;
  double sum = 0;
  std::cout << std::fixed << std::setprecision(3);
  for (const auto& token : tokens) {
    sum += token.logprob;
    std::cout << std::exp(token.logprob) << "  " << std::quoted(token.token) << "  of";
    for (const auto& other : token.top_logprobs) {
      std::cout << ' ' << std::quoted(other.token) << ' ' << std::exp(other.logprob);
    }
    std::cout << '\n';
  }
  const auto count = static_cast<double>(tokens.size());
  std::cout << "perplexity " << std::exp(-sum / count) << " over " << tokens.size() << " tokens\n";
}
