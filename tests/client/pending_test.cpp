/// \file
/// Calls on the event loop, over real sockets.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "inferwire/batch.hpp"
#include "inferwire/inferwire.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/coroutine.hpp"
#include "support/fake_environment.hpp"
#include "support/held_tasks.hpp"
#include "support/listeners.hpp"
#include "support/open_files.hpp"

using namespace std::chrono_literals;
using inferwire::CancelSource;
using inferwire::Client;
using inferwire::ClientOptions;
using inferwire::Credential;
using inferwire::ErrorKind;
using inferwire::EventLoop;
using inferwire::HttpRequest;
using inferwire::Pending;
using inferwire::Result;
using inferwire::testing::Gate;
using inferwire::testing::MockServer;
using inferwire::testing::Reply;
using inferwire_test::Baton;
using inferwire_test::Detached;
using inferwire_test::HeldTasks;
using inferwire_test::open_files;
using inferwire_test::Owned;
namespace chat = inferwire::chat;

namespace {

static_assert(std::is_convertible_v<void (*)(), inferwire::Task>);
static_assert(!std::is_convertible_v<int, inferwire::Task>);

const chat::Request hello{.model = "m", .messages = {chat::user("Hello")}};

std::string answer(const std::string& text) {
  return R"({"id":"a","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":")" +
         text + R"("},"finish_reason":"stop"}]})";
}

Client client_of(const MockServer& server, ClientOptions options = {}) {
  options.base_url = server.url() + "/v1";
  if (!options.credential) options.credential = Credential::none();
  options.environment =
      std::make_shared<inferwire_test::FakeEnvironment>(inferwire_test::FakeEnvironment::Texts{});
  return Client(std::move(options));
}

const chat::Request bad{.model = "m", .messages = {chat::user("throw")}};

/// Answers, but throws at one place; exchanges throw for requests that say "throw".
class ThrowingTransport final : public inferwire::Transport {
 public:
  enum class In : std::uint8_t { multiplexer, start, drive };

  explicit ThrowingTransport(In where) : where_(where) {
    script_.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  }

  Result<std::unique_ptr<inferwire::Exchange>> start(HttpRequest request, inferwire::Sink& sink,
                                                     const inferwire::ExchangeOptions& options) override {
    const bool throws = request.body.text().find("throw") != std::string::npos;
    if (throws && where_ == In::start) complain();
    if (throws && where_ == In::drive) return std::unique_ptr<inferwire::Exchange>(new Broken);
    return script_.start(std::move(request), sink, options);
  }
  void wake() noexcept override { script_.wake(); }
  std::unique_ptr<inferwire::Multiplexer> multiplexer() override {
    if (where_ == In::multiplexer) complain();
    return nullptr;
  }

 private:
  class Broken final : public inferwire::Exchange {
   public:
    inferwire::Progress drive(inferwire::TimePoint) override { complain(); }
    void pause() override {}
    void resume() override {}
  };

  [[noreturn]] static void complain() { throw std::runtime_error("out of wire"); }

  In where_;
  inferwire::testing::ScriptTransport script_;
};

/// Fetches a token that holds for ever.
class TokenSource final : public inferwire::GrantSource {
 public:
  explicit TokenSource(std::string url) : url_(std::move(url)) {}

  Step next(inferwire::Instant) override {
    if (answered_) return inferwire::Grant{.credential = Credential::bearer(inferwire::Secret("t"))};
    return Credential::Fetch{.request = {.url = url_}};
  }
  void accept(const inferwire::ResponseHead&, std::string_view, inferwire::Instant) override {
    answered_ = true;
  }

 private:
  std::string url_;
  bool answered_{};
};

Reply held_back(const Gate& gate, const std::string& text = "Late.") {
  auto reply = Reply::json(answer(text));
  reply.head_gate = gate;
  return reply;
}

}  // namespace

TEST_CASE("a call that was started brings what create brings", "[async]") {
  MockServer server;
  server.push(Reply::json(answer("Hi.")));
  server.push(Reply::error(400, "no such thing"));
  const auto client = client_of(server);
  inferwire::ResponseInfo info;
  auto good = client.chat.start(hello, {.info = &info});
  const auto reply = good.get();
  REQUIRE(reply);
  CHECK(reply->text() == "Hi.");
  CHECK(info.head.status == 200);
  CHECK(info.attempts == 1);
  CHECK_FALSE(good.valid());

  const auto refused = client.chat.start(hello).get();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::invalid_request);
  CHECK(refused.error().status == 400);
  CHECK(server.requests().size() == 2);
  CHECK(server.connections() == 1);
}

TEST_CASE("what cannot be sent is the answer at once", "[async]") {
  const Client broken({.base_url = "no url", .credential = Credential::none()});
  auto pending = broken.chat.start(hello);
  CHECK(pending.ready());
  const auto reply = pending.get();
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::config);

  Client moved = broken;
  const auto taken = std::move(moved);
  CHECK(moved.chat.start(hello).get().error().kind == ErrorKind::config);  // NOLINT: that is the test
}

TEST_CASE("waiting ends with the answer or with the time", "[async]") {
  const Gate gate;
  MockServer server;
  server.push(held_back(gate));
  const auto client = client_of(server);
  auto pending = client.chat.start(hello);
  CHECK_FALSE(pending.wait_for(10ms));
  CHECK_FALSE(pending.ready());
  Gate(gate).open();
  CHECK(pending.wait_for(10s));
  CHECK(pending.ready());
  CHECK(pending.get()->text() == "Late.");
  CHECK(pending.get().error().kind == ErrorKind::config);
}

TEST_CASE("to wait for an answer that was taken is an error in every way, and no wait", "[async]") {
  MockServer server;
  server.push(Reply::json(answer("Hi.")));
  const auto client = client_of(server);
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(client.chat.start(hello));
  auto& taken = calls.front();
  REQUIRE(taken.get());

  const auto complains = [](const auto& result) {
    return !result && result.error().kind == ErrorKind::config && !result.error().detail.empty();
  };
  CHECK(complains(taken.get()));
  CHECK(taken.ready());
  CHECK(taken.wait_for(10s));
  bool called_back = false;
  taken.then([&](Result<chat::Response> reply) { called_back = complains(reply); });
  CHECK(called_back);
  bool awaited = false;
  [](Pending<chat::Response>& pending, auto check, bool& out) -> Detached { out = check(co_await pending); }(
                                                                  taken, complains, awaited);
  CHECK(awaited);
  CHECK(complains(inferwire::when_any(calls).get()));
  std::vector<Pending<chat::Response>> none;
  CHECK(complains(inferwire::when_any(none).get()));
}

TEST_CASE("answers in a list are awaited one by one", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto client = client_of(server);
  Baton<std::string> baton;
  [](const Client& asked, Baton<std::string>& out) -> Detached {
    std::vector<Pending<chat::Response>> calls;
    for (int i = 0; i < 3; ++i) calls.push_back(asked.chat.start(hello));
    std::string texts;
    for (auto& call : calls) texts += (co_await call)->text();
    texts += (co_await calls[0]) ? "again" : "none";
    out.pass(std::move(texts));
  }(client, baton);
  CHECK(baton.take() == "Hi.Hi.Hi.none");
}

