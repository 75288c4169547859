// The time that a reader takes for an element does not count as the server's, and what it leaves unread is
// limited.
#include "inferwire/async_stream.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/event_loop.hpp"
#include "inferwire/forwarding.hpp"
#include "inferwire/pending.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/coroutine.hpp"
#include "support/eventually.hpp"
#include "support/mock_calls.hpp"
#include "support/scripted_client.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

/// Five elements in four pieces.
Reply five_elements() {
  const auto word = chunk("x");
  return Reply::stream({word, word + word, word, stop});
}

/// A client that gets one reply, and may wait a minute for each byte and element.
struct Service : ScriptedClient {
  Service(Reply reply, Mode mode)
      : ScriptedClient(
            {std::move(reply)},
            {.timeouts = {.idle = 60s, .idle_event = 60s}, .retry = inferwire::RetryPolicy::none()}, mode) {}
};

}  // namespace

TEST_CASE("a reader of a stream may take longer than idle between elements") {
  const Service service(five_elements(), ManualClock::Mode::jumps);
  auto stream = service.client.chat.stream(hello);
  int elements = 0;
  while (const auto* element = stream.next()) {
    REQUIRE(*element);
    ++elements;
    service.clock->advance(10min);
  }
  CHECK(elements == 5);
}

TEST_CASE("idle counts from when a slow reader waits") {
  const auto word = chunk("x");
  const Service service(unfinished_stream({word, word}), ManualClock::Mode::jumps);
  auto stream = service.client.chat.stream(hello);
  for (int i = 0; i < 2; ++i) {
    const auto* element = stream.next();
    REQUIRE(element != nullptr);
    REQUIRE(*element);
    service.clock->advance(10min);
  }
  const auto waiting_since = service.clock->now();
  const auto* last = stream.next();
  REQUIRE(last != nullptr);
  REQUIRE_FALSE(*last);
  CHECK(last->error().timer.starts_with("idle"));
  CHECK(service.clock->now() - waiting_since == 60s);
}

namespace {

inferwire_test::Detached read_slowly(inferwire::AsyncStream<chat::Chunk> stream, ManualClock& clock,
                                     inferwire_test::Baton<int>& baton) {
  int elements = 0;
  while (const auto* element = co_await stream.next()) {
    if (*element) ++elements;
    clock.advance(10min);
  }
  baton.pass(elements);
}

}  // namespace

TEST_CASE("a reader of an async stream may take longer than idle between elements", "[async]") {
  const Service service(five_elements(), ManualClock::Mode::by_hand);
  inferwire_test::Baton<int> baton;
  read_slowly(service.client.chat.open(hello), *service.clock, baton);
  CHECK(baton.take() == 5);
}

namespace {

inferwire_test::Detached read_on(inferwire::AsyncStream<chat::Chunk> stream,
                                 inferwire_test::Baton<bool>& begun,
                                 inferwire_test::Baton<std::string>& ended) {
  std::string seen;
  while (const auto* element = co_await stream.next()) {
    seen += *element ? "+" : element->error().timer;
    if (seen == "+") begun.pass(true);
  }
  ended.pass(seen);
}

/// A client of a server, and the clock of its loop.
struct OnLoop {
  MockServer server;
  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>(ManualClock::Mode::by_hand);
  Client client = client_of(
      server, {.timeouts = {.idle = 60s},
               .loop = std::make_shared<inferwire::EventLoop>(inferwire::EventLoopOptions{.clock = clock})});
};

}  // namespace

TEST_CASE("a slow callback does not fire idle of another stream", "[async]") {
  Gate rest;
  OnLoop at;
  const auto word = chunk("x");
  auto reply = Reply::stream({word, word, stop});
  reply.body[1].gate = rest;
  at.server.push(std::move(reply));
  at.server.push(Reply::json(answer_of("Hi.")));
  inferwire_test::Baton<bool> begun;
  inferwire_test::Baton<std::string> ended;
  read_on(at.client.chat.open(hello), begun, ended);
  begun.take();
  auto other = at.client.chat.start(hello);
  REQUIRE(other.wait_for(10s));
  other.then([&](inferwire::Result<chat::Response>) {
    rest.open();
    CHECK(eventually([&] { return answered(at.server) >= 2; }));
    at.clock->advance(10min);
  });
  CHECK(ended.take() == "+++");
}

TEST_CASE("a slow callback does not fire idle of 300 streams that have bytes", "[async]") {
  constexpr int streams = 300;  // more than one poll of the sockets reports
  Gate rest;
  OnLoop at;
  const auto word = chunk("x");
  auto reply = Reply::stream({word, word, stop});
  reply.body[1].gate = rest;
  for (int i = 0; i < streams; ++i) at.server.push(reply);
  std::vector<std::unique_ptr<inferwire_test::Baton<bool>>> begun;
  std::vector<std::unique_ptr<inferwire_test::Baton<std::string>>> ended;
  for (int i = 0; i < streams; ++i) {
    begun.push_back(std::make_unique<inferwire_test::Baton<bool>>());
    ended.push_back(std::make_unique<inferwire_test::Baton<std::string>>());
    read_on(at.client.chat.open(hello), *begun.back(), *ended.back());
  }
  for (const auto& baton : begun) baton->take();
  at.server.push(Reply::json(answer_of("Hi.")));
  at.client.chat.start(hello).then([&](inferwire::Result<chat::Response>) {
    rest.open();
    CHECK(eventually([&] { return answered(at.server) > streams; }));
    at.clock->advance(10min);
  });
  for (const auto& baton : ended) CHECK(baton->take() == "+++");
}

