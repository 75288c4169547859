// Asks one question and gets one answer.
//
//     chat "A fun fact about llamas?"                             # the engine inside the program answers
//     chat --base-url http://localhost:11434/v1 --model llama3.2  # Ollama answers
//
// Prints the answer, whether it was cut, and what it cost in tokens.
#include "example.hpp"

namespace chat = inferwire::chat;

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "chat [question]", "inferwire-toy");
  const inferwire::Client client(example::options(arguments));

  const auto& words = arguments.words;
  const auto reply = client.chat.create({
      .model = arguments.model,
      .messages = {chat::system("Be brief."), chat::user(words.empty() ? "A fact about rivers?" : words[0])},
      .max_tokens = 32,
      .temperature = 0.7,
  });
  if (!reply) return example::fail(reply.error());

  std::cout << reply->text() << '\n';
  if (reply->finish() == chat::Finish::length) std::cout << "(cut at max_tokens)\n";
  if (reply->usage) {
    std::cout << reply->usage->prompt().value_or(0) << " tokens asked, "
              << reply->usage->completion().value_or(0) << " answered by " << reply->model << '\n';
  }
}