TEST_CASE("a clock of the test's own serves calls over sockets and without them, side by side", "[async]") {
  const auto clock = std::make_shared<inferwire::testing::ManualClock>();
  SECTION("the wait before a retry over a socket") {
    MockServer server;
    server.push(Reply::error(503));
    server.push(Reply::json(answer("Hi.")));
    const auto reply = client_of(server, {.clock = clock}).chat.start(hello).get();
    REQUIRE(reply);
    CHECK(reply->text() == "Hi.");
    CHECK(server.requests().size() == 2);
  }
  SECTION("two silent calls without sockets") {
    const auto script = std::make_shared<inferwire::testing::ScriptTransport>(clock);
    for (int i = 0; i < 2; ++i)
      script->push(Reply::json(answer("Never.")).cut_after(0, inferwire::testing::Ending::silence));
    const Client client({.base_url = "http://script.test/v1",
                         .timeouts = {.total = 60s},
                         .retry = inferwire::RetryPolicy::none(),
                         .transport = script,
                         .clock = clock});
    std::vector<Pending<chat::Response>> calls;
    for (int i = 0; i < 2; ++i) calls.push_back(client.chat.start(hello));
    for (auto& call : calls) CHECK(call.get().error().timer == "total");
  }
}

TEST_CASE("a silent call without a socket ends on a loop that has used sockets", "[async]") {
  const auto clock = std::make_shared<inferwire::testing::ManualClock>();
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto loop = std::make_shared<inferwire::EventLoop>(inferwire::EventLoopOptions{.clock = clock});
  const auto over_sockets = client_of(server, {.loop = loop});
  REQUIRE(over_sockets.chat.start(hello).get());
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>(clock);
  script->push(Reply::json(answer("Never.")).cut_after(0, inferwire::testing::Ending::silence));
  const Client silent({.base_url = "http://script.test/v1",
                       .timeouts = {.total = 60s},
                       .retry = inferwire::RetryPolicy::none(),
                       .transport = script,
                       .loop = loop});
  CHECK(silent.chat.start(hello).get().error().timer == "total");
}

TEST_CASE("a silent server is given up when the test moves the time", "[async]") {
  const auto clock =
      std::make_shared<inferwire::testing::ManualClock>(inferwire::testing::ManualClock::Mode::by_hand);
  const Gate gate;
  MockServer server;
  for (int i = 0; i < 2; ++i) server.push(held_back(gate));
  const auto client = client_of(
      server, {.timeouts = {.total = 60s}, .retry = inferwire::RetryPolicy::none(), .clock = clock});
  const auto time_passes = [&](std::size_t requests) {
    CHECK(server.wait_for_requests(requests));
    clock->advance(61s);
  };
  auto pending = client.chat.start(hello);
  time_passes(1);
  CHECK(pending.get().error().timer == "total");
  std::thread test(time_passes, 2);
  CHECK(client.chat.create(hello).error().timer == "total");
  test.join();
}

TEST_CASE("a call that ended before it began took no time", "[async]") {
  const MockServer server;
  const auto client = client_of(server);
  inferwire::CancelSource cancel;
  cancel.cancel();
  inferwire::ResponseInfo info;
  const auto reply = client.chat.create(hello, {.cancel = cancel.token(), .info = &info});
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::cancelled);
  CHECK(info.timings.end.value_or(0us) == 0us);
}

TEST_CASE("a callback runs on the loop's thread, which cannot wait for itself", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto loop = std::make_shared<EventLoop>();
  const auto client = client_of(server, {.loop = loop});
  Baton<std::vector<std::string>> baton;
  client.chat.start(hello).then([&](Result<chat::Response> reply) {
    std::vector<std::string> seen{reply ? reply->text() : reply.error().message()};
    seen.push_back(loop->is_here() ? "here" : "elsewhere");
    const auto inner = client.chat.start(hello).get();
    seen.push_back(std::string(name(inner.error().kind)));
    baton.pass(std::move(seen));
  });
  CHECK(baton.take() == std::vector<std::string>{"Hi.", "here", "config"});
  CHECK_FALSE(loop->is_here());
}

TEST_CASE("a blocking call on the loop's thread cannot wait for a token that the loop has to bring",
          "[async]") {
  Gate tokens;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    return request.url.ends_with("/token") ? held_back(tokens) : Reply::json(answer("Hi."));
  });
  const auto loop = std::make_shared<EventLoop>();
  const auto other = client_of(server, {.loop = loop});
  const auto client = client_of(
      server, {.credential = Credential::refreshing(std::make_unique<TokenSource>(server.url() + "/token")),
               .timeouts = {.overall = 10s},
               .loop = loop});
  auto first = client.chat.start(hello);
  REQUIRE(server.wait_for_requests(1));
  Baton<std::vector<std::string>> baton;
  other.chat.start(hello).then([&](Result<chat::Response>) {
    std::vector<std::string> seen;
    if (const auto reply = client.chat.create(hello); !reply) seen.emplace_back(name(reply.error().kind));
    for (const auto& chunk : client.chat.stream(hello)) {
      if (!chunk) seen.emplace_back(name(chunk.error().kind));
    }
    if (other.chat.create(hello)) seen.emplace_back("needs no token");
    baton.pass(std::move(seen));
  });
  CHECK(baton.take() == std::vector<std::string>{"config", "config", "needs no token"});
  auto elsewhere = std::thread([&] { CHECK(client.chat.create(hello)); });
  tokens.open();
  CHECK(first.get());
  elsewhere.join();
}

TEST_CASE("a callback that comes too late for the call is called there all the same", "[async]") {
  MockServer server;
  server.push(Reply::json(answer("Hi.")));
  const auto loop = std::make_shared<EventLoop>();
  const auto client = client_of(server, {.loop = loop});
  auto pending = client.chat.start(hello);
  REQUIRE(pending.wait_for(10s));
  Baton<std::string> baton;
  pending.then([&](Result<chat::Response> reply) {
    baton.pass(reply->text() + (loop->is_here() ? " here" : " elsewhere"));
    throw std::runtime_error("for the log");
  });
  CHECK(baton.take() == "Hi. here");
}

TEST_CASE("a callback that comes after the loop's end is called by its caller", "[async]") {
  MockServer server;
  server.push(Reply::json(answer("Hi.")));
  auto client = std::make_optional(client_of(server));
  auto pending = client->chat.start(hello);
  REQUIRE(pending.wait_for(10s));
  client.reset();  // the handle of the answer is the last one, which `then` gives up first
  std::string text;
  pending.then([&](Result<chat::Response> reply) { text = reply->text(); });
  CHECK(text == "Hi.");
}

