#include "inferwire/engine/engine_transport.hpp"

#include "support/catch.hpp"
#include "support/scripted_service.hpp"

#include <future>
#include <string>
#include <thread>

using namespace inferwire;
using namespace inferwire_test;
using namespace std::chrono_literals;

namespace {

const HttpRequest request{.url = "http://engine.local/v1/chat/completions", .body = "{}"};

/// Advances only when a thread waits on it: then it jumps to the end of the wait.
class LeapingClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return now_; }
  void wait(std::unique_lock<std::mutex>&, std::condition_variable&, TimePoint until) override {
    now_ = until;
  }

 private:
  TimePoint now_{TimePoint() + 1000h};
};

struct Recorder final : Sink {
  std::string log{};
  std::string body{};
  std::optional<Error> failure{};

  void on_connected() override { log += 'c'; }
  void on_sent() override { log += 's'; }
  void on_head(const ResponseHead&) override { log += 'h'; }
  void on_body(std::string_view bytes) override {
    log += 'b';
    body += bytes;
  }
  void on_end(const Error* error) override {
    log += 'e';
    if (error != nullptr) failure = *error;
  }
};

TimePoint soon() { return std::chrono::steady_clock::now() + 10s; }

}  // namespace

TEST_CASE("an exchange delivers connection, head, body and end in order, one delivery a drive") {
  const auto service =
      std::make_shared<ScriptedService>(ScriptedAnswer{.steps = {send("a"), work(), send("b")}});
  engine::EngineTransport transport(service);
  Recorder sink;
  auto exchange = transport.start(request, sink, {});
  REQUIRE(exchange);
  CHECK(service->requests().empty());  // nothing happens before the exchange is driven

  CHECK((*exchange)->drive(soon()) == Progress::delivered);
  CHECK(sink.log == "csh");
  CHECK((*exchange)->drive(soon()) == Progress::delivered);
  CHECK((*exchange)->drive(soon()) == Progress::delivered);
  CHECK((*exchange)->drive(soon()) == Progress::ended);
  CHECK((*exchange)->drive(soon()) == Progress::ended);
  CHECK(sink.log == "cshbbe");
  CHECK(sink.body == "ab");
  CHECK_FALSE(sink.failure);
}

TEST_CASE("an answer that breaks off ends with a connection error after its head") {
  const bool streamed = GENERATE(true, false);
  const bool has_body = GENERATE(true, false);
  engine::EngineTransport transport(std::make_shared<ScriptedService>(
      ScriptedAnswer{.streamed = streamed, .steps = {has_body ? send("a") : work(), break_off()}}));
  Recorder sink;
  auto exchange = transport.start(request, sink, {});
  while ((*exchange)->drive(soon()) != Progress::ended) {}
  REQUIRE(sink.failure);
  CHECK(sink.failure->kind == ErrorKind::connection);
  CHECK(sink.log == (has_body ? "cshbe" : "cshe"));
}

TEST_CASE("EngineTransport waits by its Clock, without real time") {
  const auto clock = std::make_shared<LeapingClock>();
  engine::EngineTransport transport(
      std::make_shared<ScriptedService>(ScriptedAnswer{.steps = {pause_for(1h), send("a")}}), clock);
  Recorder sink;
  auto exchange = transport.start(request, sink, {});
  const auto begin = clock->now();
  CHECK((*exchange)->drive(begin + 24h) == Progress::delivered);
  CHECK((*exchange)->drive(begin + 59min) == Progress::deadline);
  CHECK(sink.body.empty());
  CHECK((*exchange)->drive(begin + 24h) == Progress::delivered);
  CHECK(sink.body == "a");
  CHECK(clock->now() == begin + 1h);
}

TEST_CASE("a deadline in the past looks once and delivers what is there") {
  engine::EngineTransport transport(
      std::make_shared<ScriptedService>(ScriptedAnswer{.steps = {send("a"), work()}, .endless = true}));
  Recorder sink;
  auto exchange = transport.start(request, sink, {});
  CHECK((*exchange)->drive(TimePoint::min()) == Progress::delivered);
  CHECK((*exchange)->drive(TimePoint::min()) == Progress::delivered);
  CHECK((*exchange)->drive(TimePoint::min()) == Progress::deadline);
  CHECK(sink.log == "cshb");
}

