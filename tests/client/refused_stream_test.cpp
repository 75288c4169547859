/// \file
/// Streams that are refused with an error status whose body does not end, and bodies without a head.

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/transport.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/mock_calls.hpp"
#include "support/scripted_client.hpp"

#include <limits>
#include <memory>
#include <string>
#include <utility>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

constexpr auto endless = std::numeric_limits<std::uint64_t>::max();

/// An error status with `begin` as its body, followed by `again` every 300 ms, forever.
Reply trickling(int status, std::string begin, std::string again, std::chrono::milliseconds every = 300ms) {
  Reply reply{.status = status, .headers = {{"Content-Type", "application/json"}}};
  reply.framing = BodyFraming::chunked;
  reply.body = {{.bytes = std::move(begin)}, {.bytes = std::move(again), .delay = every, .times = endless}};
  return reply;
}

const std::string bad_key = R"({"error":{"message":"bad key"}})";

/// Gives every request a body without a head.
class HeadlessTransport final : public inferwire::Transport {
 public:
  Result<std::unique_ptr<inferwire::Exchange>> start(HttpRequest, inferwire::Sink& sink,
                                                     const inferwire::ExchangeOptions&) override {
    return std::unique_ptr<inferwire::Exchange>(std::make_unique<Headless>(sink));
  }
  void wake() noexcept override {}

 private:
  class Headless final : public inferwire::Exchange {
   public:
    explicit Headless(inferwire::Sink& sink) : sink_(sink) {}
    inferwire::Progress drive(inferwire::TimePoint) override {
      if (std::exchange(over_, true)) return inferwire::Progress::ended;
      sink_.on_connected();
      sink_.on_sent();
      sink_.on_body(chunk("Hi."));
      sink_.on_body(stop + done);
      sink_.on_end(nullptr);
      return inferwire::Progress::ended;
    }
    void pause() override {}
    void resume() override {}

   private:
    inferwire::Sink& sink_;
    bool over_{};
  };
};

}  // namespace

TEST_CASE("an error status whose body trickles ends a stream after ten seconds with the status's error") {
  for (const auto& total : {Optional<Duration>(600s), Optional<Duration>()}) {
    const ScriptedClient service({trickling(401, bad_key, " ")}, {.timeouts = {.total = total}});
    const auto before = service.clock->now();
    const auto got = service.client.chat.stream(hello).collect();
    REQUIRE(got.error);
    CHECK(got.error->kind == ErrorKind::auth);
    CHECK(got.error->status == 401);
    CHECK(got.error->detail == "bad key");
    CHECK(got.error->body.starts_with(bad_key));
    CHECK(service.clock->now() - before <= 11s);
    CHECK(service.requests() == 1);
  }
}

TEST_CASE("an error status whose body trickles is retried by its status") {
  const ScriptedClient service({trickling(503, ": ping\n\n", ": ping\n\n"), whole_stream({"Hi."})});
  const auto got = service.client.chat.stream(hello).collect();
  CHECK_FALSE(got.error);
  CHECK(got.response.text() == "Hi.");
  CHECK(service.requests() == 2);
}

TEST_CASE("total limits an error status whose body trickles, in blocking and asynchronous streams") {
  AnsweringServer server(trickling(401, bad_key, " ", 1ms));
  auto options = options_for(server);
  options.timeouts.total = 50ms;
  const Client client(options);
  const auto check = [](const auto& error) {
    REQUIRE(error);
    CHECK(error->kind == ErrorKind::auth);
    CHECK(error->detail == "bad key");
  };
  check(client.chat.stream(hello).collect().error);
  check(client.chat.open(hello).collect().get().error);
}

TEST_CASE("a body without a head is an error, to every kind of call") {
  const Client client({.base_url = "http://localhost",
                       .credential = Credential::none(),
                       .retry = RetryPolicy::none(),
                       .transport = std::make_shared<HeadlessTransport>()});
  const auto check = [](const inferwire::Error& error) {
    CHECK(error.kind == ErrorKind::connection);
    CHECK_THAT(error.detail, contains("without a head"));
  };
  const auto streamed = client.chat.stream(hello).collect();
  REQUIRE(streamed.error);
  check(*streamed.error);
  const auto opened = client.chat.open(hello).collect().get();
  REQUIRE(opened.error);
  check(*opened.error);
  const auto raw = client.stream("/events").collect();
  REQUIRE(raw.error);
  check(*raw.error);
  const auto created = client.chat.create(hello);
  REQUIRE_FALSE(created);
  check(created.error());
  const auto started = client.chat.start(hello).get();
  REQUIRE_FALSE(started);
  check(started.error());
}