TEST_CASE("coroutines of any type await answers", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    return Reply::json(answer(request.body.text().find("second") != std::string::npos ? "Two." : "One."));
  });
  const auto client = client_of(server);
  Baton<std::string> baton;
  [](const Client& asked, Baton<std::string>& done) -> Detached {
    const auto first = co_await asked.chat.start(hello);
    auto pending = asked.chat.start({.model = "m", .messages = {chat::user("second")}});
    const auto second = co_await pending;
    done.pass(first->text() + " " + second->text());
  }(client, baton);
  CHECK(baton.take() == "One. Two.");
}

TEST_CASE("there is nothing to wait for where the answer was taken", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  auto taken = client_of(server).chat.start(hello);
  REQUIRE(taken.get());
  CHECK_FALSE(taken.valid());
  CHECK(taken.ready());
  CHECK(taken.wait_for(0s));
  taken.cancel();
  std::vector<ErrorKind> kinds{taken.get().error().kind};
  taken.then([&](Result<chat::Response> reply) { kinds.push_back(reply.error().kind); });
  [](Pending<chat::Response>& empty, std::vector<ErrorKind>& told) -> Detached {
    told.push_back((co_await empty).error().kind);
  }(taken, kinds);
  CHECK(kinds == std::vector(3, ErrorKind::config));
}

TEST_CASE("an executor has callbacks and coroutines go on elsewhere", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto client = client_of(server);
  const auto worker = std::make_shared<HeldTasks>();
  const inferwire::CallOptions there{.executor = worker};
  std::vector<std::thread::id> ran;
  client.chat.start(hello, there).then([&](Result<chat::Response>) {
    ran.push_back(std::this_thread::get_id());
  });
  [](const Client& asked, const inferwire::CallOptions& options,
     std::vector<std::thread::id>& where) -> Detached {
    if (co_await asked.chat.start(hello, options)) where.push_back(std::this_thread::get_id());
  }(client, there, ran);
  while (ran.size() < 2) {
    if (!worker->run()) std::this_thread::yield();
  }
  CHECK(ran == std::vector{std::this_thread::get_id(), std::this_thread::get_id()});
}

TEST_CASE("a client's executor is its calls', but for one that names another", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    if (request.body.text().find("stream") != std::string::npos)
      return Reply::stream({R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"
                            "\n\n"});
    return Reply::json(answer("Hi."));
  });
  const auto worker = std::make_shared<HeldTasks>();
  const auto other = std::make_shared<HeldTasks>();
  const auto client = client_of(server, {.executor = worker});
  std::vector<std::string> ran;
  const auto note = [&ran](const char* name) { return [&ran, name](auto&&...) { ran.emplace_back(name); }; };

  client.chat.start(hello).then(note("call"));
  auto stream = client.chat.open(hello);
  stream.listen(note("element"), note("end"));
  auto refused = client.start("no method", "/");
  refused.then(note("refused"));
  CHECK(ran.empty());
  while (ran.size() < 4) {
    if (!worker->run()) std::this_thread::yield();
  }
  std::ranges::sort(ran);
  CHECK(ran == std::vector<std::string>{"call", "element", "end", "refused"});

  Baton<bool> done;
  client.chat.start(hello, {.executor = other}).then([&](Result<chat::Response>) { done.pass(true); });
  while (!done.passed()) {
    if (!other->run()) std::this_thread::yield();
  }
  Baton<std::thread::id> on_loop;
  client.chat.start(hello, {.executor = inferwire::Executor::on_loop()}).then([&](Result<chat::Response>) {
    on_loop.pass(std::this_thread::get_id());
  });
  CHECK(on_loop.take() != std::this_thread::get_id());
  CHECK(worker->run() == 0);
}

TEST_CASE("a function may say where callbacks go on", "[async]") {
  MockServer server;
  server.push(Reply::json(answer("Hi.")));
  const auto worker = std::make_shared<HeldTasks>();
  const auto client = client_of(server, {.executor = inferwire::Executor::of([worker](inferwire::Task task) {
                                           worker->post(std::move(task));
                                         })});
  Baton<std::thread::id> where;
  client.chat.start(hello).then([&](Result<chat::Response>) { where.pass(std::this_thread::get_id()); });
  while (!where.passed()) {
    if (!worker->run()) std::this_thread::yield();
  }
  CHECK(where.take() == std::this_thread::get_id());
}

TEST_CASE("a batch needs no turn of its client's executor, whose thread may wait for it", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto client = client_of(server, {.executor = std::make_shared<HeldTasks>()});
  const auto replies = chat::create_all(client, std::vector<chat::Request>(3, hello));
  REQUIRE(replies.size() == 3);
  for (const auto& reply : replies) CHECK(reply);
}

TEST_CASE("an executor is where callbacks run of what could not be sent, too", "[async]") {
  const auto worker = std::make_shared<HeldTasks>();
  const inferwire::CallOptions there{.executor = worker};
  const Client no_scheme({.base_url = "api.openai.com", .api_key = "k"});
  Client moved({.api_key = "k"});
  const Client taken = std::move(moved);
  for (const Client* client : {&no_scheme, static_cast<const Client*>(&moved)}) {
    int called = 0;
    client->chat.start(hello, there).then([&](Result<chat::Response> reply) {
      CHECK_FALSE(reply);
      ++called;
      throw std::runtime_error("for nobody");
    });
    client->start("GET", "/", std::nullopt, there).then([&](Result<inferwire::RawResponse>) { ++called; });
    client->models.start_list(there).then([&](Result<inferwire::models::List>) { ++called; });
    CHECK(called == 0);
    while (worker->run()) {}
    CHECK(called == 3);
    client->chat.start(hello).then([&](Result<chat::Response>) { ++called; });
    CHECK(called == 4);  // without one: at once
  }
}

TEST_CASE("a coroutine that is destroyed while the executor has its turn does not go on", "[async]") {
  Gate answers;  // held back until the coroutines wait: what is there already would not need the executor
  Gate streams;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    if (request.body.text().find(R"("stream":true)") == std::string::npos) return held_back(answers);
    auto reply = Reply::stream({"data: {\"choices\":[]}\n\n", "data: [DONE]\n\n"});
    reply.head_gate = streams;
    return reply;
  });
  const auto client = client_of(server);
  const auto worker = std::make_shared<HeldTasks>();
  const inferwire::CallOptions there{.executor = worker};
  bool went_on = false;
  {
    const auto waiting = [](const Client& asked, const inferwire::CallOptions& options, bool& on) -> Owned {
      on = (co_await asked.chat.start(hello, options)).has_value();
    }(client, there, went_on);
    answers.open();
    worker->wait_for();
  }
  worker->run();
  {
    const auto reading = [](const Client& asked, const inferwire::CallOptions& options, bool& on) -> Owned {
      auto stream = asked.chat.open(hello, options);
      co_await stream.next();
      on = true;
    }(client, there, went_on);
    streams.open();
    worker->wait_for();
  }
  worker->run();
  CHECK_FALSE(went_on);
}

