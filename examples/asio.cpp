// The client in a program that runs on Asio: callbacks run on the threads of its io_context. The adapter is
// `on_asio` below. For Asio's own coroutines see asio_coroutines.cpp.
//
// Prints the answer.
#include "example.hpp"

#include <asio.hpp>

#include <coroutine>

using namespace inferwire;

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "asio", "inferwire-toy");
  asio::io_context context;
  auto busy = asio::make_work_guard(context);  // keeps run() going until the answer is there
  const auto on_asio = Executor::of([&context](Executor::Task task) {
    asio::post(context, [task = std::move(task)]() mutable { task(); });
  });
  const Client client(example::options(arguments));

  int status = 1;
  client.chat
      .start({.model = arguments.model, .messages = {chat::user("Tell me about rivers.")}, .max_tokens = 24},
             {.executor = on_asio})
      .then([&](Result<chat::Response> reply) {
        status = reply ? 0 : example::fail(reply.error());
        if (reply) std::cout << reply->text() << '\n';
        busy.reset();
      });
  context.run();  // everything runs on this thread, so nothing above needs a lock
  return status;
}