TEST_CASE("a paused exchange delivers nothing and does no work until it is resumed") {
  const auto clock = std::make_shared<LeapingClock>();
  const auto service =
      std::make_shared<ScriptedService>(ScriptedAnswer{.steps = {send("a")}, .endless = true});
  engine::EngineTransport transport(service, clock);
  Recorder sink;
  auto exchange = transport.start(request, sink, {});
  (*exchange)->drive(clock->now() + 1s);
  (*exchange)->drive(clock->now() + 1s);
  (*exchange)->pause();
  const int steps = service->steps;
  CHECK((*exchange)->drive(clock->now() + 1s) == Progress::deadline);
  CHECK(service->steps == steps);
  CHECK(sink.log == "cshb");
  (*exchange)->resume();
  CHECK((*exchange)->drive(clock->now() + 1s) == Progress::delivered);
  CHECK(sink.log == "cshbb");
}

TEST_CASE("wake ends the drives under way, or the next one when there is none") {
  const auto service = std::make_shared<ScriptedService>(ScriptedAnswer{.steps = {pause_for(1h)}});
  engine::EngineTransport transport(service);
  Recorder sink;
  auto exchange = transport.start(request, sink, {});
  transport.wake();
  CHECK((*exchange)->drive(soon()) == Progress::woken);
  CHECK((*exchange)->drive(soon()) == Progress::delivered);

  auto driven = std::async(std::launch::async, [&] { return (*exchange)->drive(soon() + 60s); });
  while (service->steps == 0) std::this_thread::yield();
  transport.wake();
  CHECK(driven.get() == Progress::woken);
}

TEST_CASE("destroying an exchange stops its answer and leaves others alone") {
  const auto service =
      std::make_shared<ScriptedService>(ScriptedAnswer{.steps = {send("a")}, .endless = true});
  engine::EngineTransport transport(service);
  Recorder first, second;
  auto one = transport.start(request, first, {});
  auto two = transport.start(request, second, {});
  for (int i = 0; i < 3; ++i) {
    (*one)->drive(soon());
    (*two)->drive(soon());
  }
  CHECK(service->running == 2);
  one->reset();
  CHECK(service->running == 1);
  CHECK((*two)->drive(soon()) == Progress::delivered);
  CHECK(first.log == "cshbb");
  CHECK(second.log == "cshbbb");
}

TEST_CASE("a released exchange delivers nothing more") {
  engine::EngineTransport transport(
      std::make_shared<ScriptedService>(ScriptedAnswer{.steps = {send("a")}, .endless = true}));
  Recorder sink;
  auto exchange = transport.start(request, sink, {});
  (*exchange)->drive(soon());
  (*exchange)->release();
  CHECK((*exchange)->drive(soon()) == Progress::ended);
  CHECK(sink.log == "csh");
}

TEST_CASE("a body beyond its limit ends as too large") {
  engine::EngineTransport transport(
      std::make_shared<ScriptedService>(ScriptedAnswer{.steps = {send("abc"), send("d")}}));
  Recorder sink;
  auto exchange = transport.start(request, sink, {.max_body_bytes = 3});
  while ((*exchange)->drive(soon()) != Progress::ended) {}
  CHECK(sink.body == "abc");
  REQUIRE(sink.failure);
  CHECK(sink.failure->kind == ErrorKind::too_large);
}

TEST_CASE("EngineTransport::start refuses what could not be sent over a socket") {
  engine::EngineTransport transport(std::make_shared<ScriptedService>(ScriptedAnswer{}));
  Recorder sink;
  const auto refused =
      GENERATE(HttpRequest{.url = "engine.local/v1"}, HttpRequest{.url = "http://engine.local/a\r\nb"},
               HttpRequest{.url = "http://engine.local/a b"}, HttpRequest{.url = "http:///v1"},
               HttpRequest{.url = "http://engine.local:99999/"},
               HttpRequest{.url = "http://u:p@engine.local/"}, HttpRequest{.url = "http://[::1/"},
               HttpRequest{.url = "http://engine.local/", .headers = {{"x", "a\r\nb: c"}}},
               HttpRequest{.url = "http://engine.local/", .headers = {{"x:y", "a"}}},
               HttpRequest{.url = "http://engine.local/", .headers = {{"", "a"}}});
  const auto exchange = transport.start(refused, sink, {});
  REQUIRE_FALSE(exchange);
  CHECK(exchange.error().kind == ErrorKind::config);
  CHECK(transport.start({.url = "HTTP://engine.local/"}, sink, {}));
}

TEST_CASE("an EngineTransport without a service gives an error") {
  engine::EngineTransport transport(nullptr);
  Recorder sink;
  const auto exchange = transport.start(request, sink, {});
  REQUIRE_FALSE(exchange);
  CHECK(exchange.error().kind == ErrorKind::config);
}