TEST_CASE("what a callback throws never reaches who gave it, and the log hears of it where there is one",
          "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto lines = std::make_shared<inferwire_test::Lines>(inferwire::LogLevel::error);
  const auto told = [&] { return lines->lines().size(); };
  const auto waits_for = [&](std::size_t count) {
    for (int i = 0; i < 1000 && told() < count; ++i) std::this_thread::sleep_for(10ms);
    return told() == count;
  };
  const auto throws = [](auto&&...) { throw std::runtime_error("out of luck"); };
  const auto client = client_of(server, {.log = lines});
  const chat::Request refused{.model = "m", .messages = {chat::user("\xff")}};

  client.chat.start(hello).then(throws);
  CHECK(waits_for(1));
  client.chat.start(refused).then(throws);
  CHECK(told() == 2);
  {
    std::vector<Pending<chat::Response>> complete;
    complete.push_back(client.chat.start(hello));
    REQUIRE(complete[0].wait_for(10s));
    inferwire::when_all(std::move(complete)).then(throws);
    CHECK(waits_for(3));
  }
  auto unsent = client.chat.open(refused);
  unsent.listen(throws, throws);
  CHECK(told() == 4);
  std::vector<Pending<chat::Response>> found;
  found.push_back(client.chat.start(hello));
  REQUIRE(found[0].wait_for(10s));
  inferwire::when_any(found).then(throws);
  CHECK(waits_for(5));

  // Nobody knows of which client these were.
  auto pending = client.chat.start(hello);
  REQUIRE(pending.get());
  CHECK_NOTHROW(pending.then(throws));
  const auto stream = std::move(unsent);
  CHECK_NOTHROW(unsent.listen(throws, throws));  // NOLINT: that is the test
  std::vector<Pending<chat::Response>> none;
  CHECK_NOTHROW(inferwire::when_all(std::move(none)).then(throws));
  CHECK(told() == 5);
}

TEST_CASE("callbacks of what waits for several run where those of the calls do, though all are there",
          "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto worker = std::make_shared<HeldTasks>();
  const auto client = client_of(server, {.executor = worker});
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(client.chat.start(hello));
  REQUIRE(calls[0].wait_for(10s));
  int called = 0;
  inferwire::when_any(calls).then([&](auto) { ++called; });
  CHECK(called == 0);
  CHECK(worker->run() == 1);
  CHECK(called == 1);
  inferwire::when_all(std::move(calls)).then([&](auto) { ++called; });
  CHECK(called == 1);
  CHECK(worker->run() == 1);
  CHECK(called == 2);
}

TEST_CASE("an executor whose tasks nobody runs goes with its client, and they with it", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    if (request.body.text().find(R"("stream":true)") == std::string::npos) return Reply::json(answer("Hi."));
    return Reply::stream({"data: {\"choices\":[]}\n\n", "data: [DONE]\n\n"});
  });
  const auto use = GENERATE(0, 1, 2, 3, 4, 5);
  CAPTURE(use);
  auto worker = std::make_shared<HeldTasks>();
  auto held = std::make_shared<int>();
  const std::weak_ptr<int> seen = held;
  const std::weak_ptr<HeldTasks> alive = worker;
  {
    const auto client = use == 0 ? client_of(server) : client_of(server, {.executor = worker});
    const inferwire::CallOptions there{.executor = use == 0 ? worker : nullptr};
    const inferwire::CallOptions refused{.headers = {{"a b", "c"}}};
    const auto callback = [held](Result<chat::Response>) {};
    auto stream = client.chat.open(hello, use == 5 ? refused : there);
    const auto read = [](inferwire::AsyncStream<chat::Chunk>& from) -> Owned { co_await from.next(); };
    std::unique_ptr<Owned> coroutine;
    switch (use) {
      case 2: client.chat.start(hello, refused).then(callback); break;
      case 3:
      case 5: stream.listen([held](const chat::Chunk&) {}, [](Result<void>) {}); break;
      case 4: coroutine.reset(new Owned(read(stream))); break;
      default: client.chat.start(hello, there).then(callback); break;
    }
    worker->wait_for();
  }
  held.reset();
  worker.reset();
  CHECK(alive.expired());
  CHECK(seen.expired());
}

TEST_CASE("an answer can be waited for as long as there are numbers for it", "[async]") {
  Gate gate;
  MockServer server;
  server.set_handler([&](const HttpRequest&) { return held_back(gate); });
  const auto client = client_of(server);
  auto call = client.chat.start(hello, {.timeouts = {.total = inferwire::Duration::max()}});
  CHECK_FALSE(call.wait_for(5ms));
  std::thread opener([&] {
    REQUIRE(server.wait_for_requests(1));
    gate.open();
  });
  CHECK(call.wait_for(inferwire::Duration::max()));
  opener.join();
  CHECK(call.get());
}

TEST_CASE("what a callback throws is told to the log, and the loop goes on", "[async]") {
  class Ear final : public inferwire::Log {
   public:
    inferwire::LogLevel level() const noexcept override { return inferwire::LogLevel::error; }
    void write(inferwire::LogLevel, std::string_view text) noexcept override {
      heard.pass(std::string(text));
    }
    Baton<std::string> heard;
  };
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto log = std::make_shared<Ear>();
  const auto client = client_of(server, {.log = log});
  const auto worker = std::make_shared<HeldTasks>();
  for (const auto& options : {inferwire::CallOptions{}, inferwire::CallOptions{.executor = worker}}) {
    client.chat.start(hello, options).then([](Result<chat::Response>) {
      throw std::runtime_error("my own fault");
    });
    while (options.executor && !worker->run()) std::this_thread::yield();
    CHECK_THAT(log->heard.take(), inferwire_test::contains("my own fault"));
    CHECK(client.chat.start(hello).get());
  }
}

TEST_CASE("a credential that throws is an error of the call", "[async]") {
  MockServer server;
  const auto client =
      client_of(server, {.credential = Credential::callback([]() -> inferwire::Result<inferwire::Secret> {
                           throw std::runtime_error("the vault is shut");
                         })});
  for (const auto& reply : {client.chat.create(hello), client.chat.start(hello).get()}) {
    REQUIRE_FALSE(reply);
    CHECK(reply.error().kind == ErrorKind::auth);
    CHECK_THAT(reply.error().detail, inferwire_test::contains("the vault is shut"));
  }
  CHECK(server.requests().empty());
}

TEST_CASE("a credential that throws when it has been refused is an error of the call", "[async]") {
  class Sore final : public Credential {
   public:
    explicit Sore(bool conceals) : conceals_(conceals) {}
    Prepared prepare(HttpRequest&, inferwire::Instant) override { return Ready{}; }
    bool refused(std::uint64_t) override { throw std::runtime_error("how dare they"); }
    void conceal(std::string&) override {
      if (!conceals_) throw std::runtime_error("how dare they");
    }

   private:
    bool conceals_;
  };
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::error(401, "no such key"); });
  for (const bool conceals : {true, false}) {
    const auto client = client_of(server, {.credential = std::make_shared<Sore>(conceals)});
    for (const auto& reply : {client.chat.create(hello), client.chat.start(hello).get()}) {
      REQUIRE_FALSE(reply);
      CHECK(reply.error().kind == ErrorKind::auth);
      CHECK(reply.error().detail == "the credential threw: how dare they");
      CHECK(reply.error().attempts.size() == 1);
    }
  }
}

