/// \file
/// Streams whose reader polls, or blocks for each element, or has an executor that does.

#include "client/held_tasks.hpp"
#include "inferwire/inferwire.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/coroutine.hpp"
#include "support/eventually.hpp"
#include "support/mock_calls.hpp"
#include "support/scripted_client.hpp"

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

constexpr std::size_t most_together = 32;

/// The words "0 1 2 ...", `count` of them, in one piece.
std::string words(std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += chunk(std::to_string(i) + " ");
  return all;
}

std::string text_of(std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += std::to_string(i) + " ";
  return all;
}

struct Seen {
  std::string text{};
  std::size_t elements{};
  Optional<Error> error{};
};

/// Takes the elements that are ready; false after the last one.
bool take_what_is_there(AsyncStream<chat::Chunk>& stream, Seen& seen) {
  while (stream.wait_for(0s)) {
    const auto* element = stream.get();
    if (element == nullptr) return false;
    ++seen.elements;
    if (*element) {
      seen.text += (*element)->text();
    } else {
      seen.error = element->error();
    }
  }
  return true;
}

/// Polls the stream in each frame, like a game that displays it.
Seen read_frame_by_frame(AsyncStream<chat::Chunk> stream) {
  Seen seen;
  while (take_what_is_there(stream, seen)) {
    CHECK(stream.end_reason() == EndReason::none);
    CHECK(stream.info().head.status == (seen.elements == 0 ? 0 : 200));
    std::this_thread::sleep_for(1ms);
  }
  CHECK(stream.get() == nullptr);
  CHECK(stream.info().events == seen.elements - (seen.error ? 1 : 0));
  return seen;
}

}  // namespace

