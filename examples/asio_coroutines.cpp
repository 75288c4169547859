// Calls from coroutines of Asio. Its `awaitable` accepts nothing but Asio's own operations, so `answer_of`
// and `next_of` below make such operations of an answer and of the next element of a stream. Prints an
// answer, then another one as it arrives.
#include "example.hpp"

#include <asio.hpp>

#include <coroutine>
#include <exception>

using namespace inferwire;

namespace {
/// A coroutine that begins at once, and that nobody waits for.
struct Detached {
  struct promise_type {
    Detached get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

/// Waits on the client's loop, and passes the outcome to `handler` where that has to run.
template <class Awaited, class Handler>
Detached pass_on(Awaited awaited, Handler handler) {
  auto work = asio::make_work_guard(handler);  // keeps io_context::run going until then
  auto outcome = co_await awaited;
  asio::post(work.get_executor(), [handler = std::move(handler), outcome = std::move(outcome)]() mutable {
    std::move(handler)(std::move(outcome));
  });
}

template <class Outcome, class Awaited>
asio::awaitable<Outcome> operation(Awaited awaited) {
  return asio::async_initiate<decltype(asio::use_awaitable), void(Outcome)>(
      [](auto handler, Awaited passed) { pass_on(std::move(passed), std::move(handler)); },
      asio::use_awaitable, std::move(awaited));
}

template <class T>
asio::awaitable<Result<T>> answer_of(Pending<T>&& pending) {
  return operation<Result<T>>(std::move(pending));
}

template <class T>
asio::awaitable<const Result<T>*> next_of(AsyncStream<T>& stream) {
  return operation<const Result<T>*>(stream.next());
}

asio::awaitable<int> ask(Client client, std::string model) {
  chat::Request request{.model = model, .messages = {chat::user("Tell me about rivers.")}, .max_tokens = 24};
  auto pending = client.chat.start(request);
  const auto reply = co_await answer_of(std::move(pending));
  if (!reply) co_return example::fail(reply.error());
  std::cout << reply->text() << '\n';
  request.messages = {chat::user("How is bread made?")};
  auto stream = client.chat.open(request);
  while (const auto* chunk = co_await next_of(stream)) {
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