TEST_CASE("a transport that throws is an error of the call, and of no other", "[async]") {
  for (const auto where :
       {ThrowingTransport::In::multiplexer, ThrowingTransport::In::start, ThrowingTransport::In::drive}) {
    const auto transport = std::make_shared<ThrowingTransport>(where);
    const Client client({.base_url = "http://localhost",
                         .credential = Credential::none(),
                         .timeouts = {.overall = 10s},
                         .transport = transport});
    const auto complains = [](const Result<chat::Response>& reply) {
      return !reply && reply.error().kind == ErrorKind::connection &&
             reply.error().detail == "the transport threw: out of wire";
    };
    auto asynchronous = client.chat.start(bad);
    auto behind = client.chat.start(hello);
    CHECK(complains(asynchronous.get()));
    if (where == ThrowingTransport::In::multiplexer) {
      CHECK(complains(behind.get()));
      continue;
    }
    CHECK(behind.get());
    CHECK(complains(client.chat.create(bad)));
    CHECK(client.chat.stream(bad).collect().error);
    CHECK(client.chat.create(hello));
  }
}

TEST_CASE("a call is cancelled by its handle, by its token, and by nobody waiting for it", "[async]") {
  const Gate never;
  MockServer server;
  server.set_handler([&](const HttpRequest&) { return held_back(never); });
  const auto client = client_of(server);

  auto by_handle = client.chat.start(hello);
  REQUIRE(server.wait_for_requests(1));
  by_handle.cancel();
  const auto first = by_handle.get();
  REQUIRE_FALSE(first);
  CHECK(first.error().kind == ErrorKind::cancelled);
  CHECK(server.wait_for_close(1));

  CancelSource source;
  auto by_token = client.chat.start(hello, {.cancel = source.token()});
  REQUIRE(server.wait_for_requests(2));
  source.cancel();
  CHECK(by_token.get().error().kind == ErrorKind::cancelled);
  CHECK(server.wait_for_close(2));

  {
    const auto forgotten = client.chat.start(hello);
    REQUIRE(server.wait_for_requests(3));
  }
  CHECK(server.wait_for_close(3));
}

TEST_CASE("a call keeps the place for its facts alive, and no longer than it needs to", "[async]") {
  MockServer server;
  server.push(Reply::json(answer("Hi.")));
  server.push(Reply::json(answer("Hi again.")));
  const auto client = client_of(server);
  const auto start = [&client](std::weak_ptr<inferwire::ResponseInfo>& seen) {
    const auto info = std::make_shared<inferwire::ResponseInfo>();
    seen = info;
    return client.chat.start(hello, {.info = info});
  };
  std::weak_ptr<inferwire::ResponseInfo> seen;
  {
    auto pending = start(seen);
    REQUIRE_FALSE(seen.expired());
    REQUIRE(pending.wait_for(10s));
    CHECK(seen.lock()->head.status == 200);
    REQUIRE(pending.get());
  }
  for (int i = 0; i < 500 && !seen.expired(); ++i) std::this_thread::sleep_for(10ms);
  CHECK(seen.expired());

  std::promise<int> status;
  const auto info = std::make_shared<inferwire::ResponseInfo>();
  client.chat.start(hello, {.info = info}).then([info, &status](const Result<chat::Response>&) {
    status.set_value(info->head.status);
  });
  CHECK(status.get_future().get() == 200);
}

TEST_CASE("retries and renewed tokens are those of every call", "[async]") {
  MockServer server;
  server.push(Reply::error(503).with("Retry-After", "0"));
  server.push(Reply::error(429).with("retry-after-ms", "5"));
  server.push(Reply::json(answer("At last.")));
  const auto client = client_of(server);
  inferwire::ResponseInfo info;
  const auto reply = client.chat.start(hello, {.info = &info}).get();
  REQUIRE(reply);
  CHECK(reply->text() == "At last.");
  CHECK(info.attempts == 3);

  server.push(Reply::error(503));
  const auto refused = client.chat.start(hello, {.retry = inferwire::RetryPolicy::none()}).get();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().attempts.size() == 1);
  CHECK(refused.error().provider == "openai");
}

TEST_CASE("the wait before a retry is cancelled too", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::error(503).with("Retry-After", "30"); });
  const auto client = client_of(server);
  CancelSource source;
  auto pending = client.chat.start(hello, {.cancel = source.token()});
  REQUIRE(server.wait_for_requests(1));
  CHECK_FALSE(pending.wait_for(20ms));
  source.cancel();
  const auto reply = pending.get();
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::cancelled);
  CHECK(reply.error().attempts.size() == 1);
}

TEST_CASE("timers fire on the loop", "[async]") {
  const Gate never;
  MockServer server;
  server.set_handler([&](const HttpRequest&) { return held_back(never); });
  const auto client = client_of(server, {.retry = inferwire::RetryPolicy::none()});
  auto first = client.chat.start(hello, {.timeouts = {.first_byte = 30ms}});
  auto overall = client.chat.start(hello, {.timeouts = {.overall = 40ms}});
  const auto late = first.get();
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::timeout);
  CHECK(late.error().timer == "first_byte");
  CHECK(overall.get().error().timer == "overall");
}

TEST_CASE("many calls are answered, each its own", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto begin = request.body.text().find("number ") + 7;
    return Reply::json(
        answer(request.body.text().substr(begin, request.body.text().find('"', begin) - begin)));
  });
  const auto client = client_of(server);
  std::vector<Pending<chat::Response>> calls;
  for (int i = 0; i < 300; ++i) {
    calls.push_back(
        client.chat.start({.model = "m", .messages = {chat::user("number " + std::to_string(i))}}));
  }
  auto replies = inferwire::when_all(std::move(calls)).get();
  REQUIRE(replies);
  REQUIRE(replies->size() == 300);
  for (std::size_t i = 0; i < replies->size(); ++i) {
    REQUIRE((*replies)[i]);
    CHECK((*replies)[i]->text() == std::to_string(i));
  }
}

TEST_CASE("the first of several answers is told by its place", "[async]") {
  const Gate slow;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    return request.body.text().find("slow") != std::string::npos ? held_back(slow)
                                                                 : Reply::json(answer("Quick."));
  });
  const auto client = client_of(server);
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(client.chat.start({.model = "m", .messages = {chat::user("slow")}}));
  calls.push_back(client.chat.start({.model = "m", .messages = {chat::user("quick")}}));
  CHECK(inferwire::when_any(calls).get().value() == 1);
  CHECK(calls[1].get()->text() == "Quick.");
  Gate(slow).open();
  CHECK(inferwire::when_any(calls).get().value() == 0);
  CHECK(calls[0].get()->text() == "Late.");
}