TEST_CASE("wait_for(0) and get() read a stream frame by frame, however it is cut into pieces", "[async]") {
  const auto body = words(40) + chunk("end", "\"stop\"") + done;
  for (const std::size_t size : {7u, 100u, 100'000u}) {
    MockServer server;
    server.push(Reply::stream({body}).in_pieces_of(size));
    const auto seen = read_frame_by_frame(client_of(server).chat.open(hello));
    CHECK_FALSE(seen.error);
    CHECK(seen.text == text_of(40) + "end");
    CHECK(seen.elements == 41);
  }
}

TEST_CASE("a stream that is polled ends with its error", "[async]") {
  MockServer server;
  server.push(Reply::stream({words(3)}));
  server.push(Reply::error(404, "no such model"));
  const auto client = client_of(server);
  const auto cut = read_frame_by_frame(client.chat.open(hello));
  CHECK(cut.text == text_of(3));
  REQUIRE(cut.error);
  CHECK(cut.error->kind == ErrorKind::truncated);
  const auto refused = read_frame_by_frame(client.chat.open(hello));
  REQUIRE(refused.error);
  CHECK(refused.error->kind == ErrorKind::not_found);
  const auto failed = read_frame_by_frame(Client({.base_url = "no url"}).chat.open(hello));
  REQUIRE(failed.error);
  CHECK(failed.error->kind == ErrorKind::config);
}

TEST_CASE("AsyncStream::get blocks for each element", "[async]") {
  MockServer server;
  server.push(Reply::stream({words(100) + chunk("end", "\"stop\"")}).in_pieces_of(50));
  auto stream = client_of(server).chat.open(hello);
  std::string text;
  while (const auto* element = stream.get()) {
    REQUIRE(*element);
    text += (*element)->text();
  }
  CHECK(text == text_of(100) + "end");
  CHECK(stream.end_reason() == EndReason::eof_after_finish);
}

TEST_CASE("wait_for(0) finds every element that has arrived", "[async]") {
  MockServer server;
  server.push(Reply::stream({words(most_together + 1) + chunk("end", "\"stop\"")}));
  auto stream = client_of(server).chat.open(hello);
  REQUIRE(stream.wait_for(10s));
  for (std::size_t i = 0; i < most_together; ++i) {
    REQUIRE(stream.wait_for(0s));
    REQUIRE(*stream.get());
  }
  CHECK((*stream.get())->text() == std::to_string(most_together) + " ");
  CHECK((*stream.get())->text() == "end");
  CHECK(stream.get() == nullptr);
}

#if defined(RUSAGE_THREAD)
TEST_CASE("wait_for(0) does not sleep", "[async]") {
  const Gate gate;
  AnsweringServer server(held_back(gate));
  const auto client = client_of(server);
  auto stream = client.chat.open(hello);
  auto call = client.chat.start(hello);
  REQUIRE_FALSE(stream.wait_for(0s));
  REQUIRE(server.wait_for_requests(2));
  const auto sleeps = [] {
    rusage used{};
    getrusage(RUSAGE_THREAD, &used);
    return used.ru_nvcsw;
  };
  const auto before = sleeps();
  bool there = false;
  for (int i = 0; i < 200; ++i) there = stream.wait_for(0s) || call.wait_for(0s) || there;
  CHECK_FALSE(there);
  CHECK(sleeps() - before < 50);
}
#endif

TEST_CASE("an executor's task brings several elements at a time", "[async]") {
  constexpr std::size_t count = 4 * most_together;
  MockServer server;
  server.push(Reply::stream({words(count) + chunk("end", "\"stop\"")}));
  const auto client = client_of(server);
  const auto frames = std::make_shared<HeldTasks>();
  const auto run_until = [&](const bool& over) {
    std::size_t tasks = 0;
    while (!over) {
      tasks += frames->run();
      std::this_thread::sleep_for(1ms);
    }
    return tasks;
  };

  SECTION("to a listener") {
    std::string text;
    bool over{};
    auto stream = client.chat.open(hello, {.executor = frames});
    stream.listen([&](const chat::Chunk& element) { text += element.text(); },
                  [&](Result<void> outcome) { over = bool(outcome); });
    CHECK(run_until(over) < count / 4);
    CHECK(text == text_of(count) + "end");
  }
  SECTION("to a coroutine") {
    Seen seen;
    bool over{};
    const auto read = [](AsyncStream<chat::Chunk> stream, Seen& into, bool& ended) -> Detached {
      while (const auto* element = co_await stream.next()) {
        if (*element) into.text += (*element)->text();
      }
      ended = true;
    };
    read(client.chat.open(hello, {.executor = frames}), seen, over);
    CHECK(run_until(over) < count / 4);
    CHECK(seen.text == text_of(count) + "end");
  }
}

TEST_CASE("listen() may follow wait_for()", "[async]") {
  Gate gate;
  MockServer server;
  auto reply = Reply::stream({words(2) + chunk("end", "\"stop\"") + done});
  reply.head_gate = gate;
  server.push(std::move(reply));
  const auto client = client_of(server);
  const auto frames = std::make_shared<HeldTasks>();
  const bool elsewhere = GENERATE(false, true);
  CAPTURE(elsewhere);
  auto stream = client.chat.open(hello, {.executor = elsewhere ? frames : nullptr});
  CHECK_FALSE(stream.wait_for(1ms));
  SECTION("before an element has come") {}
  SECTION("after one was found") {
    gate.open();
    REQUIRE(stream.wait_for(10s));
  }
  SECTION("after one has come since") {
    gate.open();
    CHECK(eventually([&] { return answered(server) == 1; }));
  }
  std::string text;
  Baton<bool> whole;
  stream.listen([&](const chat::Chunk& element) { text += element.text(); },
                [&](Result<void> outcome) { whole.pass(bool(outcome)); });
  gate.open();
  while (!whole.passed()) {
    if (!frames->run()) std::this_thread::yield();
  }
  CHECK(whole.take());
  CHECK(text == text_of(2) + "end");
}

TEST_CASE("AsyncStream::cancel drops what has arrived", "[async]") {
  MockServer server;
  server.push(Reply::stream({words(10) + chunk("end", "\"stop\"")}));
  auto stream = client_of(server).chat.open(hello);
  REQUIRE(*stream.get());
  stream.cancel();
  const auto* last = stream.get();
  REQUIRE(last != nullptr);
  REQUIRE_FALSE(*last);
  CHECK(last->error().kind == ErrorKind::cancelled);
  CHECK(stream.get() == nullptr);
}

TEST_CASE("an on_element may destroy its stream while more elements wait", "[async]") {
  MockServer server;
  server.push(Reply::stream({words(10) + chunk("end", "\"stop\"")}));
  const auto client = client_of(server);
  const auto frames = std::make_shared<HeldTasks>();
  auto stream = std::make_unique<AsyncStream<chat::Chunk>>(client.chat.open(hello, {.executor = frames}));
  int heard = 0;
  stream->listen(
      [&](const chat::Chunk&) {
        if (++heard == 3) stream.reset();
      },
      [&](Result<void>) { FAIL_CHECK("nobody listens any more"); });
  while (stream) frames->run();
  server.push(Reply::error(400));
  CHECK_FALSE(client.chat.start(hello).get());  // the loop has completed a round by then
  CHECK(frames->run() == 0);
  CHECK(heard == 3);
}

TEST_CASE("get(), co_await and listen() may follow each other", "[async]") {
  Gate rest;
  MockServer server;
  auto reply = Reply::stream({words(2), chunk("2 "), chunk("3 "), chunk("end", "\"stop\"")});
  reply.body[1].gate = rest;
  server.push(std::move(reply));
  const auto client = client_of(server);
  auto stream = client.chat.open(hello);
  CHECK((*stream.get())->text() == "0 ");
  CHECK((*stream.get())->text() == "1 ");
  REQUIRE_FALSE(stream.wait_for(1ms));

  Baton<std::string> baton;
  const auto await_one = [](AsyncStream<chat::Chunk>& from, Baton<std::string>& into) -> Detached {
    const auto* element = co_await from.next();
    into.pass((*element)->text());
  };
  await_one(stream, baton);
  rest.open();
  CHECK(baton.take() == "2 ");
  std::string text;
  Baton<bool> whole;
  stream.listen([&](const chat::Chunk& element) { text += element.text(); },
                [&](Result<void> outcome) { whole.pass(bool(outcome)); });
  CHECK(whole.take());
  CHECK(text == "3 end");
}

TEST_CASE("listen() after get() gives the rest", "[async]") {
  const auto count = GENERATE(std::size_t(5), 3 * most_together);  // more than have been read ahead by then
  MockServer server;
  server.push(Reply::stream({words(count) + chunk("end", "\"stop\"")}));
  const auto client = client_of(server);
  auto stream = client.chat.open(hello);
  CHECK((*stream.get())->text() == "0 ");
  std::string text;
  Baton<Result<void>> end;
  stream.listen([&](const chat::Chunk& element) { text += element.text(); },
                [&](Result<void> outcome) { end.pass(std::move(outcome)); });
  CHECK(end.take());
  CHECK("0 " + text == text_of(count) + "end");
}

TEST_CASE("AsyncStream::get on the loop's thread is an error where nothing has arrived", "[async]") {
  Gate rest;
  MockServer server;
  auto reply = Reply::stream({chunk("a"), chunk("b", "\"stop\"")});
  reply.body[1].gate = rest;
  server.push(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server);
  Baton<ErrorKind> baton;
  auto stream = client.chat.open(hello);
  client.chat.start(hello).then([&](Result<chat::Response>) {
    server.push(std::move(reply));
    const auto* element = stream.get();
    baton.pass(element != nullptr && !*element ? element->error().kind : ErrorKind::decode);
  });
  CHECK(baton.take() == ErrorKind::config);
  rest.open();
  CHECK((*stream.get())->text() == "a");  // nothing is lost
  CHECK((*stream.get())->text() == "b");
  CHECK(stream.get() == nullptr);
}

TEST_CASE("a stream that is polled may be destroyed at any time", "[async]") {
  MockServer server;
  for (int i = 0; i < 20; ++i) {
    server.push(Reply::stream({words(3) + chunk("end", "\"stop\"")}).in_pieces_of(64));
  }
  const auto client = client_of(server);
  for (int i = 0; i < 20; ++i) {
    auto stream = client.chat.open(hello);
    for (int looks = 0; looks < i % 5; ++looks) {
      if (stream.wait_for(std::chrono::milliseconds(looks % 2)) && stream.get() == nullptr) break;
    }
  }
}

TEST_CASE("idle_event does not count the reader's time between elements that arrived together", "[async]") {
  const ScriptedClient scripted({Reply::stream({words(3), chunk("end", "\"stop\"")})},
                                {.timeouts = {.idle = 60s, .idle_event = 60s}, .retry = RetryPolicy::none()},
                                ScriptedClient::Mode::by_hand);
  auto stream = scripted.client.chat.open(hello);
  std::size_t elements = 0;
  while (const auto* element = stream.get()) {
    REQUIRE(*element);
    ++elements;
    scripted.clock->advance(10min);
  }
  CHECK(elements == 4);
}