TEST_CASE("a stream that received half an event is not idle after a slow callback", "[async]") {
  Gate half;
  Gate rest;
  OnLoop at;
  const auto word = chunk("x");
  auto reply = Reply::stream({word, word.substr(0, 9), word.substr(9), stop});
  reply.body[1].gate = half;
  reply.body[2].gate = rest;
  at.server.push(std::move(reply));
  inferwire_test::Baton<bool> begun;
  inferwire_test::Baton<std::string> ended;
  read_on(at.client.chat.open(hello), begun, ended);
  begun.take();
  const auto answer = Reply::json(answer_of("Hi."));
  Gate second;
  auto held = answer;
  held.head_gate = second;
  at.server.push(held);
  at.client.chat.start(hello).then([&](inferwire::Result<chat::Response>) {
    // The stream received half of an element in this round; the other half is in its socket.
    rest.open();
    CHECK(eventually([&] { return answered(at.server) >= 3; }));
    at.clock->advance(10min);
  });
  REQUIRE(at.server.wait_for_requests(2));
  at.server.push(answer);
  at.client.chat.start(hello).then([&](inferwire::Result<chat::Response>) {
    second.open();
    std::this_thread::sleep_for(50ms);
    half.open();
    std::this_thread::sleep_for(50ms);
  });
  CHECK(ended.take() == "+++");
}

namespace {

/// Counts what a client receives, and how often it pauses and resumes.
class PauseCounter final : public inferwire::ForwardingTransport {
 public:
  using ForwardingTransport::ForwardingTransport;
  std::atomic<std::size_t> received{0};
  std::atomic<int> pauses{0};
  std::atomic<int> resumes{0};

 private:
  class Counted final : public inferwire::ForwardingExchange {
   public:
    Counted(inferwire::Sink& sink, PauseCounter& counter) : ForwardingExchange(sink), counter_(counter) {}
    void pause() override {
      ForwardingExchange::pause();
      ++counter_.pauses;
    }
    void resume() override {
      ++counter_.resumes;
      ForwardingExchange::resume();
    }

   private:
    void on_body(std::string_view bytes) override {
      counter_.received += bytes.size();
      ForwardingExchange::on_body(bytes);
    }
    PauseCounter& counter_;
  };

  inferwire::Result<std::unique_ptr<inferwire::Exchange>> start_at(
      inferwire::Transport& inner, inferwire::HttpRequest request, inferwire::Sink& sink,
      const inferwire::ExchangeOptions& options) override {
    return inferwire::ForwardingExchange::begin(std::make_unique<Counted>(sink, *this), inner,
                                                std::move(request), options);
  }
};

}  // namespace

TEST_CASE("a stream whose reader keeps up is not paused", "[async]") {
  const std::string event = chunk(std::string(1024, 'x'));
  auto reply = Reply::stream(std::vector<std::string>(24, event));
  std::vector<Gate> gates(reply.body.size());
  for (std::size_t i = 0; i < gates.size(); ++i) reply.body[i].gate = gates[i];
  const auto script = std::make_shared<ScriptTransport>();
  script->push(std::move(reply));
  const auto counter = std::make_shared<PauseCounter>(script);
  const Client client({.base_url = "http://localhost/v1",
                       .credential = inferwire::Credential::none(),
                       .stream_buffer_bytes = 8 * event.size(),
                       .transport = counter});
  auto stream = client.chat.open(hello);
  for (auto& gate : gates) {
    CHECK_FALSE(stream.wait_for(1ms));
    gate.open();
    REQUIRE(*stream.get());
  }
  CHECK(counter->pauses == 0);
}

TEST_CASE("a stream that nobody reads is paused when stream_buffer_bytes are unread", "[async]") {
  constexpr std::size_t events = 500;
  const auto event = chunk(std::string(1024, 'x'));
  const auto end = stop + done;
  for (const std::size_t buffer : {std::size_t{4} << 10, std::size_t{1} << 20}) {
    CAPTURE(buffer);
    const bool fits = buffer > events * event.size();
    auto reply = Reply::stream({event, end});
    reply.body[0].times = events;
    const auto script = std::make_shared<ScriptTransport>();
    script->push(std::move(reply));
    const auto counter = std::make_shared<PauseCounter>(script);
    const Client client({.base_url = "http://localhost/v1",
                         .credential = inferwire::Credential::none(),
                         .stream_buffer_bytes = buffer,
                         .transport = counter});
    auto stream = client.chat.open(hello);
    REQUIRE(stream.wait_for(10s));
    if (fits) {
      CHECK(eventually([&] { return counter->received == events * event.size() + end.size(); }));
      CHECK(counter->pauses == 0);
    } else {
      CHECK(eventually([&] { return counter->pauses == 1; }));
      CHECK(counter->received >= buffer);
      CHECK(counter->received <= buffer + 2 * event.size());
      CHECK(counter->resumes == 0);
    }
    std::size_t elements = 0;
    while (const auto* element = stream.get()) {
      REQUIRE(*element);
      ++elements;
    }
    CHECK(elements == events + 1);
    CHECK((counter->resumes > 0) == !fits);
  }
}
