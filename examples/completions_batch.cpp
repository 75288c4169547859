// Completes many prompts, several in a request: fewer round trips, and each completion is matched to its
// prompt.
//
//     completions_batch prompts.txt            # one prompt per line
//
// Prints a line for each prompt, in the order of the prompts, and how many requests and tokens they took.
#include "example.hpp"

#include <algorithm>

namespace completions = inferwire::completions;

constexpr std::size_t prompts_a_request = 4;

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "completions_batch [file of prompts]", "inferwire-toy");
  std::vector<std::string> prompts{"The weather in the", "Bread is",  "A river is",
                                   "The sea was",        "In winter", "Stone is"};
  if (!arguments.words.empty()) prompts = example::lines_of(arguments.words[0]);
  const inferwire::Client client(example::options(arguments));

  int requests = 0;
  std::int64_t tokens = 0;
  for (std::size_t first = 0; first < prompts.size(); first += prompts_a_request) {
    const auto last = std::min(first + prompts_a_request, prompts.size());
    const std::vector<std::string> batch(prompts.begin() + static_cast<std::ptrdiff_t>(first),
                                         prompts.begin() + static_cast<std::ptrdiff_t>(last));
    const completions::Request request{.model = arguments.model, .prompt = batch, .max_tokens = 12};
    const auto reply = client.completions.create(request);
    if (!reply) return example::fail(reply.error());

    // Choices may be in any order, and services number them differently: prompt_index() finds the prompt.
    std::vector<std::string> texts(batch.size());
    for (std::size_t i = 0; i < reply->choices.size(); ++i) {
      if (const auto prompt = reply->prompt_index(request, i)) texts[*prompt] = reply->choices[i].text;
    }
    for (std::size_t i = 0; i < batch.size(); ++i) std::cout << batch[i] << " |" << texts[i] << '\n';
    ++requests;
    if (reply->usage) tokens += reply->usage->total().value_or(0);
  }
  std::cout << prompts.size() << " prompts, " << requests << " requests, " << tokens << " tokens\n";
}
