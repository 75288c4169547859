// A conversation: the service remembers nothing, so each question is sent with all previous messages.
//
//     conversation "Name a river." "And a longer one?"
//
// Prints each question and its answer, and how many tokens the last question cost, including the history.
#include "example.hpp"

namespace chat = inferwire::chat;

int main(int argc, char** argv) {
  auto arguments = example::read(argc, argv, "conversation [question]...", "inferwire-toy");
  if (arguments.words.empty())
    arguments.words = {"Tell me about rivers.", "And the sea?", "What about bread?"};
  const inferwire::Client client(example::options(arguments));

  chat::Request request{.model = arguments.model, .messages = {chat::system("Be brief.")}, .max_tokens = 32};
  for (const auto& question : arguments.words) {
    request.messages.push_back(chat::user(question));
    const auto reply = client.chat.create(request);
    if (!reply) return example::fail(reply.error());

    std::cout << "> " << question << '\n' << reply->text() << '\n';
    if (const auto* const message = reply->message()) {
      request.messages.push_back(message->as_request());  // keeps what has to be sent back
    }

    // The model's window is finite: a long conversation loses its oldest turns and keeps its system message.
    if (request.messages.size() > 20) {
      request.messages.erase(request.messages.begin() + 1, request.messages.begin() + 3);
    }
    if (&question == &arguments.words.back() && reply->usage) {
      std::cout << reply->usage->prompt().value_or(0) << " tokens of history and question\n";
    }
  }
}
