#include "examples/asio_operations.hpp"

#include "inferwire/testing/script_transport.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <exception>
#include <memory>
#include <utility>

using namespace inferwire;
using inferwire::testing::ScriptTransport;

namespace {

/// A client that gets `reply`.
Client replying(testing::Reply reply) {
  const auto script = std::make_shared<ScriptTransport>();
  script->push(std::move(reply));
  return Client({.base_url = "http://localhost/v1",
                 .credential = Credential::none(),
                 .timeouts = {.first_byte = std::chrono::seconds(5), .total = std::chrono::seconds(5)},
                 .retry = RetryPolicy::none(),
                 .transport = script});
}

const chat::Request hello{.model = "m", .messages = {chat::user("Hello?")}};

asio::awaitable<Optional<Error>> error_of_answer(Client client) {
  auto pending = client.chat.start(hello);
  const auto reply = co_await example::answer_of(pending);
  if (reply) co_return std::nullopt;
  co_return reply.error();
}

asio::awaitable<Optional<Error>> error_of_stream(Client client) {
  auto stream = client.chat.open(hello);
  const auto* element = co_await example::next_of(stream);
  if (element == nullptr || *element) co_return std::nullopt;
  co_return element->error();
}

/// The error of `operation`, which Asio cancels while it waits.
Optional<Error> cancelled(asio::awaitable<Optional<Error>> operation) {
  asio::io_context context;
  asio::cancellation_signal signal;
  Optional<Error> error;
  asio::co_spawn(
      context, std::move(operation),
      asio::bind_cancellation_slot(
          signal.slot(), [&](std::exception_ptr, Optional<Error> outcome) { error = std::move(outcome); }));
  asio::post(context, [&] { signal.emit(asio::cancellation_type::terminal); });
  context.run();
  return error;
}

}  // namespace

TEST_CASE("Asio cancels an answer and a stream that it waits for") {
  const auto answer = cancelled(error_of_answer(replying(testing::Reply::silence())));
  REQUIRE(answer);
  CHECK(answer->kind == ErrorKind::cancelled);
  const auto element = cancelled(error_of_stream(replying(testing::Reply::silence())));
  REQUIRE(element);
  CHECK(element->kind == ErrorKind::cancelled);
}
