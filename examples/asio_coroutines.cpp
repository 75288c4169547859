// Calls from coroutines of Asio, by the operations in asio_operations.hpp. Prints an answer, unless it takes
// longer than a minute, then another one as it arrives.
#include "asio_operations.hpp"
#include "example.hpp"

#include <asio/experimental/awaitable_operators.hpp>

#include <chrono>
#include <exception>
#include <variant>

using namespace inferwire;
using namespace asio::experimental::awaitable_operators;

namespace {
asio::awaitable<int> ask(Client client, std::string model) {
  chat::Request request{.model = model, .messages = {chat::user("Tell me about rivers.")}, .max_tokens = 24};
  auto pending = client.chat.start(request);
  asio::steady_timer patience(co_await asio::this_coro::executor, std::chrono::minutes(1));
  const auto first = co_await (example::answer_of(pending) || patience.async_wait(asio::use_awaitable));
  const auto* reply = std::get_if<0>(&first);
  if (!reply) co_return 1;  // the timer was first, and the call is cancelled
  if (!*reply) co_return example::fail(reply->error());
  std::cout << (*reply)->text() << '\n';

  request.messages = {chat::user("How is bread made?")};
  auto stream = client.chat.open(request);
  while (const auto* chunk = co_await example::next_of(stream)) {
    if (!*chunk) co_return example::fail(chunk->error());  // an error is always the last element
    std::cout << (*chunk)->text() << std::flush;
  }
  std::cout << '\n';
  co_return 0;
}
}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "asio_coroutines", "inferwire-toy");
  const Client client(example::options(arguments));
  asio::io_context context;
  int status = 1;
  asio::co_spawn(context, ask(client, arguments.model), [&](std::exception_ptr thrown, int code) {
    if (thrown) std::rethrow_exception(thrown);
    status = code;
  });
  context.run();
  return status;
}
