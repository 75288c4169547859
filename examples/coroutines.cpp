// Asynchronous calls from coroutines, in plain C++20: a program only needs a coroutine type, and any will do.
// Asks two questions at the same time, then reads an answer as it arrives.
//
// Prints the two answers in the order of the questions, then the third as it arrives.
#include "example.hpp"

#include <coroutine>
#include <future>
#include <string_view>

using namespace inferwire;

namespace {
/// A coroutine that begins at once and whose end can be waited for. Frameworks have better ones.
struct Job {
  struct promise_type {
    std::promise<int> status;
    Job get_return_object() { return {status.get_future()}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_value(int value) { status.set_value(value); }
    void unhandled_exception() { status.set_exception(std::current_exception()); }
  };
  std::future<int> status;
};

chat::Request question(const std::string& model, std::string text) {
  return {.model = model, .messages = {chat::user(std::move(text))}, .max_tokens = 24};
}

/// Its parameters are values: a coroutine continues after its caller has returned.
Job ask(Client client, std::string model) {
  auto rivers = client.chat.start(question(model, "Tell me about rivers."));
  auto bread = client.chat.start(question(model, "How is bread made?"));  // both are in progress
  for (auto* pending : {&rivers, &bread}) {
    const auto reply = co_await *pending;
    if (!reply) co_return example::fail(reply.error());
    std::cout << "- " << reply->text() << '\n';
  }

  auto stream = client.chat.open(question(model, "What do foxes do at night?"));
  while (const auto* chunk = co_await stream.next()) {
    if (!*chunk) co_return example::fail(chunk->error());  // an error is always the last element
    std::cout << (*chunk)->text() << std::flush;
  }
  std::cout << '\n';
  co_return 0;
}
}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "coroutines", "inferwire-toy");
  const Client client(example::options(arguments));
  return ask(client, arguments.model).status.get();
}
