// A conversation with the Responses API: the first answer arrives in events, and is sent back with the second
// question.
//
//     responses                                       # the engine inside the program answers
//     OPENAI_API_KEY=... responses --base-url https://api.openai.com/v1 --model gpt-6-luna
//
// Prints both answers.
#include "example.hpp"

namespace responses = inferwire::responses;

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "responses", "inferwire-toy");
  const inferwire::Client client(example::options(arguments));
  std::vector<responses::Item> conversation{responses::user("Tell me about rivers.")};

  const auto first =
      client.responses.stream({.model = arguments.model, .input = conversation})
          .collect([](const responses::Event& event) { std::cout << event.text() << std::flush; });
  if (first.error) return example::fail(*first.error);
  std::cout << '\n';

  for (auto& item : first.response.to_input_items()) conversation.push_back(std::move(item));
  conversation.push_back(responses::user("And about the sea?"));
  const auto second = client.responses.create({.model = arguments.model,
                                               .input = conversation,
                                               .instructions = "Be brief.",
                                               .max_output_tokens = 64});
  if (!second) return example::fail(second.error());
  std::cout << second->output_text() << '\n';
  if (second->finish() == inferwire::Finish::length) std::cout << "(cut at max_output_tokens)\n";
}
