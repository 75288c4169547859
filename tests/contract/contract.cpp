#include "contract/contract.hpp"

#include "support/catch.hpp"
#include "support/recording_sink.hpp"
#include "support/shortest.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace contract {

namespace {

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using namespace std::chrono_literals;

HttpRequest request_to(Door& door) {
  return {.url = door.url(), .headers = {{"Content-Type", "application/json"}}, .body = R"({"model":"m"})"};
}

/// A started exchange, and what its sink hears. The waits give up after ten seconds of the transport's clock.
struct Started {
  explicit Started(Door& door, const ExchangeOptions& options = {}) : clock(door.clock()) {
    auto result = door.transport()->start(request_to(door), sink, options);
    REQUIRE(result);
    exchange = *std::move(result);
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  /// Drives the exchange until `condition` holds; false if it does not.
  template <class Condition>
  bool until(Condition&& condition) {
    return drive_until(*exchange, std::forward<Condition>(condition), clock);
  }
  bool until_sent() {
    return until([this] { return sink.calls == "cs"; });
  }
  bool until_body() {
    return until([this] { return !sink.body.empty(); });
  }
  bool until_body(const std::string& whole) {
    return until([&] { return sink.body == whole; });
  }
  bool until_end() {
    return until([this] { return sink.ended(); });
  }

  Clock& clock;
  RecordingSink sink;
  std::unique_ptr<Exchange> exchange;  // after its sink
};

/// A stream whose pieces wait, each behind a gate of its own.
struct GatedStream {
  explicit GatedStream(std::size_t pieces) : gates(pieces), reply(Reply::stream({})) {
    for (std::size_t i = 0; i < pieces; ++i) {
      reply.body.push_back({.bytes = piece(i), .gate = gates[i]});
      whole += piece(i);
    }
  }
  static std::string piece(std::size_t number) { return "data: " + std::to_string(number) + "\n\n"; }

