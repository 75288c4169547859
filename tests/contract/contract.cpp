#include "contract/contract.hpp"

#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "support/catch.hpp"
#include "support/recording_sink.hpp"
#include "support/shortest.hpp"

namespace contract {

namespace {

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using namespace std::chrono_literals;

HttpRequest request_to(Door& door) {
  return {.url = door.url(), .headers = {{"Content-Type", "application/json"}}, .body = R"({"model":"m"})"};
}

std::unique_ptr<Exchange> start(Door& door, inferwire::Sink& sink, const ExchangeOptions& options = {}) {
  auto started = door.transport()->start(request_to(door), sink, options);
  REQUIRE(started);
  return *std::move(started);
}

bool finish(Door& door, Exchange& exchange, const RecordingSink& sink) {
  return drive_until(exchange, door.clock(), [&] { return sink.ended(); });
}

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
  RecordingSink sink;
  const auto exchange = start(door, sink);
  REQUIRE(finish(door, *exchange, sink));
  REQUIRE(sink.calls == "cshbe");
  REQUIRE(sink.head->status == 200);
  REQUIRE(find_header(sink.head->headers, "content-type") == "application/json");
  REQUIRE(sink.body == R"({"ok":true})");
  REQUIRE_FALSE(sink.error);
}

void nothing_is_heard_before_drive(Door& door) {
  door.push(Reply::json("{}"));
  RecordingSink sink;
  const auto exchange = start(door, sink);
  REQUIRE(sink.calls.empty());
  REQUIRE(finish(door, *exchange, sink));
}

void any_status_is_an_answer(Door& door) {
  for (const int status : {400, 401, 404, 429, 500, 503}) {
    door.push(Reply::json(R"({"error":"no"})", status));
    RecordingSink sink;
    const auto exchange = start(door, sink);
    REQUIRE(finish(door, *exchange, sink));
    REQUIRE(sink.head->status == status);
    REQUIRE(sink.body == R"({"error":"no"})");
    REQUIRE_FALSE(sink.error);
  }
}

void an_empty_body_is_an_answer(Door& door) {
  door.push({.status = 204});
  RecordingSink sink;
  const auto exchange = start(door, sink);
  REQUIRE(finish(door, *exchange, sink));
  REQUIRE(sink.calls == "cshe");
}

void a_stream_arrives_piece_by_piece(Door& door) {
  GatedStream stream(5);
  door.push(stream.reply);
  RecordingSink sink;
  const auto exchange = start(door, sink);
  std::string expected;
  for (std::size_t i = 0; i < stream.gates.size(); ++i) {
    stream.gates[i].open();
    expected += GatedStream::piece(i);
    REQUIRE(drive_until(*exchange, door.clock(), [&] { return sink.body == expected; }));
  }
  REQUIRE(finish(door, *exchange, sink));
  REQUIRE(sink.body == stream.whole);
  REQUIRE(sink.calls == "cshbe");
}

void the_end_stays_the_end(Door& door) {
  door.push(Reply::json("{}"));
  RecordingSink sink;
  const auto exchange = start(door, sink);
  REQUIRE(finish(door, *exchange, sink));
  const auto calls = sink.calls;
  REQUIRE(exchange->drive(TimePoint::max()) == Progress::ended);
  REQUIRE(exchange->drive(TimePoint::min()) == Progress::ended);
  REQUIRE(sink.calls == calls);
}

void two_streams_interleave_on_one_thread(Door& door) {
  GatedStream one(4);
  GatedStream two(4);
  door.push(one.reply);
  door.push(two.reply);
  RecordingSink first;
  RecordingSink second;
  const auto first_exchange = start(door, first);
  // Replies go out in the order of the requests: the first has to be there before the second begins.
  one.gates[0].open();
  REQUIRE(drive_until(*first_exchange, door.clock(), [&] { return !first.body.empty(); }));
  const auto second_exchange = start(door, second);
  std::string expected = GatedStream::piece(0);
  two.gates[0].open();
  REQUIRE(drive_until(*second_exchange, door.clock(), [&] { return second.body == expected; }));
  for (std::size_t i = 1; i < 4; ++i) {
    expected += GatedStream::piece(i);
    one.gates[i].open();
    REQUIRE(drive_until(*first_exchange, door.clock(), [&] { return first.body == expected; }));
    REQUIRE(second.body.size() < expected.size());
    two.gates[i].open();
    REQUIRE(drive_until(*second_exchange, door.clock(), [&] { return second.body == expected; }));
  }
  REQUIRE(finish(door, *second_exchange, second));
  REQUIRE(finish(door, *first_exchange, first));
}

void a_paused_stream_stands_still(Door& door) {
  GatedStream stream(3);
  door.push(stream.reply);
  RecordingSink sink;
  const auto exchange = start(door, sink);
  stream.gates[0].open();
  REQUIRE(drive_until(*exchange, door.clock(), [&] { return sink.body == GatedStream::piece(0); }));
  exchange->pause();
  exchange->pause();
  stream.gates[1].open();
  stream.gates[2].open();
  for (int i = 0; i < 3; ++i) {
    REQUIRE(exchange->drive(door.clock().now() + 10ms) == Progress::deadline);
    REQUIRE(sink.body == GatedStream::piece(0));
  }
  exchange->resume();
  REQUIRE(finish(door, *exchange, sink));
  REQUIRE(sink.body == stream.whole);
  REQUIRE_FALSE(sink.error);
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
  RecordingSink sink;
  std::unique_ptr<Exchange> exchange;
  sink.at_body = [&] { exchange->pause(); };
  exchange = start(door, sink);
  for (int rounds = 0; !sink.ended() && rounds < 10'000; ++rounds) {
    exchange->drive(door.clock().now() + 10ms);
    exchange->resume();
  }
  REQUIRE(sink.ended());
  REQUIRE_FALSE(sink.error);
  REQUIRE(sink.body == whole);
}

void resume_without_pause_changes_nothing(Door& door) {
  GatedStream stream(1);
  door.push(stream.reply);
  RecordingSink sink;
  const auto exchange = start(door, sink);
  exchange->resume();
  stream.gates[0].open();
  exchange->resume();
  REQUIRE(finish(door, *exchange, sink));
  REQUIRE(sink.body == stream.whole);
}

void a_pause_that_is_over_before_the_drive_changes_nothing(Door& door) {
  door.push(Reply::json("{}"));
  RecordingSink sink;
  const auto exchange = start(door, sink);
  exchange->pause();
  exchange->resume();
  REQUIRE(finish(door, *exchange, sink));
  REQUIRE_FALSE(sink.error);
  REQUIRE(sink.body == "{}");
}

void a_silent_server_costs_the_time_until_the_deadline(Door& door) {
  door.push(Reply::silence());
  RecordingSink sink;
  const auto exchange = start(door, sink);
  REQUIRE(drive_until(*exchange, door.clock(), [&] { return sink.calls == "cs"; }));
  const auto deadline = door.clock().now() + 30ms;
  REQUIRE(exchange->drive(deadline) == Progress::deadline);
  REQUIRE(door.clock().now() >= deadline);
  REQUIRE(exchange->drive(TimePoint::min()) == Progress::deadline);
  REQUIRE(sink.calls == "cs");
}

void a_deadline_in_the_past_looks(Door& door) {
  door.push(Reply::json("{}"));
  RecordingSink sink;
  const auto exchange = start(door, sink);
  const auto limit = std::chrono::steady_clock::now() + 10s;
  while (!sink.ended() && std::chrono::steady_clock::now() < limit) exchange->drive(TimePoint::min());
  REQUIRE(sink.ended());
  REQUIRE(sink.body == "{}");
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
  RecordingSink sink;
  const auto transport = door.transport();
  const auto exchange = start(door, sink);
  REQUIRE(drive_until(*exchange, door.clock(), [&] { return sink.calls == "cs"; }));
  wake_at_all_times(*exchange, [&] { transport->wake(); });
}

void a_wake_before_the_drive_is_heard_once(Door& door) {
  door.push(Reply::silence());
  RecordingSink sink;
  const auto exchange = start(door, sink);
  REQUIRE(drive_until(*exchange, door.clock(), [&] { return sink.calls == "cs"; }));
  door.transport()->wake();
  door.transport()->wake();
  REQUIRE(exchange->drive(TimePoint::max()) == Progress::woken);
  REQUIRE(exchange->drive(door.clock().now() + 10ms) == Progress::deadline);
}

void a_wake_reaches_every_exchange(Door& door) {
  door.push(Reply::silence());
  door.push(Reply::silence());
  RecordingSink first;
  RecordingSink second;
  const auto first_exchange = start(door, first);
  const auto second_exchange = start(door, second);
  REQUIRE(drive_until(*first_exchange, door.clock(), [&] { return first.calls == "cs"; }));
  REQUIRE(drive_until(*second_exchange, door.clock(), [&] { return second.calls == "cs"; }));
  door.transport()->wake();
  REQUIRE(first_exchange->drive(TimePoint::max()) == Progress::woken);
  REQUIRE(second_exchange->drive(TimePoint::max()) == Progress::woken);
}

void a_wake_of_one_exchange_leaves_the_others(Door& door) {
  door.push(Reply::silence());
  door.push(Reply::silence());
  RecordingSink first;
  RecordingSink second;
  const auto first_exchange = start(door, first);
  const auto second_exchange = start(door, second);
  REQUIRE(drive_until(*first_exchange, door.clock(), [&] { return first.calls == "cs"; }));
  REQUIRE(drive_until(*second_exchange, door.clock(), [&] { return second.calls == "cs"; }));
  if (!first_exchange->wake()) return;  // such an exchange leaves waking to its transport
  REQUIRE(first_exchange->drive(TimePoint::max()) == Progress::woken);
  REQUIRE(first_exchange->drive(door.clock().now() + 10ms) == Progress::deadline);
  REQUIRE(second_exchange->drive(door.clock().now() + 10ms) == Progress::deadline);
  wake_at_all_times(*first_exchange, [&] { first_exchange->wake(); });
}

void destroying_a_silent_exchange_closes_at_once(Door& door) {
  std::size_t closed = 0;
  for (int round = 0; round < 5; ++round) {
    const auto took = shortest(50ms, [&] {
      door.push(Reply::silence());
      RecordingSink sink;
      auto exchange = start(door, sink);
      REQUIRE(drive_until(*exchange, door.clock(), [&] { return sink.calls == "cs"; }));
      exchange->drive(TimePoint::min());
      const auto time = time_of([&] { exchange.reset(); });
      REQUIRE(door.wait_for_close(++closed, 10s));
      REQUIRE(sink.calls == "cs");
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
    RecordingSink sink;
    auto exchange = start(door, sink);
    stream.gates[0].open();
    REQUIRE(drive_until(*exchange, door.clock(), [&] { return !sink.body.empty(); }));
    const auto time = time_of([&] { exchange.reset(); });
    REQUIRE(door.wait_for_close(++closed, 10s));
    REQUIRE(sink.calls == "cshb");
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
  RecordingSink first;
  RecordingSink second;
  auto first_exchange = start(door, first);
  REQUIRE(drive_until(*first_exchange, door.clock(), [&] { return !first.body.empty(); }));
  const auto second_exchange = start(door, second);
  REQUIRE(drive_until(*second_exchange, door.clock(), [&] { return !second.body.empty(); }));
  first_exchange.reset();
  two.gates[1].open();
  REQUIRE(finish(door, *second_exchange, second));
  REQUIRE(second.body == two.whole);
  REQUIRE(first.calls == "cshb");
}

void a_released_exchange_is_silent(Door& door) {
  GatedStream stream(2);
  door.push(stream.reply);
  RecordingSink sink;
  auto exchange = start(door, sink);
  stream.gates[0].open();
  REQUIRE(drive_until(*exchange, door.clock(), [&] { return !sink.body.empty(); }));
  exchange->release();
  stream.gates[1].open();
  for (int i = 0; i < 3; ++i) exchange->drive(door.clock().now() + 5ms);
  exchange.reset();
  REQUIRE(sink.calls == "cshb");
  REQUIRE(sink.body == GatedStream::piece(0));
  // A released exchange leaves the transport as good as before.
  door.push(Reply::json("{}"));
  RecordingSink next;
  const auto next_exchange = start(door, next);
  REQUIRE(finish(door, *next_exchange, next));
  REQUIRE(next.body == "{}");
}

void a_small_loop_drives_twenty(Door& door) {
  constexpr std::size_t count = 20;
  std::vector<GatedStream> streams;
  std::vector<RecordingSink> sinks(count);
  std::vector<std::unique_ptr<Exchange>> exchanges;
  for (std::size_t i = 0; i < count; ++i) {
    streams.emplace_back(3);
    door.push(streams[i].reply);
    for (auto& gate : streams[i].gates) gate.open();
    exchanges.push_back(start(door, sinks[i]));
  }
  const auto limit = std::chrono::steady_clock::now() + 20s;
  for (std::size_t left = count; left != 0 && std::chrono::steady_clock::now() < limit;) {
    left = count;
    for (auto& exchange : exchanges) {
      if (exchange->drive(door.clock().now() + 1ms) == Progress::ended) --left;
    }
  }
  for (const auto& sink : sinks) {
    REQUIRE(sink.calls == "cshbe");
    REQUIRE(sink.body == streams[0].whole);
  }
}

void a_body_beyond_the_limit_is_too_large(Door& door) {
  for (const bool chunked : {false, true}) {
    auto reply = Reply::json(std::string(1001, 'x'));
    if (chunked) reply.framing = inferwire::testing::BodyFraming::chunked;
    door.push(reply);
    RecordingSink sink;
    const auto exchange = start(door, sink, {.max_body_bytes = 1000});
    REQUIRE(finish(door, *exchange, sink));
    REQUIRE(sink.error);
    REQUIRE(sink.error->kind == ErrorKind::too_large);
    REQUIRE_THAT(sink.error->detail, inferwire_test::contains("1000"));
    REQUIRE(sink.body.size() <= 1000);
  }
  door.push(Reply::json(std::string(1000, 'x')));
  RecordingSink sink;
  const auto exchange = start(door, sink, {.max_body_bytes = 1000});
  REQUIRE(finish(door, *exchange, sink));
  REQUIRE_FALSE(sink.error);
}

void a_cut_body_is_a_broken_connection(Door& door) {
  if (!door.can_cut()) return;
  auto reply = Reply::stream({"data: 1\n\n"});
  reply.ending = Ending::cut;
  door.push(reply);
  RecordingSink sink;
  const auto exchange = start(door, sink);
  REQUIRE(finish(door, *exchange, sink));
  REQUIRE(sink.body == "data: 1\n\n");
  REQUIRE(sink.error);
  REQUIRE(sink.error->kind == ErrorKind::connection);
}

void what_a_sink_throws_comes_out_of_drive(Door& door) {
  for (const auto throwing : {&RecordingSink::at_sent, &RecordingSink::at_body}) {
    GatedStream stream(2);
    door.push(stream.reply);
    for (auto& gate : stream.gates) gate.open();
    RecordingSink sink;
    sink.*throwing = [] { throw std::runtime_error("the sink's own"); };
    const auto exchange = start(door, sink);
    const auto drive_to_end = [&] {
      while (exchange->drive(door.clock().now() + 10s) != Progress::ended) {}
    };
    REQUIRE_THROWS_AS(drive_to_end(), std::runtime_error);
    const auto calls = sink.calls;
    REQUIRE(exchange->drive(TimePoint::max()) == Progress::ended);
    REQUIRE(sink.calls == calls);
  }
}

void what_cannot_be_sent_is_refused(Door& door) {
  RecordingSink sink;
  const auto refused = [&](HttpRequest request) {
    const auto started = door.transport()->start(std::move(request), sink, {});
    REQUIRE_FALSE(started);
    REQUIRE(started.error().kind == ErrorKind::config);
    REQUIRE(started.error().message().find("hunter2") == std::string::npos);
  };
  refused({.url = "localhost/v1"});
  refused({.url = "ftp://localhost/v1"});
  refused({.url = "http://localhost/v1\r\nX: hunter2"});
  refused({.url = door.url(), .headers = {{"Authorization", "Bearer hunter2\r\nX-Evil: 1"}}});
  refused({.url = door.url(), .headers = {{"X Y", "hunter2"}}});
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
  REQUIRE(finish(door, **started, sink));
}

}  // namespace

std::vector<Check> checks() {
  return {
      {"calls come in order", calls_come_in_order},
      {"nothing is heard before drive", nothing_is_heard_before_drive},
      {"any status is an answer", any_status_is_an_answer},
      {"an empty body is an answer", an_empty_body_is_an_answer},
      {"a stream arrives piece by piece", a_stream_arrives_piece_by_piece},
      {"the end stays the end", the_end_stays_the_end},
      {"two streams interleave on one thread", two_streams_interleave_on_one_thread},
      {"a paused stream stands still", a_paused_stream_stands_still},
      {"a sink may pause while it is told", a_sink_may_pause_while_it_is_told},
      {"resume without pause changes nothing", resume_without_pause_changes_nothing},
      {"a pause that is over before the drive changes nothing",
       a_pause_that_is_over_before_the_drive_changes_nothing},
      {"a silent server costs the time until the deadline",
       a_silent_server_costs_the_time_until_the_deadline},
      {"a deadline in the past looks", a_deadline_in_the_past_looks},
      {"a wake from another thread is heard", a_wake_from_another_thread_is_heard},
      {"a wake before the drive is heard once", a_wake_before_the_drive_is_heard_once},
      {"a wake reaches every exchange", a_wake_reaches_every_exchange},
      {"a wake of one exchange leaves the others", a_wake_of_one_exchange_leaves_the_others},
      {"destroying a silent exchange closes at once", destroying_a_silent_exchange_closes_at_once},
      {"destroying a stream closes at once", destroying_a_stream_closes_at_once},
      {"one destroyed leaves the other alone", one_destroyed_leaves_the_other_alone},
      {"a released exchange is silent", a_released_exchange_is_silent},
      {"a small loop drives twenty", a_small_loop_drives_twenty},
      {"a body beyond the limit is too large", a_body_beyond_the_limit_is_too_large},
      {"a cut body is a broken connection", a_cut_body_is_a_broken_connection},
      {"what a sink throws comes out of drive", what_a_sink_throws_comes_out_of_drive},
      {"what cannot be sent is refused", what_cannot_be_sent_is_refused},
      {"an exchange outlives its transport", an_exchange_outlives_its_transport},
  };
}

}  // namespace contract