TEST_CASE("the executor's own thread can wait for several answers", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto client = client_of(server);
  const auto worker = std::make_shared<HeldTasks>();  // this thread is the only one that could run its tasks
  const inferwire::CallOptions there{.executor = worker};
  std::vector<Pending<chat::Response>> calls;
  for (int i = 0; i < 2; ++i) calls.push_back(client.chat.start(hello, there));
  auto first = inferwire::when_any(calls);
  REQUIRE(first.wait_for(10s));
  CHECK(calls[first.get().value()].ready());
  auto all = inferwire::when_all(std::move(calls));
  REQUIRE(all.wait_for(10s));
  CHECK(all.get()->size() == 2);
  CHECK(worker->waiting() == 0);
}

TEST_CASE("what goes on after several answers goes on where the executor says", "[async]") {
  Gate gate;  // held back until they are awaited: what is there already would not need the executor
  MockServer server;
  server.set_handler([&](const HttpRequest&) { return held_back(gate); });
  const auto client = client_of(server);
  const auto worker = std::make_shared<HeldTasks>();
  const auto start = [&] { return client.chat.start(hello, {.executor = worker}); };
  std::vector<Pending<std::vector<Result<chat::Response>>>> groups;
  for (int i = 0; i < 2; ++i) {
    std::vector<Pending<chat::Response>> calls;
    calls.push_back(start());
    groups.push_back(inferwire::when_all(std::move(calls)));
  }
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(start());
  std::vector<std::thread::id> ran;
  inferwire::when_all(std::move(groups)).then([&](auto) { ran.push_back(std::this_thread::get_id()); });
  inferwire::when_any(calls).then([&](auto) { ran.push_back(std::this_thread::get_id()); });
  bool went_on = false;
  {
    std::vector<Pending<chat::Response>> unwanted;
    unwanted.push_back(start());
    const auto waiting = [](std::vector<Pending<chat::Response>> awaited, bool& on) -> Owned {
      static_cast<void>(co_await inferwire::when_all(std::move(awaited)));
      on = true;
    }(std::move(unwanted), went_on);
    gate.open();
    worker->wait_for(3);
  }
  CHECK(ran.empty());
  worker->run();
  CHECK(ran == std::vector{std::this_thread::get_id(), std::this_thread::get_id()});
  CHECK_FALSE(went_on);
}

TEST_CASE("destroying what waits for all cancels all", "[async]") {
  const Gate never;
  MockServer server;
  server.set_handler([&](const HttpRequest&) { return held_back(never); });
  const auto client = client_of(server);
  {
    std::vector<Pending<chat::Response>> calls;
    for (int i = 0; i < 3; ++i) calls.push_back(client.chat.start(hello));
    const auto all = inferwire::when_all(std::move(calls));
    REQUIRE(server.wait_for_requests(3));
  }
  CHECK(server.wait_for_close(3));
}

TEST_CASE("the last handle of a client takes what still runs with it", "[async]") {
  const Gate never;
  MockServer server;
  server.set_handler([&](const HttpRequest&) { return held_back(never); });
  std::atomic<int> cancelled{0};
  {
    const auto client = client_of(server);
    const auto copy = client;
    for (int i = 0; i < 4; ++i) {
      copy.chat.start(hello).then([&](Result<chat::Response> reply) {
        if (!reply && reply.error().kind == ErrorKind::cancelled) ++cancelled;
      });
    }
    REQUIRE(server.wait_for_requests(4));
    CHECK(cancelled == 0);
  }
  CHECK(cancelled == 4);
  CHECK(server.wait_for_close(4));
}

TEST_CASE("the last handle of a client takes those along that are awaited together", "[async]") {
  const Gate never;
  MockServer server;
  server.set_handler([&](const HttpRequest&) { return held_back(never); });
  std::atomic<int> cancelled{0};
  {
    const auto client = client_of(server);
    std::vector<Pending<std::vector<Result<chat::Response>>>> groups;
    for (int group = 0; group < 2; ++group) {
      std::vector<Pending<chat::Response>> calls;
      for (int i = 0; i < 2; ++i) calls.push_back(client.chat.start(hello));
      groups.push_back(inferwire::when_all(std::move(calls)));
    }
    inferwire::when_all(std::move(groups)).then([&](auto all) {
      for (const auto& group : *all) {
        for (const auto& reply : *group) cancelled += reply.error().kind == ErrorKind::cancelled ? 1 : 0;
      }
    });
    REQUIRE(server.wait_for_requests(4));
    CHECK(cancelled == 0);
  }
  CHECK(cancelled == 4);
  CHECK(server.wait_for_close(4));
}

TEST_CASE("an answer that is awaited keeps its client", "[async]") {
  const Gate gate;
  MockServer server;
  server.push(held_back(gate));
  auto pending = client_of(server).chat.start(hello);
  REQUIRE(server.wait_for_requests(1));
  Gate(gate).open();
  CHECK(pending.get()->text() == "Late.");
}

TEST_CASE("the last handle may go on the loop's own thread", "[async]") {
  MockServer server;
  server.push(Reply::json(answer("Hi.")));
  auto baton = std::make_shared<Baton<int>>();
  {
    auto client = std::make_shared<Client>(client_of(server));
    auto& chat = client->chat;
    chat.start(hello).then([client = std::move(client), baton](Result<chat::Response>) mutable {
      client.reset();
      baton->pass(1);
    });
  }
  CHECK(baton->take() == 1);
}

TEST_CASE("clients share a loop, and leave it one by one", "[async]") {
  MockServer one;
  MockServer two;
  const Gate never;
  one.set_handler([&](const HttpRequest&) { return held_back(never); });
  two.set_handler([](const HttpRequest&) { return Reply::json(answer("Two.")); });
  const auto loop = std::make_shared<EventLoop>();
  const auto second = client_of(two, {.loop = loop});
  std::atomic<int> cancelled{0};
  {
    const auto first = client_of(one, {.loop = loop});
    first.chat.start(hello).then([&](Result<chat::Response> reply) { cancelled += reply ? 0 : 1; });
    REQUIRE(one.wait_for_requests(1));
    CHECK(second.chat.start(hello).get()->text() == "Two.");
  }
  CHECK(cancelled == 1);
  CHECK(second.chat.start(hello).get()->text() == "Two.");
}

TEST_CASE("a client that leaves on the loop's own thread takes nothing of the next one along", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto loop = std::make_shared<EventLoop>();
  const auto stays = client_of(server, {.loop = loop});
  std::optional<Client> leaves;
  Baton<int> made;
  stays.chat.start(hello).then([&](Result<chat::Response>) {
    leaves.emplace(client_of(server, {.loop = loop}));  // by this thread, so that its memory is used again
    made.pass(1);
  });
  made.take();
  REQUIRE(leaves->chat.start(hello).get());
  Baton<Pending<chat::Response>> baton;
  stays.chat.start(hello).then([&](Result<chat::Response>) {
    leaves.reset();
    baton.pass(client_of(server, {.loop = loop}).chat.start(hello));  // where the other one was, most likely
  });
  const auto reply = baton.take().get();
  CHECK((reply ? reply->text() : reply.error().message()) == "Hi.");
}