  std::vector<Gate> gates;
  Reply reply;
  std::string whole;
};

void calls_come_in_order(Door& door) {
  door.push(Reply::json(R"({"ok":true})"));
  Started started(door);
  REQUIRE(started.until_end());
  REQUIRE(started.sink.calls == "cshbe");
  REQUIRE(started.sink.head->status == 200);
  REQUIRE(find_header(started.sink.head->headers, "content-type") == "application/json");
  REQUIRE(started.sink.body == R"({"ok":true})");
  REQUIRE_FALSE(started.sink.error);
}

void nothing_is_heard_before_drive(Door& door) {
  door.push(Reply::json("{}"));
  Started started(door);
  REQUIRE(started.sink.calls.empty());
  REQUIRE(started.until_end());
}

void any_status_is_an_answer(Door& door) {
  for (const int status : {400, 401, 404, 429, 500, 503}) {
    door.push(Reply::json(R"({"error":"no"})", status));
    Started started(door);
    REQUIRE(started.until_end());
    REQUIRE(started.sink.head->status == status);
    REQUIRE(started.sink.body == R"({"error":"no"})");
    REQUIRE_FALSE(started.sink.error);
  }
}

void an_empty_body_is_an_answer(Door& door) {
  door.push({.status = 204});
  Started started(door);
  REQUIRE(started.until_end());
  REQUIRE(started.sink.calls == "cshe");
}

void a_stream_arrives_piece_by_piece(Door& door) {
  GatedStream stream(5);
  door.push(stream.reply);
  Started started(door);
  std::string expected;
  for (std::size_t i = 0; i < stream.gates.size(); ++i) {
    stream.gates[i].open();
    expected += GatedStream::piece(i);
    REQUIRE(started.until_body(expected));
  }
  REQUIRE(started.until_end());
  REQUIRE(started.sink.body == stream.whole);
  REQUIRE(started.sink.calls == "cshbe");
}

void the_end_stays_the_end(Door& door) {
  door.push(Reply::json("{}"));
  Started started(door);
  REQUIRE(started.until_end());
  const auto calls = started.sink.calls;
  REQUIRE(started.exchange->drive(TimePoint::max()) == Progress::ended);
  REQUIRE(started.exchange->drive(TimePoint::min()) == Progress::ended);
  REQUIRE(started.sink.calls == calls);
}

void two_streams_interleave_on_one_thread(Door& door) {
  GatedStream one(4);
  GatedStream two(4);
  door.push(one.reply);
  door.push(two.reply);
  Started first(door);
  // Replies go out in the order of the requests: the first has to be there before the second begins.
  one.gates[0].open();
  REQUIRE(first.until_body());
  Started second(door);
  std::string expected = GatedStream::piece(0);
  two.gates[0].open();
  REQUIRE(second.until_body(expected));
  for (std::size_t i = 1; i < 4; ++i) {
    expected += GatedStream::piece(i);
    one.gates[i].open();
    REQUIRE(first.until_body(expected));
    REQUIRE(second.sink.body.size() < expected.size());
    two.gates[i].open();
    REQUIRE(second.until_body(expected));
  }
  REQUIRE(second.until_end());
  REQUIRE(first.until_end());
}

void a_paused_stream_stands_still(Door& door) {
  GatedStream stream(3);
  door.push(stream.reply);
  Started started(door);
  stream.gates[0].open();
  REQUIRE(started.until_body(GatedStream::piece(0)));
  started.exchange->pause();
  started.exchange->pause();
  started.exchange->resume();
  started.exchange->pause();
  stream.gates[1].open();
  stream.gates[2].open();
  for (int i = 0; i < 3; ++i) {
    REQUIRE(started.exchange->drive(door.clock().now() + 10ms) == Progress::deadline);
    REQUIRE(started.sink.body == GatedStream::piece(0));
  }
  started.exchange->resume();
  REQUIRE(started.until_end());
  REQUIRE(started.sink.body == stream.whole);
  REQUIRE_FALSE(started.sink.error);
}

void a_sink_may_pause_while_it_is_told(Door& door) {
  auto reply = Reply::stream({});
  std::string whole;
  for (int i = 0; i < 50; ++i) {
    const std::string piece(3000, static_cast<char>('a' + i % 26));
    reply.body.push_back({.bytes = piece});
    whole += piece;
  }
  door.push(std::move(reply));
  Started started(door);
  started.sink.at_body = [&] { started.exchange->pause(); };
  for (int rounds = 0; !started.sink.ended() && rounds < 10'000; ++rounds) {
    started.exchange->drive(door.clock().now() + 10ms);
    started.exchange->resume();
  }
  REQUIRE(started.sink.ended());
  REQUIRE_FALSE(started.sink.error);
  REQUIRE(started.sink.body == whole);
}

void resume_without_pause_changes_nothing(Door& door) {
  GatedStream stream(1);
  door.push(stream.reply);
  Started started(door);
  started.exchange->resume();
  stream.gates[0].open();
  started.exchange->resume();
  REQUIRE(started.until_end());
  REQUIRE(started.sink.body == stream.whole);
}

void a_pause_that_is_over_before_the_drive_changes_nothing(Door& door) {
  door.push(Reply::json("{}"));
  Started started(door);
  started.exchange->pause();
  started.exchange->resume();
  REQUIRE(started.until_end());
  REQUIRE_FALSE(started.sink.error);
  REQUIRE(started.sink.body == "{}");
}

void a_pause_ends_with_its_exchange(Door& door) {
  {
    GatedStream stream(2);
    door.push(stream.reply);
    Started paused(door);
    stream.gates[0].open();
    REQUIRE(paused.until_body(GatedStream::piece(0)));
    paused.exchange->pause();
  }
  door.push(Reply::json("{}"));
  Started next(door);
  REQUIRE(next.until_end());
  REQUIRE(next.sink.body == "{}");
}

void a_silent_server_costs_the_time_until_the_deadline(Door& door) {
  door.push(Reply::silence());
  Started started(door);
  REQUIRE(started.until_sent());
  const auto deadline = door.clock().now() + 30ms;
  REQUIRE(started.exchange->drive(deadline) == Progress::deadline);
  REQUIRE(door.clock().now() >= deadline);
  REQUIRE(started.exchange->drive(TimePoint::min()) == Progress::deadline);
  REQUIRE(started.sink.calls == "cs");
}

void a_deadline_in_the_past_looks(Door& door) {
  door.push(Reply::json("{}"));
  Started started(door);
  const auto limit = std::chrono::steady_clock::now() + 10s;
  while (!started.sink.ended() && std::chrono::steady_clock::now() < limit)
    started.exchange->drive(TimePoint::min());
  REQUIRE(started.sink.ended());
  REQUIRE(started.sink.body == "{}");
}

/// Has another thread wake before the drive, at its beginning and while it waits.
void wake_at_all_times(Exchange& exchange, const std::function<void()>& wake) {
  for (int i = 0; i < 200; ++i) {
    std::thread waker([&] {
      const auto at = std::chrono::steady_clock::now() + i * 500ns;
      while (std::chrono::steady_clock::now() < at) {}
      wake();
    });
    REQUIRE(exchange.drive(TimePoint::max()) == Progress::woken);
    waker.join();
  }
}

void a_wake_from_another_thread_is_heard(Door& door) {
  door.push(Reply::silence());
  const auto transport = door.transport();
  Started started(door);
  REQUIRE(started.until_sent());
  wake_at_all_times(*started.exchange, [&] { transport->wake(); });
}

void a_wake_before_the_drive_is_heard_once(Door& door) {
  door.push(Reply::silence());
  Started started(door);
  REQUIRE(started.until_sent());
  door.transport()->wake();
  door.transport()->wake();
  REQUIRE(started.exchange->drive(TimePoint::max()) == Progress::woken);
  REQUIRE(started.exchange->drive(door.clock().now() + 10ms) == Progress::deadline);
}

void a_wake_reaches_every_exchange(Door& door) {
  door.push(Reply::silence());
  door.push(Reply::silence());
  Started first(door);
  Started second(door);
  REQUIRE(first.until_sent());
  REQUIRE(second.until_sent());
  door.transport()->wake();
  REQUIRE(first.exchange->drive(TimePoint::max()) == Progress::woken);
  REQUIRE(second.exchange->drive(TimePoint::max()) == Progress::woken);
}

void a_wake_of_one_exchange_leaves_the_others(Door& door) {
  door.push(Reply::silence());
  door.push(Reply::silence());
  Started first(door);
  Started second(door);
  REQUIRE(first.until_sent());
  REQUIRE(second.until_sent());
  if (!first.exchange->wake()) return;  // such an exchange leaves waking to its transport
  REQUIRE(first.exchange->drive(TimePoint::max()) == Progress::woken);
  REQUIRE(first.exchange->drive(door.clock().now() + 10ms) == Progress::deadline);
  REQUIRE(second.exchange->drive(door.clock().now() + 10ms) == Progress::deadline);
  wake_at_all_times(*first.exchange, [&] { first.exchange->wake(); });
}

void destroying_a_silent_exchange_closes_at_once(Door& door) {
  std::size_t closed = 0;
  for (int round = 0; round < 5; ++round) {
    const auto took = shortest(50ms, [&] {
      door.push(Reply::silence());
      Started started(door);
      REQUIRE(started.until_sent());
      started.exchange->drive(TimePoint::min());
      const auto time = time_of([&] { started.exchange.reset(); });
      REQUIRE(door.wait_for_close(++closed, 10s));
      REQUIRE(started.sink.calls == "cs");
      return time;
    });
    REQUIRE(took < 50ms);
  }
}

void destroying_a_stream_closes_at_once(Door& door) {
  std::size_t closed = 0;
  const auto took = shortest(50ms, [&] {
    GatedStream stream(2);
    door.push(stream.reply);
    Started started(door);
    stream.gates[0].open();
    REQUIRE(started.until_body());
    const auto time = time_of([&] { started.exchange.reset(); });
    REQUIRE(door.wait_for_close(++closed, 10s));
    REQUIRE(started.sink.calls == "cshb");
    return time;
  });
  REQUIRE(took < 50ms);
}

void one_destroyed_leaves_the_other_alone(Door& door) {
  GatedStream one(2);
  GatedStream two(2);
  door.push(one.reply);
  door.push(two.reply);
  one.gates[0].open();
  two.gates[0].open();
  Started first(door);
  REQUIRE(first.until_body());
  Started second(door);
  REQUIRE(second.until_body());
  first.exchange.reset();
  two.gates[1].open();
  REQUIRE(second.until_end());
  REQUIRE(second.sink.body == two.whole);
  REQUIRE(first.sink.calls == "cshb");
}

void a_released_exchange_is_silent(Door& door) {
  GatedStream stream(2);
  door.push(stream.reply);
  Started started(door);
  stream.gates[0].open();
  REQUIRE(started.until_body());
  started.exchange->release();
  stream.gates[1].open();
  for (int i = 0; i < 3; ++i) started.exchange->drive(door.clock().now() + 5ms);
  started.exchange.reset();
  REQUIRE(started.sink.calls == "cshb");
  REQUIRE(started.sink.body == GatedStream::piece(0));
  // A released exchange leaves the transport as good as before.
  door.push(Reply::json("{}"));
  Started next(door);
  REQUIRE(next.until_end());
  REQUIRE(next.sink.body == "{}");
}

void an_exchange_released_at_once_is_silent(Door& door) {
  door.push(Reply::json("{}"));
  door.push(Reply::json("{}"));
  Started left(door);
  left.exchange->release();
  Started next(door);
  REQUIRE(next.until_end());
  REQUIRE(next.sink.body == "{}");
  REQUIRE(left.sink.calls.empty());
}

void a_small_loop_drives_twenty(Door& door) {
  constexpr std::size_t count = 20;
  std::vector<GatedStream> streams;
  std::deque<Started> started;
  for (std::size_t i = 0; i < count; ++i) {
    streams.emplace_back(3);
    door.push(streams[i].reply);
    for (auto& gate : streams[i].gates) gate.open();
    started.emplace_back(door);
  }
  const auto limit = std::chrono::steady_clock::now() + 20s;
  for (std::size_t left = count; left != 0 && std::chrono::steady_clock::now() < limit;) {
    left = count;
    for (auto& one : started) {
      if (one.exchange->drive(door.clock().now() + 1ms) == Progress::ended) --left;
    }
  }
  for (const auto& one : started) {
    REQUIRE(one.sink.calls == "cshbe");
    REQUIRE(one.sink.body == streams[0].whole);
  }
}

void a_body_beyond_the_limit_is_too_large(Door& door) {
  for (const bool chunked : {false, true}) {
    auto reply = Reply::json(std::string(1001, 'x'));
    if (chunked) reply.framing = inferwire::testing::BodyFraming::chunked;
    door.push(reply);
    Started started(door, {.max_body_bytes = 1000});
    REQUIRE(started.until_end());
    REQUIRE(started.sink.error);
    REQUIRE(started.sink.error->kind == ErrorKind::too_large);
    REQUIRE_THAT(started.sink.error->detail, inferwire_test::contains("1000"));
    REQUIRE(started.sink.body.size() <= 1000);
  }
  door.push(Reply::json(std::string(1000, 'x')));
  Started started(door, {.max_body_bytes = 1000});
  REQUIRE(started.until_end());
  REQUIRE_FALSE(started.sink.error);
}

void a_cut_body_is_a_broken_connection(Door& door) {
  if (!door.can_cut()) return;
  auto reply = Reply::stream({"data: 1\n\n"});
  reply.ending = Ending::cut;
  door.push(reply);
  Started started(door);
  REQUIRE(started.until_end());
  REQUIRE(started.sink.body == "data: 1\n\n");
  REQUIRE(started.sink.error);
  REQUIRE(started.sink.error->kind == ErrorKind::connection);
}

void what_a_sink_throws_comes_out_of_drive(Door& door) {
  for (const auto throwing : {&RecordingSink::at_sent, &RecordingSink::at_body}) {
    GatedStream stream(2);
    door.push(stream.reply);
    for (auto& gate : stream.gates) gate.open();
    Started started(door);
    started.sink.*throwing = [] { throw std::runtime_error("the sink's own"); };
    const auto drive_to_end = [&] {
      while (started.exchange->drive(door.clock().now() + 10s) != Progress::ended) {}
    };
    REQUIRE_THROWS_AS(drive_to_end(), std::runtime_error);
    const auto calls = started.sink.calls;
    REQUIRE(started.exchange->drive(TimePoint::max()) == Progress::ended);
    REQUIRE(started.sink.calls == calls);
  }
}

void what_cannot_be_sent_is_refused(Door& door) {
  RecordingSink sink;
  const auto refused = [&](HttpRequest request, ErrorKind kind = ErrorKind::config) {
    const auto started = door.transport()->start(std::move(request), sink, {});
    REQUIRE_FALSE(started);
    REQUIRE(started.error().kind == kind);
    REQUIRE(started.error().message().find("hunter2") == std::string::npos);
  };
  refused({.url = "localhost/v1"});
  refused({.url = "ftp://localhost/v1"});
  refused({.url = "http://localhost/v1\r\nX: hunter2"});
  refused({.url = door.url(), .headers = {{"Authorization", "Bearer hunter2\r\nX-Evil: 1"}}});
  refused({.url = door.url(), .headers = {{"X Y", "hunter2"}}});
  refused({.method = "G ET", .url = door.url()}, ErrorKind::invalid_request);
  refused({.method = "HEAD", .url = door.url(), .body = "hunter2"}, ErrorKind::invalid_request);
  REQUIRE(sink.calls.empty());
}

void an_exchange_outlives_its_transport(Door& door) {
  // The door may keep the transport alive, but the caller need not.
  door.push(Reply::json("{}"));
  RecordingSink sink;
  auto transport = door.transport();
  auto started = transport->start(request_to(door), sink, {});
  transport.reset();
  REQUIRE(started);
  REQUIRE(drive_until(**started, [&] { return sink.ended(); }, door.clock()));
}

/// The check that `run` is, under the name of the function.
Check check(std::string name, void (*run)(Door&)) {
  std::ranges::replace(name, '_', ' ');
  return {std::move(name), run};
}
#define CONTRACT_CHECK(function) check(#function, &function)

}  // namespace

std::vector<Check> checks() {
  return {
      CONTRACT_CHECK(calls_come_in_order),
      CONTRACT_CHECK(nothing_is_heard_before_drive),
      CONTRACT_CHECK(any_status_is_an_answer),
      CONTRACT_CHECK(an_empty_body_is_an_answer),
      CONTRACT_CHECK(a_stream_arrives_piece_by_piece),
      CONTRACT_CHECK(the_end_stays_the_end),
      CONTRACT_CHECK(two_streams_interleave_on_one_thread),
      CONTRACT_CHECK(a_paused_stream_stands_still),
      CONTRACT_CHECK(a_sink_may_pause_while_it_is_told),
      CONTRACT_CHECK(resume_without_pause_changes_nothing),
      CONTRACT_CHECK(a_pause_that_is_over_before_the_drive_changes_nothing),
      CONTRACT_CHECK(a_pause_ends_with_its_exchange),
      CONTRACT_CHECK(a_silent_server_costs_the_time_until_the_deadline),
      CONTRACT_CHECK(a_deadline_in_the_past_looks),
      CONTRACT_CHECK(a_wake_from_another_thread_is_heard),
      CONTRACT_CHECK(a_wake_before_the_drive_is_heard_once),
      CONTRACT_CHECK(a_wake_reaches_every_exchange),
      CONTRACT_CHECK(a_wake_of_one_exchange_leaves_the_others),
      CONTRACT_CHECK(destroying_a_silent_exchange_closes_at_once),
      CONTRACT_CHECK(destroying_a_stream_closes_at_once),
      CONTRACT_CHECK(one_destroyed_leaves_the_other_alone),
      CONTRACT_CHECK(a_released_exchange_is_silent),
      CONTRACT_CHECK(an_exchange_released_at_once_is_silent),
      CONTRACT_CHECK(a_small_loop_drives_twenty),
      CONTRACT_CHECK(a_body_beyond_the_limit_is_too_large),
      CONTRACT_CHECK(a_cut_body_is_a_broken_connection),
      CONTRACT_CHECK(what_a_sink_throws_comes_out_of_drive),
      CONTRACT_CHECK(what_cannot_be_sent_is_refused),
      CONTRACT_CHECK(an_exchange_outlives_its_transport),
  };
}

#undef CONTRACT_CHECK

}  // namespace contract
