// Continues several texts in one request, each in more than one way.
//
//     completions "The weather in the" "Bread is"
//
// Prints two completions of each prompt: the number of the completion, the prompt, and what follows it.
#include "example.hpp"

namespace completions = inferwire::completions;

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "completions [prompt]...", "inferwire-toy");
  const inferwire::Client client(example::options(arguments));

  auto prompts = arguments.words;
  if (prompts.empty()) prompts = {"The weather in the", "Bread is"};
  const completions::Request request{.model = arguments.model, .prompt = prompts, .max_tokens = 24, .n = 2};

  const auto reply = client.completions.create(request);
  if (!reply) return example::fail(reply.error());
  for (std::size_t i = 0; i < reply->choices.size(); ++i) {
    const auto prompt = reply->prompt_index(request, i), number = reply->choice_index(request, i);
    if (!prompt) continue;  // the server numbered it wrongly
    std::cout << *number << ": " << prompts[*prompt] << reply->choices[i].text << '\n';
  }
}