TEST_CASE("a loop lets so many calls run at a time", "[async]") {
  MockServer server;
  std::vector<Gate> gates(6);
  std::atomic<std::size_t> asked{0};
  server.set_handler([&](const HttpRequest&) { return held_back(gates[asked++]); });
  const auto loop = std::make_shared<EventLoop>(inferwire::EventLoopOptions{.max_calls_per_host = 2});
  const auto client = client_of(server, {.loop = loop});
  std::vector<Pending<chat::Response>> calls;
  for (std::size_t i = 0; i < gates.size(); ++i) calls.push_back(client.chat.start(hello));
  for (std::size_t i = 0; i < gates.size(); ++i) {
    REQUIRE(server.wait_for_requests(std::min(i + 2, gates.size())));
    CHECK_FALSE(server.wait_for_requests(i + 3, 5ms));
    gates[i].open();
  }
  for (auto& call : calls) CHECK(call.get());
  CHECK(server.connections() == 2);
}

TEST_CASE("turns that come free together go to as many calls", "[async]") {
  MockServer server;
  std::vector<Gate> gates(4);
  std::atomic<std::size_t> asked{0};
  server.set_handler([&](const HttpRequest& request) {
    if (request.body.text().find("quick") != std::string::npos) return Reply::json(answer("Quick."));
    return held_back(gates[asked++]);
  });
  const auto loop = std::make_shared<EventLoop>(inferwire::EventLoopOptions{.max_calls_per_host = 2});
  const auto client = client_of(server, {.loop = loop});
  std::vector<Pending<chat::Response>> calls;
  for (std::size_t i = 0; i < gates.size(); ++i) calls.push_back(client.chat.start(hello));
  REQUIRE(server.wait_for_requests(2));

  // Both answers are there when the loop looks next, since a call to another host keeps it busy.
  const Client elsewhere(
      {.base_url = server.url("localhost") + "/v1", .credential = Credential::none(), .loop = loop});
  Baton<int> busy;
  Baton<int> go_on;
  elsewhere.chat.start({.model = "m", .messages = {chat::user("quick")}}).then([&](Result<chat::Response>) {
    busy.pass(1);
    go_on.take();
  });
  busy.take();
  gates[0].open();
  gates[1].open();
  std::this_thread::sleep_for(50ms);
  go_on.pass(1);
  CHECK(server.wait_for_requests(5));  // the one elsewhere among them
  gates[2].open();
  gates[3].open();
  for (auto& call : calls) CHECK(call.get());
}

TEST_CASE("a client that leaves a shared loop takes its connections along", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto loop = std::make_shared<EventLoop>();
  const auto ask = [&] { REQUIRE(client_of(server, {.loop = loop}).chat.start(hello).get()); };
  ask();
  const auto before = open_files();
  for (int i = 0; i < 8; ++i) ask();
  // The server closes its ends a little later.
  for (int i = 0; i < 500 && open_files() > before; ++i) std::this_thread::sleep_for(10ms);
  CHECK(open_files() <= before);
  CHECK(server.connections() == 9);
}

TEST_CASE("a client that leaves a shared loop takes along what carried its calls", "[async]") {
  struct Alive {
    std::atomic<int> transports{0};
    std::atomic<int> multiplexers{0};
  };
  class Carrier final : public inferwire::Multiplexer {
   public:
    Carrier(std::shared_ptr<Alive> alive, std::unique_ptr<inferwire::Multiplexer> inner)
        : alive_(std::move(alive)), inner_(std::move(inner)) {
      ++alive_->multiplexers;
    }
    ~Carrier() override {
      --alive_->multiplexers;
      CHECK(alive_->transports == 1);
    }
    Result<std::unique_ptr<inferwire::Exchange>> start(HttpRequest request, inferwire::Sink& sink,
                                                       const inferwire::ExchangeOptions& options) override {
      return inner_->start(std::move(request), sink, options);
    }
    void wake() noexcept override { inner_->wake(); }
    void run(inferwire::TimePoint deadline) override { inner_->run(deadline); }

   private:
    std::shared_ptr<Alive> alive_;
    std::unique_ptr<inferwire::Multiplexer> inner_;
  };
  class Own final : public inferwire::Transport {
   public:
    explicit Own(std::shared_ptr<Alive> alive) : alive_(std::move(alive)) { ++alive_->transports; }
    ~Own() override { --alive_->transports; }
    Result<std::unique_ptr<inferwire::Exchange>> start(HttpRequest request, inferwire::Sink& sink,
                                                       const inferwire::ExchangeOptions& options) override {
      return inner_->start(std::move(request), sink, options);
    }
    void wake() noexcept override { inner_->wake(); }
    std::unique_ptr<inferwire::Multiplexer> multiplexer() override {
      return std::make_unique<Carrier>(alive_, inner_->multiplexer());
    }

   private:
    std::shared_ptr<Alive> alive_;
    std::shared_ptr<inferwire::Transport> inner_ = inferwire::network_transport();
  };
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto loop = std::make_shared<EventLoop>();
  const auto stays = client_of(server, {.loop = loop});
  REQUIRE(stays.chat.start(hello).get());
  const auto alive = std::make_shared<Alive>();
  {
    const auto client = client_of(server, {.transport = std::make_shared<Own>(alive), .loop = loop});
    REQUIRE(client.chat.start(hello).get());
    CHECK(alive->multiplexers == 1);
  }
  CHECK(alive->multiplexers == 0);
  CHECK(alive->transports == 0);
  CHECK(stays.chat.start(hello).get());

  // A client with a loop of its own, whose last handle goes on that loop's thread.
  Baton<int> gone;
  {
    auto last = std::make_shared<Client>(client_of(server, {.transport = std::make_shared<Own>(alive)}));
    auto call = last->chat.start(hello);
    call.then([&gone, last](Result<chat::Response>) mutable {
      last.reset();
      gone.pass(1);
    });
  }
  gone.take();
  for (int i = 0; i < 500 && alive->transports > 0; ++i) std::this_thread::sleep_for(10ms);
  CHECK(alive->multiplexers == 0);
  CHECK(alive->transports == 0);
}

TEST_CASE("nothing is written for who has dropped several calls at once, and the client waits for them",
          "[async]") {
  const Gate never;
  MockServer server;
  server.set_handler([&](const HttpRequest&) { return held_back(never); });
  std::vector<inferwire::ResponseInfo> infos(8);
  {
    const auto client = client_of(server);
    std::vector<Pending<chat::Response>> calls;
    for (auto& info : infos) calls.push_back(client.chat.start(hello, {.info = &info}));
    REQUIRE(server.wait_for_requests(8));
    auto all = inferwire::when_all(std::move(calls));
    CHECK_FALSE(all.wait_for(1ms));
  }
  std::this_thread::sleep_for(100ms);  // nor later
  for (const auto& info : infos) CHECK(info.attempts == 0);
}

