// Asynchronous calls with callbacks. All callbacks run on the client's event loop, one after the other, so
// they need no locks among themselves.
//
// Prints one answer as a whole, then another in pieces, each in brackets.
#include "example.hpp"

#include <future>

using namespace inferwire;

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "callbacks", "inferwire-toy");
  const Client client(example::options(arguments));
  const chat::Request request{
      .model = arguments.model, .messages = {chat::user("Tell me about rivers.")}, .max_tokens = 24};

  std::promise<int> whole;
  client.chat.start(request).then([&](Result<chat::Response> reply) {
    if (reply) std::cout << "whole: " << reply->text() << '\n';
    whole.set_value(reply ? 0 : example::fail(reply.error()));
  });
  if (const int status = whole.get_future().get(); status != 0) return status;

  std::promise<int> streamed;
  auto stream = client.chat.open(request);
  std::cout << "in pieces:";
  stream.listen([](const chat::Chunk& chunk) { std::cout << ' ' << '[' << chunk.text() << ']'; },
                [&](Result<void> outcome) {
                  std::cout << '\n';
                  streamed.set_value(outcome ? 0 : example::fail(outcome.error()));
                });
  return streamed.get_future().get();
}
