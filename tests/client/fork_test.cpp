// What a child of fork() may do with a client that its parent made.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/event_loop.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "inferwire/when.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/coroutine.hpp"
#include "support/mock_calls.hpp"
#include "support/sanitized.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

using namespace inferwire;
using namespace inferwire::testing;
using inferwire_test::answer_of;
using inferwire_test::AnsweringServer;
using inferwire_test::held_back;
using inferwire_test::hello;
using inferwire_test::options_for;

namespace {

/// The result of `work` in a child process; -1 if the child did not finish.
template <class Work>
int in_child(Work work) {
  const auto child = ::fork();
  if (child == 0) {
    constexpr unsigned most_seconds = 20;
    ::alarm(most_seconds);
    ::_exit(work());
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Calls `at_wake` once. A loop that waits for a single exchange is woken while its mutex is locked.
class WokenTransport final : public Transport {
 public:
  explicit WokenTransport(const Gate& gate) {
    script_.set_handler([gate](const HttpRequest&) { return held_back(gate); });
  }

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override {
    return script_.start(std::move(request), sink, options);
  }
  void wake() noexcept override {
    if (const auto once = std::exchange(at_wake, nullptr)) once();
    script_.wake();
  }

  std::function<void()> at_wake;

 private:
  ScriptTransport script_;
};

}  // namespace

TEST_CASE("a child of fork() opens its own connections and has no event loop") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto options = options_for(server);
  std::optional<Client> client(options);
  REQUIRE(client->chat.create(hello));
  REQUIRE(client->chat.start(hello).get());
  const auto before = server.connections();
  enum : int { good, no_answer, no_error, other_error };
  const auto outcome = in_child([&] {
    for (int i = 0; i < 2; ++i) {
      if (!client->chat.create(hello)) return no_answer;
    }
    const auto reply = client->chat.start(hello).get();
    if (reply) return no_error;
    if (reply.error().kind != ErrorKind::config) return other_error;
    std::optional<Client> own;
    if (!inferwire_test::sanitized) own.emplace(options);  // TSan allows no new threads in a child
    if (own && !own->chat.start(hello).get()) return no_answer;
    client.reset();
    return !own || own->chat.start(hello).get() ? good : no_answer;
  });
  CHECK(outcome == good);
  const auto after = server.connections();
  CHECK(after == before + (inferwire_test::sanitized ? 1 : 2));
  CHECK(client->chat.create(hello));
  CHECK(client->chat.start(hello).get());
  CHECK(server.connections() == after);
}

TEST_CASE("a child of fork() does not lock an event loop of its parent, which may be locked forever") {
  Gate gate;
  const auto transport = std::make_shared<WokenTransport>(gate);
  const ClientOptions options{.base_url = "http://localhost",
                              .api_key = "sk-secret",
                              .transport = transport,
                              .loop = std::make_shared<EventLoop>()};
  const Client client(options);
  std::optional<Client> other(options);
  auto stream = std::make_optional(other->chat.open(hello));
  auto waited_for = client.chat.start(hello);
  int outcome = -1;
  transport->at_wake = [&] {
    outcome = in_child([&] {
      const auto reply = client.chat.start(hello).get();
      stream.reset();
      other.reset();
      return reply || reply.error().kind != ErrorKind::config ? 1 : 0;
    });
  };
  while (transport->at_wake) {
    const auto unread = client.chat.open(hello);  // its destructor wakes the loop
  }
  CHECK(outcome == 0);
  gate.open();
  CHECK(waited_for.get());
}

TEST_CASE("what a child of fork() waits for, though its parent has begun it, is an error", "[async]") {
  Gate gate;
  const auto transport = std::make_shared<ScriptTransport>();
  transport->set_handler([gate](const HttpRequest&) { return held_back(gate); });
  const Client client({.base_url = "http://localhost", .api_key = "sk-secret", .transport = transport});
  const auto some = [&client] {
    std::vector<Pending<chat::Response>> calls;
    for (int i = 0; i < 2; ++i) calls.push_back(client.chat.start(hello));
    return calls;
  };
  auto got = client.chat.start(hello), told = client.chat.start(hello), awaited = client.chat.start(hello);
  auto all = when_all(some());
  auto parts = some();
  auto any = when_any(parts);
  auto read = client.chat.open(hello), polled = client.chat.open(hello), heard = client.chat.open(hello),
       folded = client.chat.open(hello);
  auto collected = client.chat.open(hello).collect();
  REQUIRE_FALSE(polled.wait_for(Duration(0)));

  const auto outcome = in_child([&] {
    const auto is_lost = [](const auto& reply) { return !reply && reply.error().kind == ErrorKind::config; };
    const auto is_end = [&](const Result<chat::Chunk>* element) {
      return element != nullptr && is_lost(*element);
    };
    int seen = 0;
    const auto see = [&](const auto& reply) { seen += is_lost(reply) ? 1 : 0; };
    if (!is_lost(got.get())) return 1;
    told.then([&](Result<chat::Response> reply) { see(reply); });
    [](auto& pending, auto& then) -> inferwire_test::Detached {
      const auto reply = co_await pending;
      then(reply);
    }(awaited, see);
    heard.listen([](const chat::Chunk&) {}, [&](Result<void> end) { see(end); });
    if (seen != 3) return 2;
    const auto replies = all.get();
    if (!replies || !is_lost(replies->front()) || !is_lost(replies->back())) return 3;
    const auto found = any.get();
    if (!found || !is_lost(parts[*found].get())) return 4;
    if (!is_end(read.get()) || read.get() != nullptr) return 5;
    if (!polled.wait_for(Duration(0)) || !is_end(polled.get()) || polled.get() != nullptr) return 6;
    for (const auto& answer : {collected.get(), folded.collect().get()}) {
      if (!answer.error || answer.error->kind != ErrorKind::config) return 7;
    }
    return 0;
  });
  CHECK(outcome == 0);
  gate.open();
  CHECK(got.get());
  CHECK(collected.get());
}
