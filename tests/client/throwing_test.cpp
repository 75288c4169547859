/// \file
/// Exceptions from callbacks, credentials and transports.

#include "client/held_tasks.hpp"
#include "inferwire/inferwire.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/eventually.hpp"
#include "support/listeners.hpp"
#include "support/mock_calls.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

const chat::Request bad{.model = "m", .messages = {chat::user("throw")}};

/// Answers, but throws in one place; exchanges throw for requests that contain "throw".
class ThrowingTransport final : public inferwire::Transport {
 public:
  enum class In : std::uint8_t { multiplexer, start, drive };

  explicit ThrowingTransport(In where) : where_(where) {
    script_.set_handler([](const HttpRequest&) { return Reply::json(answer_of("Hi.")); });
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

}  // namespace

TEST_CASE("an exception of a callback goes to the log, not to the caller", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto lines = std::make_shared<inferwire_test::Lines>(inferwire::LogLevel::error);
  const auto told = [&] { return lines->lines().size(); };
  const auto waits_for = [&](std::size_t count) {
    return eventually([&] { return told() >= count; }) && told() == count;
  };
  const auto throws = [](auto&&...) { throw std::runtime_error("out of\nluck"); };
  const auto client = client_of(server, {.log = lines});
  const chat::Request refused{.model = "m", .messages = {chat::user("\xff")}};

  client.chat.start(hello, {.label = "order-1"}).then(throws);
  CHECK(waits_for(1));
  client.chat.start(refused, {.label = "order-1"}).then(throws);
  CHECK(told() == 2);
  for (const auto& line : lines->lines()) CHECK(line == "[order-1] a callback threw: out of luck");
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

  // These have no client whose log could receive the exception.
  auto pending = client.chat.start(hello);
  REQUIRE(pending.get());
  CHECK_NOTHROW(pending.then(throws));
  const auto stream = std::move(unsent);
  CHECK_NOTHROW(unsent.listen(throws, throws));  // NOLINT: deliberately moved from
  std::vector<Pending<chat::Response>> none;
  CHECK_NOTHROW(inferwire::when_all(std::move(none)).then(throws));
  CHECK(told() == 5);
}

TEST_CASE("an on_end that listen() calls may destroy its stream and then throw", "[async]") {
  MockServer server;
  const auto lines = std::make_shared<inferwire_test::Lines>(inferwire::LogLevel::error);
  const auto client = client_of(server, {.log = lines});
  std::optional<AsyncStream<chat::Chunk>> stream;
  const auto open = [&](Reply reply) {
    server.push(std::move(reply));
    server.push(Reply::json(answer_of("Hi.")));
    stream = client.chat.open(hello, {.label = "an order with a long number"});
  };
  const auto listen = [&] {
    stream->listen([](const chat::Chunk&) { FAIL_CHECK("there is no element"); },
                   [&](Result<void>) {
                     stream.reset();
                     // Once the loop has answered this call, it has let go of the stream.
                     CHECK(client.chat.start(hello).get());
                     throw std::runtime_error("out of luck");
                   });
  };
  SECTION("after the end") {
    open(whole_stream({"One ", "two."}));
    while (stream->get() != nullptr) {}
    listen();
  }
  SECTION("as a second listener") {
    open(unfinished_stream({chunk("One ")}));
    Baton<bool> begun;
    stream->listen([&](const chat::Chunk&) { begun.pass(true); },
                   [](Result<void>) { FAIL_CHECK("the stream is destroyed"); });
    begun.take();
    listen();
  }
  CHECK(lines->lines() ==
        std::vector<std::string>{"[an order with a long number] a callback threw: out of luck"});
}

TEST_CASE("the loop goes on after an exception of a callback", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  Baton<std::string> heard;
  const auto log = inferwire::Log::of(
      [&heard](inferwire::LogLevel, std::string_view text) { heard.pass(std::string(text)); },
      inferwire::LogLevel::error);
  const auto client = client_of(server, {.log = log});
  const auto worker = std::make_shared<HeldTasks>();
  for (const auto& options : {inferwire::CallOptions{}, inferwire::CallOptions{.executor = worker}}) {
    client.chat.start(hello, options).then([](Result<chat::Response>) {
      throw std::runtime_error("my own fault");
    });
    while (options.executor && !worker->run()) std::this_thread::yield();
    CHECK_THAT(heard.take(), inferwire_test::contains("my own fault"));
    CHECK(client.chat.start(hello).get());
  }
}

TEST_CASE("an exception of Credential::prepare is the call's error", "[async]") {
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

TEST_CASE("an exception met on the way to a client's options is the error of its calls", "[async]") {
  enum class In : std::uint8_t { offer, base_url, describe, variable, variable_of_network };
  class Sore final : public Credential {
   public:
    explicit Sore(In where) : where_(where) {}
    Prepared prepare(HttpRequest&, inferwire::Instant) override { return Ready{}; }
    void offer(const inferwire::AuthRow&, const inferwire::AuthInputs&) override { complain_in(In::offer); }
    Result<std::string> base_url(const std::string& usual) override {
      complain_in(In::base_url);
      return usual;
    }
    inferwire::AuthReport describe() override {
      complain_in(In::describe);
      return {};
    }

   private:
    void complain_in(In here) const {
      if (where_ == here) throw std::runtime_error("no idea");
    }

    In where_;
  };
  class Unreadable final : public inferwire::Environment {
   public:
    inferwire::Optional<std::string> variable(const std::string&) const override {
      throw std::runtime_error("no idea");
    }
    Result<inferwire::Optional<std::string>> file(const std::string&) const override {
      return inferwire::Optional<std::string>();
    }
  };
  const auto unused = std::make_shared<ThrowingTransport>(ThrowingTransport::In::drive);
  for (const auto where : {In::offer, In::base_url, In::describe, In::variable, In::variable_of_network}) {
    CAPTURE(static_cast<int>(where));
    const bool reads_badly = where == In::variable || where == In::variable_of_network;
    const auto environment = reads_badly ? std::make_shared<Unreadable>() : inferwire::Environment::none();
    const auto lines = std::make_shared<inferwire_test::Lines>(inferwire::LogLevel::debug);
    const Client client({.credential = std::make_shared<Sore>(where),
                         .log = where == In::describe ? lines : nullptr,
                         .transport = where == In::variable_of_network ? nullptr : unused,
                         .environment = environment});
    const std::string said = reads_badly ? "the environment threw: no idea" : "the credential threw: no idea";
    for (const auto& reply : {client.chat.create(hello), client.chat.start(hello).get()}) {
      REQUIRE(reply.has_value() == (where == In::describe));
      if (reply) continue;
      CHECK(reply.error().kind == ErrorKind::config);
      CHECK(reply.error().detail == said);
    }
    const auto report = client.describe_auth();
    REQUIRE(report.problem);
    CHECK(report.problem->detail == said);
  }
}

TEST_CASE("an exception of Credential::refused or conceal is the call's error", "[async]") {
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
  AnsweringServer server(Reply::error(401, "no such key"));
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

TEST_CASE("an exception of a transport is its call's error only", "[async]") {
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