TEST_CASE("who waits for any of several may stop waiting", "[async]") {
  const Gate gate;
  MockServer server;
  server.set_handler([&](const HttpRequest&) { return held_back(gate); });
  const auto client = client_of(server);
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(client.chat.start(hello));
  auto any = inferwire::when_any(calls);
  any.cancel();
  const auto none = any.get();
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == ErrorKind::cancelled);
  auto open = gate;
  open.open();
  CHECK(calls[0].get());
}

TEST_CASE("a call that waits for its turn can be cancelled and can run out of time", "[async]") {
  const Gate never;
  MockServer server;
  server.set_handler([&](const HttpRequest&) { return held_back(never); });
  const auto loop = std::make_shared<EventLoop>(inferwire::EventLoopOptions{.max_calls = 1});
  const auto client = client_of(server, {.loop = loop});
  auto running = client.chat.start(hello);
  REQUIRE(server.wait_for_requests(1));
  auto late = client.chat.start(hello, {.timeouts = {.overall = 20ms}});
  auto unwanted = client.chat.start(hello);
  CHECK(late.get().error().timer == "overall");
  unwanted.cancel();
  CHECK(unwanted.get().error().kind == ErrorKind::cancelled);
  CHECK(server.requests().size() == 1);
  auto next = client.chat.start(hello);
  running.cancel();
  CHECK(server.wait_for_requests(2));
}

TEST_CASE("a loop on which no call may be under way refuses all, instead of keeping them waiting",
          "[async]") {
  for (const inferwire::EventLoopOptions& none :
       {inferwire::EventLoopOptions{.max_calls = 0}, inferwire::EventLoopOptions{.max_calls_per_host = 0}}) {
    const Client client({.base_url = "http://127.0.0.1:1",
                         .credential = Credential::none(),
                         .loop = std::make_shared<EventLoop>(none)});
    auto call = client.chat.start(hello);
    REQUIRE(call.wait_for(10s));
    const auto refused = call.get();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::config);
    CHECK(refused.error().detail.find("is 0") != std::string::npos);
  }
}

TEST_CASE("a turn that comes to a call as it is cancelled goes to the next one", "[async]") {
  const Gate never;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    return request.body.text().find("quick") != std::string::npos ? Reply::json(answer("Quick."))
                                                                  : held_back(never);
  });
  const auto loop = std::make_shared<EventLoop>(inferwire::EventLoopOptions{.max_calls_per_host = 1});
  const auto client = client_of(server, {.loop = loop});
  auto running = client.chat.start(hello);
  REQUIRE(server.wait_for_requests(1));
  auto second = client.chat.start(hello);
  const auto third = client.chat.start(hello);

  // The loop hears of both cancellations at once, since a call to another host keeps it busy.
  ClientOptions other{
      .base_url = server.url("localhost") + "/v1", .credential = Credential::none(), .loop = loop};
  const Client elsewhere(std::move(other));
  Baton<int> busy;
  Baton<int> go_on;
  elsewhere.chat.start({.model = "m", .messages = {chat::user("quick")}}).then([&](Result<chat::Response>) {
    busy.pass(1);
    go_on.take();
  });
  busy.take();
  running.cancel();
  second.cancel();
  go_on.pass(1);
  CHECK(server.wait_for_requests(3));  // the first, the one elsewhere, and the third
}

TEST_CASE("clients that come and go on a shared loop and transport leave their connection to the next",
          "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto loop = std::make_shared<EventLoop>();
  for (int i = 0; i < 2; ++i) {
    auto transport = inferwire::network_transport();
    for (int call = 0; call < 5; ++call) {
      REQUIRE(client_of(server, {.transport = transport, .loop = loop}).chat.start(hello).get());
    }
  }
  CHECK(server.connections() == 2);
  // One that nobody else has goes with its client, and one whose transport is gone with whoever comes next.
  REQUIRE(client_of(server, {.loop = loop}).chat.start(hello).get());
  CHECK(server.wait_for_close(3));
}

TEST_CASE("connections that wait for their next client do not keep a loop awake", "[async]") {
  /// Counts how often its exchanges are driven, which take turns, as it has no multiplexer.
  struct Counting final : inferwire::Transport {
    struct Counted final : inferwire::Exchange {
      Counted(std::unique_ptr<inferwire::Exchange> one, std::atomic<int>& all)
          : inner(std::move(one)), drives(all) {}
      inferwire::Progress drive(inferwire::TimePoint deadline) override {
        ++drives;
        return inner->drive(deadline);
      }
      void pause() override { inner->pause(); }
      void resume() override { inner->resume(); }
      std::unique_ptr<inferwire::Exchange> inner;
      std::atomic<int>& drives;
    };
    Result<std::unique_ptr<inferwire::Exchange>> start(HttpRequest request, inferwire::Sink& sink,
                                                       const inferwire::ExchangeOptions& options) override {
      auto exchange = inner->start(std::move(request), sink, options);
      if (!exchange) return exchange;
      return std::unique_ptr<inferwire::Exchange>(std::make_unique<Counted>(*std::move(exchange), drives));
    }
    void wake() noexcept override { inner->wake(); }
    bool is_remote() const noexcept override { return true; }
    std::shared_ptr<Transport> inner = inferwire::network_transport();
    std::atomic<int> drives{0};
  };
  MockServer server;
  server.push(Reply::json(answer("Hi.")));
  server.push(Reply::silence());
  const auto loop = std::make_shared<EventLoop>();
  const auto kept = inferwire::network_transport();
  REQUIRE(client_of(server, {.transport = kept, .loop = loop}).chat.start(hello).get());
  const auto counting = std::make_shared<Counting>();
  const auto silent =
      client_of(server, {.timeouts = {.overall = 300ms}, .transport = counting, .loop = loop});
  REQUIRE(silent.chat.start(hello).get().error().kind == ErrorKind::timeout);
  CHECK(server.connections() == 2);
  CHECK(counting->drives < 50);
}

TEST_CASE("what a loop keeps for a transport's next client keeps nothing of blocking calls open", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto loop = std::make_shared<EventLoop>();
  auto transport = inferwire::network_transport();
  {
    const auto client = client_of(server, {.transport = transport, .loop = loop});
    REQUIRE(client.chat.start(hello).get());
    REQUIRE(client.chat.create(hello));
  }
  CHECK(server.open_connections() == 2);
  transport.reset();
  CHECK(server.wait_for_close(1));
}

TEST_CASE("a loop closes connections that are too old to be used again", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json(answer("Hi.")); });
  const auto client = client_of(server, {.network = {.max_idle = 1s}});
  REQUIRE(client.chat.start(hello).get());
  CHECK(server.open_connections() == 1);
  CHECK(server.wait_for_close(1));
  REQUIRE(client.chat.start(hello).get());
  CHECK(server.connections() == 2);
}
