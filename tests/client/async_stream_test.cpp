/// \file
/// Streams on the event loop, over real sockets and over transports that have no sockets.

#include "client/held_tasks.hpp"
#include "inferwire/inferwire.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/coroutine.hpp"
#include "support/function_observer.hpp"
#include "support/listeners.hpp"
#include "support/mock_calls.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <coroutine>
#include <future>
#include <memory>
#include <mutex>
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

template <class T>
concept gives_next = requires { std::declval<T>().next(); };
template <class T>
concept gives_element = requires { std::declval<T>().get(); };
static_assert(gives_next<AsyncStream<chat::Chunk>&> && gives_element<AsyncStream<chat::Chunk>&>);
static_assert(gives_next<Stream<chat::Chunk>&>);
static_assert(!gives_next<AsyncStream<chat::Chunk>>, "the element of a temporary stream would dangle");
static_assert(!gives_element<AsyncStream<chat::Chunk>>);
static_assert(!gives_next<Stream<chat::Chunk>>);

Client client_at(std::string url, ClientOptions options = {}) {
  options.base_url = std::move(url);
  options.credential = Credential::none();
  options.environment = Environment::none();
  return Client(std::move(options));
}

/// What a reader saw of a stream.
struct Seen {
  std::string text{};
  std::size_t elements{};
  inferwire::Optional<inferwire::Error> error{};
  inferwire::EndReason reason{};
  std::uint64_t bytes{};
};

/// Reads a stream to its end.
Detached read(AsyncStream<chat::Chunk> stream, Baton<Seen>& baton) {
  Seen seen;
  while (const auto* element = co_await stream.next()) {
    if (*element) {
      ++seen.elements;
      seen.text += (*element)->text();
    } else {
      seen.error = element->error();
    }
  }
  CHECK(co_await stream.next() == nullptr);
  seen.reason = stream.end_reason();
  seen.bytes = stream.info().bytes;
  baton.pass(std::move(seen));
}

Seen read_all(AsyncStream<chat::Chunk> stream) {
  Baton<Seen> baton;
  read(std::move(stream), baton);
  return baton.take();
}

/// Runs its tasks on a separate thread.
class Worker final : public inferwire::Executor {
 public:
  ~Worker() override {
    queue_.pass(inferwire::Executor::Task());
    thread_.join();
  }
  void post(inferwire::Executor::Task task) override { queue_.pass(std::move(task)); }
  std::thread::id id() const { return thread_.get_id(); }

 private:
  Baton<inferwire::Executor::Task> queue_;  // one at a time is enough: one stream has one continuation
  std::thread thread_{[this] {
    for (auto task = queue_.take(); task; task = queue_.take()) task();
  }};
};

}  // namespace

TEST_CASE("a coroutine reads a stream, however it is cut into pieces", "[async]") {
  const auto body = chunk("One ") + chunk("two ") + chunk("three.") + stop + done;
  for (const std::size_t size : {1u, 7u, 64u, 4096u}) {
    MockServer server;
    server.push(Reply::stream({body}).in_pieces_of(size));
    const auto seen = read_all(client_of(server).chat.open(hello));
    CHECK_FALSE(seen.error);
    CHECK(seen.text == "One two three.");
    CHECK(seen.elements == 4);
    CHECK(seen.reason == inferwire::EndReason::done);
    CHECK(seen.bytes == body.size());
  }
}

TEST_CASE("a coroutine reads 20,000 chunks that arrive at once", "[async]") {
  MockServer server;
  auto reply = Reply::stream({chunk("x")});
  reply.body[0].times = 20'000;
  reply.body.push_back({.bytes = stop + done});
  server.push(reply);
  const auto seen = read_all(client_of(server).chat.open(hello));
  CHECK_FALSE(seen.error);
  CHECK(seen.text == std::string(20'000, 'x'));
}

TEST_CASE("the last element of an async stream that breaks is its error", "[async]") {
  MockServer server;
  server.push(Reply::stream({chunk("Half"), chunk("way"), done}).cut_after(chunk("Half").size() + 5));
  const auto seen = read_all(client_of(server).chat.open(hello));
  CHECK(seen.text == "Half");
  REQUIRE(seen.error);
  CHECK(seen.error->kind == ErrorKind::connection);
  CHECK(seen.reason == inferwire::EndReason::failed);
}

TEST_CASE("open() that cannot be sent gives a stream with its error as the only element", "[async]") {
  Client client = client_at("no url");
  auto seen = read_all(client.chat.open(hello));
  REQUIRE(seen.error);
  CHECK(seen.error->kind == ErrorKind::config);
  Client taken = std::move(client);
  seen = read_all(client.chat.open(hello));  // NOLINT: deliberately moved from
  CHECK(seen.error->kind == ErrorKind::config);
}

namespace {

/// A request that cannot be sent.
const chat::Request not_text{.model = "m", .messages = {chat::user("\xff")}};

}  // namespace

TEST_CASE("listen and collect report a request that cannot be sent at once, as start does", "[async]") {
  const auto no_url = client_at("");
  const auto client = client_at("http://127.0.0.1:1");
  const CallOptions bad_header{.headers = {{"a b", "c"}}};
  for (const auto& [asked, options] : {std::pair(&no_url, CallOptions()), std::pair(&client, bad_header)}) {
    std::vector<ErrorKind> told;
    auto stream = asked->chat.open(hello, options);
    stream.listen([](const chat::Chunk&) {}, [&](Result<void> end) { told.push_back(end.error().kind); });
    asked->chat.open(hello, options).collect().then([&](const auto& answer) {
      told.push_back(answer.error->kind);
    });
    asked->chat.start(hello, options).then([&](const auto& reply) { told.push_back(reply.error().kind); });
    CHECK(told == std::vector(3, ErrorKind::config));
    CHECK(asked->chat.stream(hello, options).collect().error->kind == ErrorKind::config);
  }
}

TEST_CASE("open() in the on_end of a stream that could not be sent does not deepen the stack", "[async]") {
  static constexpr int in_a_row = 10'000;
  struct Opener {
    void next() {
      if (left-- == 0) return;
      stream.emplace(client.chat.open(not_text));
      stream->listen([](const chat::Chunk&) {},
                     [this](const Result<void>& outcome) {
                       ++depth;
                       deepest = std::max(deepest, depth);
                       if (!outcome) ++failed;
                       auto mine = std::exchange(stream, std::nullopt);
                       next();
                       --depth;
                     });
    }
    const Client& client;
    std::optional<AsyncStream<chat::Chunk>> stream{};
    int left{in_a_row};
    int failed{};
    int depth{};
    int deepest{};
  };
  const auto client = client_at("no url");
  Opener opener{client};
  opener.next();
  CHECK(opener.failed == in_a_row);
  CHECK(opener.deepest == 1);
}

TEST_CASE("on_end is not called once a stream that could not be sent is destroyed", "[async]") {
  const auto client = client_at("no url");
  bool told = false;
  client.chat.start(hello).then([&](const Result<chat::Response>&) {
    auto stream = client.chat.open(not_text);
    stream.listen([](const chat::Chunk&) {}, [&](const Result<void>&) { told = true; });
  });
  CHECK_FALSE(told);
}

TEST_CASE("a stream is destroyed on the loop's thread without waiting for its callback", "[async]") {
  const bool can_be_sent = GENERATE(false, true);
  const auto loop = GENERATE(false, true) ? std::make_shared<EventLoop>() : nullptr;
  MockServer server;
  if (can_be_sent) server.push(whole_stream({"One."}));
  server.push(Reply::json(answer_of("Hi.")));
  Baton<bool> begun;
  std::promise<void> destroyed;
  Baton<bool> did_not_wait;
  const auto called = [&] {
    begun.pass(true);
    did_not_wait.pass(destroyed.get_future().wait_for(10s) == std::future_status::ready);
  };
  const auto worker = std::make_shared<Worker>();
  const auto client = client_of(server, {.loop = loop});
  auto stream = client.chat.open(can_be_sent ? hello : not_text, {.executor = worker});
  stream.listen([&](const chat::Chunk&) { called(); }, [&](const Result<void>&) { called(); });
  begun.take();
  client.chat.start(hello).then([&](const Result<chat::Response>&) {
    stream = {};
    destroyed.set_value();
  });
  CHECK(did_not_wait.take());
}

TEST_CASE("listen() calls back with each element, and once with the end", "[async]") {
  MockServer server;
  server.push(whole_stream({"One ", "two."}));
  server.push(Reply::stream({chunk("One "), chunk("two.")}));
  server.push(Reply::error(404, "no such model"));
  const auto client = client_of(server);
  const auto listen = [&client] {
    auto stream = client.chat.open(hello);
    std::string text;
    Baton<Result<void>> end;
    stream.listen([&](const chat::Chunk& element) { text += element.text(); },
                  [&](Result<void> outcome) { end.pass(std::move(outcome)); });
    return std::pair(end.take(), text);
  };
  const auto [whole, text] = listen();
  CHECK(whole);
  CHECK(text == "One two.");
  const auto [cut, part] = listen();
  REQUIRE_FALSE(cut);
  CHECK(cut.error().kind == ErrorKind::truncated);
  CHECK(part == "One two.");
  const auto [refused, nothing] = listen();
  CHECK(refused.error().kind == ErrorKind::not_found);
  CHECK(nothing.empty());
}

TEST_CASE("listen() on a stream that is over calls on_end with its outcome", "[async]") {
  MockServer server;
  const auto listen_after_the_end = [&](Reply reply) {
    server.push(std::move(reply));
    auto stream = client_of(server).chat.open(hello);
    Baton<bool> over;
    [](AsyncStream<chat::Chunk>& read, Baton<bool>& baton) -> Detached {
      while (co_await read.next() != nullptr) {}
      baton.pass(true);
    }(stream, over);
    over.take();
    Baton<Result<void>> baton;
    stream.listen([](const chat::Chunk&) { FAIL_CHECK("there is no element left"); },
                  [&](Result<void> outcome) { baton.pass(std::move(outcome)); });
    return baton.take();
  };
  CHECK(listen_after_the_end(whole_stream({"Hi."})));
  const auto broken = listen_after_the_end(Reply::stream({chunk("Hi.")}));
  REQUIRE_FALSE(broken);
  CHECK(broken.error().kind == ErrorKind::truncated);
}

TEST_CASE("AsyncStream::info has the head from the first element on", "[async]") {
  const std::shared_ptr<inferwire::Executor> executors[] = {nullptr, std::make_shared<Worker>()};
  for (const auto& executor : executors) {
    CAPTURE(executor != nullptr);
    MockServer server;
    const auto client = client_of(server);
    const auto open = [&](const Gate& gate) {
      auto reply = whole_stream({"One ", "two."}).with("x-request-id", "req_1");
      reply.body.at(1).gate = gate;
      server.push(std::move(reply));
      return client.chat.open(hello, {.executor = executor});
    };
    const auto ids = [](const AsyncStream<chat::Chunk>& stream) {
      const auto& info = stream.info();
      return std::to_string(info.head.status) + " " + info.request_id + " " + std::to_string(info.events);
    };
    {
      Gate gate;
      auto stream = open(gate);
      CHECK(ids(stream) == "0  0");
      REQUIRE(stream.get());
      CHECK(ids(stream) == "200 req_1 0");
      CHECK_FALSE(stream.wait_for(1ms));
      CHECK(ids(stream) == "200 req_1 0");
      gate.open();
      while (stream.get() != nullptr) {}
      CHECK(ids(stream) == "200 req_1 3");
    }
    {
      Gate gate;
      Baton<std::string> told;
      auto stream = open(gate);
      stream.listen(
          [&](const chat::Chunk&) {
            if (!gate.is_open()) told.pass(ids(stream));
          },
          [&](const Result<void>&) { told.pass(ids(stream)); });
      CHECK(told.take() == "200 req_1 0");
      gate.open();
      CHECK(told.take() == "200 req_1 3");
    }
    {
      Gate gate;
      Baton<std::string> told;
      [](AsyncStream<chat::Chunk> awaited, auto ids_of, Baton<std::string>& baton) -> Detached {
        co_await awaited.next();
        baton.pass(ids_of(awaited));
        while (co_await awaited.next() != nullptr) {}
        baton.pass(ids_of(awaited));
      }(open(gate), ids, told);
      CHECK(told.take() == "200 req_1 0");
      gate.open();
      CHECK(told.take() == "200 req_1 3");
    }
  }
}

TEST_CASE("every way to read a stream that was moved from gives Error{config}", "[async]") {
  const MockServer server;
  auto stream = client_of(server).chat.open(hello);
  CHECK(stream.valid());
  const auto moved = std::move(stream);
  CHECK_FALSE(stream.valid());  // NOLINT: deliberately moved from
  Result<void> outcome;
  stream.listen([](const chat::Chunk&) {}, [&](Result<void> end) { outcome = std::move(end); });
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::config);
  stream.cancel();
  CHECK(stream.wait_for(0s));
  const auto* only = stream.get();
  REQUIRE(only);
  CHECK(only->error().kind == ErrorKind::config);
  CHECK(stream.get() == nullptr);
  std::vector<ErrorKind> read;
  AsyncStream<chat::Chunk> never_opened;
  [](AsyncStream<chat::Chunk>& empty, std::vector<ErrorKind>& kinds) -> Detached {
    while (const auto* element = co_await empty.next()) kinds.push_back(element->error().kind);
  }(never_opened, read);
  CHECK(read == std::vector{ErrorKind::config});
  CHECK(stream.end_reason() == inferwire::EndReason::failed);
  CHECK(stream.info().request_id.empty());
}

TEST_CASE("an AsyncStream can be default-constructed and assigned", "[async]") {
  MockServer server;
  server.push(whole_stream({"One ", "two."}));
  const auto client = client_of(server);
  struct Speaker {
    AsyncStream<chat::Chunk> voice{};
  };
  std::vector<Speaker> speakers(2);
  speakers[1].voice = client.chat.open(hello);
  speakers.erase(speakers.begin());
  REQUIRE(speakers[0].voice.valid());
  CHECK(speakers[0].voice.collect().get().response.text() == "One two.");
  CHECK(speakers[0].voice.valid());
  speakers[0].voice = {};
  CHECK_FALSE(speakers[0].voice.valid());
}

TEST_CASE("a second listen() gives its on_end Error{config}", "[async]") {
  MockServer server;
  server.push(whole_stream({"One ", "two."}));
  const auto client = client_of(server);
  auto stream = client.chat.open(hello);
  std::string text;
  Baton<Result<void>> end;
  Result<void> refused;
  stream.listen([&](const chat::Chunk& element) { text += element.text(); },
                [&](Result<void> outcome) { end.pass(std::move(outcome)); });
  stream.listen([](const chat::Chunk&) { FAIL_CHECK("this is the first one's"); },
                [&](Result<void> outcome) { refused = std::move(outcome); });
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::config);
  CHECK(end.take());
  CHECK(text == "One two.");
}

TEST_CASE("a stream that is listened to has ended for readers", "[async]") {
  MockServer server;
  Gate rest;
  auto reply = whole_stream({"One ", "two."});
  reply.body.at(1).gate = rest;
  server.push(std::move(reply));
  const auto client = client_of(server);
  const bool can_be_sent = GENERATE(true, false);
  CAPTURE(can_be_sent);
  std::string text;
  Baton<bool> end;
  auto stream = client.chat.open(can_be_sent ? hello : not_text);
  stream.listen([&](const chat::Chunk& element) { text += element.text(); },
                [&](Result<void> outcome) { end.pass(outcome.has_value()); });
  REQUIRE(stream.wait_for(0s));
  CHECK(stream.get() == nullptr);
  bool ended = false;
  [](AsyncStream<chat::Chunk>& from, bool& at_end) -> Detached { at_end = co_await from.next() == nullptr; }(
                                                       stream, ended);
  CHECK(ended);
  rest.open();
  CHECK(end.take() == can_be_sent);
  CHECK(text == (can_be_sent ? "One two." : ""));
  const auto answer = stream.collect().get();
  REQUIRE(answer.error);
  CHECK(answer.error->detail == "somebody reads the stream already");
}

TEST_CASE("a stream that could not be sent has only one listener", "[async]") {
  const auto client = client_at("no url");
  const auto worker = std::make_shared<HeldTasks>();
  auto stream = client.chat.open(hello, {.executor = worker});
  std::vector<std::string> told;
  const auto listen = [&] {
    stream.listen([](const chat::Chunk&) {}, [&](Result<void> end) { told.push_back(end.error().detail); });
  };
  listen();
  CHECK(told.empty());
  listen();
  CHECK(told == std::vector<std::string>{"somebody listens to the stream already"});
  const auto answer = stream.collect().get();
  REQUIRE(answer.error);
  CHECK(answer.error->detail == "somebody reads the stream already");
  CHECK(worker->run() == 1);
  CHECK(told.size() == 2);
}

TEST_CASE("an exception in a listener cancels its stream", "[async]") {
  struct ThreadExecutor final : inferwire::Executor {
    ~ThreadExecutor() override {
      for (auto& thread : threads) thread.join();
    }
    void post(inferwire::Executor::Task task) override {
      threads.emplace_back([task = std::move(task)]() mutable { task(); });
    }
    std::vector<std::thread> threads;
  };
  for (const bool on_loop : {true, false}) {
    MockServer server;
    server.push(whole_stream({"One ", "two ", "three."}));
    const auto log = std::make_shared<inferwire_test::Lines>(inferwire::LogLevel::error);
    const auto client = client_of(server, {.log = log});
    const auto executor = std::make_shared<ThreadExecutor>();
    auto stream = client.chat.open(hello, {.executor = on_loop ? nullptr : executor});
    std::string text;
    Baton<Result<void>> end;
    stream.listen(
        [&](const chat::Chunk& element) {
          text += element.text();
          if (text == "One two ") throw std::runtime_error("disk full");
        },
        [&](Result<void> outcome) { end.pass(std::move(outcome)); });
    const auto outcome = end.take();
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().kind == ErrorKind::cancelled);
    CHECK(outcome.error().detail == "the listener threw: disk full");
    const auto lines = log->lines();
    CHECK(std::ranges::count_if(lines, [](const auto& line) {
            return line.ends_with(": the listener threw: disk full");
          }) == 1);
    CHECK(text == "One two ");
  }
}

TEST_CASE("cancel() in a listener closes the connection at once, and what it throws is the reason",
          "[async]") {
  MockServer server;
  server.push(unfinished_stream({chunk("x")}));
  const auto worker = std::make_shared<Worker>();
  const auto client = client_of(server);
  auto stream = client.chat.open(hello, {.executor = worker});
  bool closed = false;
  Baton<Result<void>> end;
  stream.listen(
      [&](const chat::Chunk&) {
        stream.cancel();
        closed = server.wait_for_close(1);
        throw std::runtime_error("enough");
      },
      [&](Result<void> outcome) { end.pass(std::move(outcome)); });
  const auto outcome = end.take();
  CHECK(closed);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().detail == "the listener threw: enough");
}

TEST_CASE("an on_element may destroy its stream", "[async]") {
  MockServer server;
  auto reply = unfinished_stream({chunk("x")});
  reply.body[0].times = 1000;
  server.push(reply);
  const auto client = client_of(server);
  auto stream = std::make_unique<AsyncStream<chat::Chunk>>(client.chat.open(hello));
  std::atomic<int> heard{0};
  Baton<int> destroyed;
  stream->listen(
      [&](const chat::Chunk&) {
        if (++heard != 3) return;
        stream.reset();
        destroyed.pass(1);
      },
      [&](Result<void>) { heard = -1; });
  destroyed.take();
  CHECK(server.wait_for_close(1));
  CHECK(heard == 3);
}

TEST_CASE("destroying a stream waits for the callback that runs, and is followed by none", "[async]") {
  MockServer server;
  server.push(whole_stream({"a", "b", "c"}));
  const auto client = client_of(server);
  std::optional<AsyncStream<chat::Chunk>> stream(client.chat.open(hello));
  Baton<int> inside;
  std::atomic<int> begun{0};
  std::atomic<int> returned{0};
  stream->listen(
      [&](const chat::Chunk&) {
        if (begun++ == 0) inside.pass(1);
        std::this_thread::sleep_for(50ms);
        ++returned;
      },
      [&](Result<void>) {
        ++begun;
        ++returned;
      });
  inside.take();
  stream.reset();
  const int seen = begun;
  CHECK(returned == seen);
  server.push(Reply::error(400));
  CHECK_FALSE(client.chat.start(hello).get());  // the loop has completed a round by then
  CHECK(begun == seen);
}

TEST_CASE("destroying a stream does not wait for its observer", "[async]") {
  for (const bool at_end : {false, true}) {
    CAPTURE(at_end);
    MockServer server;
    server.push(Reply::stream({chunk("a") + chunk("b") + chunk("c") + stop + done}));
    std::timed_mutex mutex;
    Baton<int> wants;
    Baton<bool> got;
    const auto take_lock = [&] {
      wants.pass(1);
      const std::unique_lock lock(mutex, 10s);
      got.pass(lock.owns_lock());
    };
    const auto observer = std::make_shared<FunctionObserver>();
    if (at_end) {
      observer->at_finish = [&](const auto&) { take_lock(); };
    } else {
      observer->at_element = [&](const inferwire::ElementSeen& element) {
        if (element.number == 2) take_lock();
      };
    }
    const auto client = client_of(server, {.observer = observer});
    std::optional<AsyncStream<chat::Chunk>> stream(client.chat.open(hello));
    std::atomic<int> heard{0};
    {
      const std::lock_guard lock(mutex);
      stream->listen([&](const chat::Chunk&) { ++heard; }, [&](Result<void>) { heard = -1; });
      wants.take();
      stream.reset();
    }
    CHECK(got.take());
    CHECK(heard == (at_end ? 4 : 1));
  }
}

TEST_CASE("a stream is cancelled by its handle, its token, and its destructor", "[async]") {
  AnsweringServer server(unfinished_stream({chunk("x")}));
  const auto client = client_of(server);
  inferwire::CancelSource source;
  Baton<Seen> baton;
  read(client.chat.open(hello, {.cancel = source.token()}), baton);
  REQUIRE(server.wait_for_requests(1));
  source.cancel();
  auto seen = baton.take();
  REQUIRE(seen.error);
  CHECK(seen.error->kind == ErrorKind::cancelled);
  CHECK(server.wait_for_close(1));

  Baton<Result<void>> end;
  Baton<int> first;
  auto stream = client.chat.open(hello);
  stream.listen([&](const chat::Chunk&) { first.pass(1); },
                [&](Result<void> outcome) { end.pass(std::move(outcome)); });
  first.take();
  stream.cancel();
  CHECK(end.take().error().kind == ErrorKind::cancelled);
  CHECK(server.wait_for_close(2));

  {
    auto dropped = client.chat.open(hello);
    dropped.listen([&](const chat::Chunk&) { first.pass(1); }, [](Result<void>) {});
    first.take();
  }
  CHECK(server.wait_for_close(3));
}

TEST_CASE("a cancelled stream closes its connection while nobody reads", "[async]") {
  MockServer server;
  server.push(unfinished_stream({chunk("x"), chunk("y")}));
  const auto client = client_of(server);
  inferwire::CancelSource source;
  Baton<int> got;
  auto stream = client.chat.open(hello, {.cancel = source.token()});
  [](AsyncStream<chat::Chunk>& read_once, Baton<int>& done_reading) -> Detached {
    co_await read_once.next();
    done_reading.pass(1);
  }(stream, got);
  got.take();
  source.cancel();
  CHECK(server.wait_for_close(1));
  Baton<bool> cancelled;
  [](AsyncStream<chat::Chunk>& rest, Baton<bool>& end) -> Detached {
    const Result<chat::Chunk>* last = nullptr;
    while (const auto* element = co_await rest.next()) last = element;
    end.pass(last != nullptr && !*last && last->error().kind == ErrorKind::cancelled);
  }(stream, cancelled);
  CHECK(cancelled.take());
}

/// The ends of calls, as an observer is told them.
struct SeenEnds {
  SeenEnds() {
    observer->at_finish = [this](const inferwire::CallEnd& end) {
      ++calls;
      last.pass(end.error != nullptr ? std::string(name(end.error->kind)) : "answered");
    };
  }

  std::shared_ptr<FunctionObserver> observer = std::make_shared<FunctionObserver>();
  Baton<std::string> last;
  std::atomic<int> calls{0};
};

TEST_CASE("an observer hears of a cancelled stream whose handle is kept", "[async]") {
  AnsweringServer server(unfinished_stream({chunk("x"), chunk("y")}));
  SeenEnds ends;
  {
    const auto client = client_of(server, {.observer = ends.observer});
    auto stream = client.chat.open(hello);
    REQUIRE(stream.get());
    stream.cancel();
    CHECK(ends.last.take() == "cancelled");
    CHECK(server.wait_for_close(1));
    const auto* last = stream.get();
    REQUIRE(last);
    REQUIRE_FALSE(*last);
    CHECK(last->error().kind == ErrorKind::cancelled);
    CHECK(last->error().attempts.size() == 1);
    CHECK(last->error().provider == "openai");
    CHECK(stream.get() == nullptr);
    CHECK(stream.end_reason() == EndReason::failed);
    CHECK(stream.info().attempts == 1);

    // A listener has the end from the loop.
    Baton<int> first;
    auto heard = client.chat.open(hello);
    heard.listen([&](const chat::Chunk&) { first.pass(1); }, [](Result<void>) {});
    first.take();
    heard.cancel();
    CHECK(ends.last.take() == "cancelled");
  }
  CHECK(ends.calls == 2);
}

TEST_CASE("the observer of a stream may cancel another one and read it", "[async]") {
  Gate answers;
  auto late = whole_stream({"One ", "two."});
  late.head_gate = answers;
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>();
  script->push(late);
  script->push(unfinished_stream({chunk("x")}));
  const auto observer = std::make_shared<FunctionObserver>();
  const auto client = client_at("http://localhost/v1", {.observer = observer, .transport = script});
  auto stream = client.chat.open(hello);
  CHECK_FALSE(stream.wait_for(1ms));
  auto other = client.chat.open(hello);
  REQUIRE(*other.get());
  observer->at_answer = [&other](const auto&) {
    other.cancel();
    while (other.wait_for(0s) && other.get() != nullptr) {}
  };
  answers.open();
  CHECK(read_all(std::move(stream)).text == "One two.");
  const auto* last = other.get();
  REQUIRE(last);
  REQUIRE_FALSE(*last);
  CHECK(last->error().kind == ErrorKind::cancelled);
}

TEST_CASE("an on_element may read another stream to its end and destroy it", "[async]") {
  Gate both;
  auto words = Reply::stream({chunk("One "), chunk("two.") + stop + done});
  words.body[1].gate = both;
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>();
  script->set_handler([words](const HttpRequest&) { return words; });
  const auto client = client_at("http://localhost/v1", {.transport = script});
  auto stream = client.chat.open(hello);
  std::optional other(client.chat.open(hello));
  REQUIRE(*stream.get());
  REQUIRE(*other->get());
  Baton<std::string> read;
  stream.listen(
      [&](const chat::Chunk& element) {
        if (!other) return;
        std::string text = element.text();
        while (other->wait_for(0s)) {
          const auto* next = other->get();
          if (next == nullptr) break;
          text += (*next)->text();
        }
        other.reset();
        read.pass(std::move(text));
      },
      [](Result<void>) {});
  both.open();
  CHECK(read.take() == "two.two.");
  CHECK(read_all(client.chat.open(hello)).text == "One two.");
}

TEST_CASE("an async stream that is left after the last element of its answer is not cancelled", "[async]") {
  MockServer server;
  SeenEnds ends;
  const auto client = client_of(server, {.observer = ends.observer});
  const auto leave_at = [&](const std::string& last) {
    auto stream = client.chat.open(hello);
    while (const auto* element = stream.get()) {
      REQUIRE(*element);
      if ((*element)->text() == last) break;
    }
  };
  for (const auto* const rest : {"", "data: [DONE]\n\n"}) {
    server.push(unfinished_stream({chunk("a"), chunk("b", "\"stop\"") + rest}));
    leave_at("b");
    CHECK(ends.last.take() == "answered");
  }
  server.push(unfinished_stream({chunk("a")}));
  leave_at("a");
  CHECK(ends.last.take() == "cancelled");
  // The loop has read ahead: what counts is how far the reader came.
  server.push(Reply::stream({chunk("a") + chunk("b") + chunk("c", "\"stop\"") + "data: [DONE]\n\n"}));
  leave_at("a");
  CHECK(ends.last.take() == "cancelled");
  server.push(Reply::stream({chunk("a") + chunk("b", "\"stop\"")}));
  {
    auto stream = client.chat.open(hello);
    REQUIRE(stream.get());
    REQUIRE(stream.wait_for(10s));  // for an element that is never taken
  }
  CHECK(ends.last.take() == "cancelled");
  CHECK(ends.calls == 5);
}

TEST_CASE("a slow reader holds up its own stream only, and its buffer is bounded", "[async]") {
  MockServer server;
  const std::string piece = chunk(std::string(1000, 'x'));
  constexpr std::uint64_t pieces = 20'000;
  server.set_handler([&](const HttpRequest&) {
    auto reply = Reply::stream({piece});
    reply.body[0].times = pieces;
    reply.body.push_back({.bytes = stop + done});
    return reply;
  });
  const auto client = client_of(server);
  auto slow = client.chat.open(hello);
  Baton<int> got;
  Detached (*read_one)(AsyncStream<chat::Chunk>&, Baton<int>&) = [](AsyncStream<chat::Chunk>& stream,
                                                                    Baton<int>& baton) -> Detached {
    co_await stream.next();
    baton.pass(1);
  };
  read_one(slow, got);
  got.take();
  const auto quick = read_all(client.chat.open(hello));
  CHECK_FALSE(quick.error);
  CHECK(quick.elements == pieces + 1);
  // The slow one was not read to its end meanwhile: the server is still sending.
  CHECK(inferwire_test::answered(server) == 1);
  const auto rest = read_all(std::move(slow));
  CHECK_FALSE(rest.error);
  CHECK(rest.elements == pieces);
}

TEST_CASE("streams of a transport without sockets run on the loop as well, side by side", "[async]") {
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>();
  const auto client = client_at("http://localhost/v1", {.transport = script});
  std::vector<Gate> gates(20);
  std::vector<Baton<Seen>> batons(20);
  for (const auto& gate : gates) {
    auto reply = whole_stream({"One ", "two."});
    reply.body[1].gate = gate;
    script->push(reply);
  }
  for (auto& baton : batons) read(client.chat.open(hello), baton);
  for (auto gate = gates.rbegin(); gate != gates.rend(); ++gate) gate->open();
  for (auto& baton : batons) {
    const auto seen = baton.take();
    CHECK_FALSE(seen.error);
    CHECK(seen.text == "One two.");
  }
}

TEST_CASE("a stream whose elements arrive at once gives the other calls of its loop a turn", "[async]") {
  const bool by_coroutine = GENERATE(false, true);
  CAPTURE(by_coroutine);
  std::string body;
  for (int i = 0; i < 20'000; ++i) body += chunk("x");
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>();
  script->push(Reply::stream({body + stop + done}));
  script->push(Reply::json(answer_of("Hi.")));
  int elements = 0;
  int heard_before_answer = 0;
  Baton<int> ended;
  const auto client = client_at("http://localhost/v1", {.transport = script});
  const auto hear = [&] {
    if (++elements != 1) return;
    client.chat.start(hello).then([&](Result<chat::Response>) { heard_before_answer = elements; });
  };
  const auto end = [&] { ended.pass(heard_before_answer); };
  auto stream = client.chat.open(hello);
  if (by_coroutine) {
    [](AsyncStream<chat::Chunk>& source, const auto& each, const auto& last) -> Detached {
      while (co_await source.next()) each();
      last();
    }(stream, hear, end);
  } else {
    stream.listen([&](const chat::Chunk&) { hear(); }, [&](Result<void>) { end(); });
  }
  const int heard = ended.take();
  CHECK(heard > 0);
  CHECK(heard < 20'001);
}

TEST_CASE("a stream with an executor is read on the executor's thread", "[async]") {
  AnsweringServer server(whole_stream({"One ", "two."}).in_pieces_of(20));
  const auto client = client_of(server);
  const auto worker = std::make_shared<Worker>();
  const auto seen = read_all(client.chat.open(hello, {.executor = worker}));
  CHECK(seen.text == "One two.");

  auto stream = client.chat.open(hello, {.executor = worker});
  std::string text;
  bool always_there = true;
  Baton<Result<void>> end;
  stream.listen(
      [&](const chat::Chunk& element) {
        text += element.text();
        always_there = always_there && std::this_thread::get_id() == worker->id();
      },
      [&](Result<void> outcome) { end.pass(std::move(outcome)); });
  CHECK(end.take());
  CHECK(text == "One two.");
  CHECK(always_there);
}

TEST_CASE("an executor is not destroyed by one of its own tasks", "[async]") {
  // An executor that joins its threads when destroyed cannot be destroyed on one of them.
  struct Noted final : inferwire::Executor {
    Noted(Worker& worker, Baton<std::thread::id>& destroyed) : on(worker), destroyed_by(destroyed) {}
    ~Noted() override { destroyed_by.pass(std::this_thread::get_id()); }
    void post(inferwire::Executor::Task task) override { on.post(std::move(task)); }
    Worker& on;
    Baton<std::thread::id>& destroyed_by;
  };
  const bool to_its_end = GENERATE(true, false);
  CAPTURE(to_its_end);
  MockServer server;
  server.push(whole_stream({"One ", "two."}));
  Baton<std::thread::id> destroyed_by;
  Worker worker;
  const auto client = client_of(server);
  [](AsyncStream<chat::Chunk> stream, bool whole, Baton<std::thread::id>& destroyed) -> Detached {
    do co_await stream.next();
    while (whole && stream.end_reason() == inferwire::EndReason::none);
    {
      const auto let_go_of = std::move(stream);
    }
    // The task that this runs in lasts longer than the loop needs.
    for (int i = 0; i < 1000 && !destroyed.passed(); ++i) std::this_thread::sleep_for(1ms);
  }(client.chat.open(hello, {.executor = std::make_shared<Noted>(worker, destroyed_by)}), to_its_end,
                                                                                     destroyed_by);
  CHECK(destroyed_by.take() != worker.id());
}

TEST_CASE("on_end runs on the executor for streams that could not be sent or are over", "[async]") {
  AnsweringServer server(whole_stream({}));
  const auto client = client_of(server);
  const auto worker = std::make_shared<Worker>();
  const inferwire::CallOptions there{.executor = worker};
  const auto told_by = [](AsyncStream<chat::Chunk>& stream) {
    Baton<std::pair<bool, std::thread::id>> end;
    stream.listen([](const chat::Chunk&) {},
                  [&](Result<void> outcome) { end.pass({outcome.has_value(), std::this_thread::get_id()}); });
    return end.take();
  };
  auto refused = client.chat.open(not_text, there);
  CHECK(told_by(refused) == std::pair(false, worker->id()));
  CHECK(server.requests().empty());

  const auto read = [](AsyncStream<chat::Chunk>& whole) {
    Baton<bool> over;
    [](AsyncStream<chat::Chunk>& stream, Baton<bool>& done_reading) -> Detached {
      while (co_await stream.next()) {}
      done_reading.pass(true);
    }(whole, over);
    over.take();
  };
  auto over = client.chat.open(hello, there);
  read(over);
  CHECK(told_by(over) == std::pair(true, worker->id()));

  auto nobodys =
      client.chat.open(hello, {.executor = inferwire::Executor::of([worker](inferwire::Executor::Task task) {
                                 worker->post(std::move(task));
                               })});
  read(nobodys);  // the stream releases it eventually
  CHECK(told_by(nobodys).first);

  auto on_loop = client.chat.open(not_text);
  CHECK(told_by(on_loop) == std::pair(false, std::this_thread::get_id()));
}

TEST_CASE("a hundred streams at once are each whole", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto begin = request.body.text().find("number ") + 7;
    const auto number = request.body.text().substr(begin, request.body.text().find('"', begin) - begin);
    return whole_stream({number, "-", number}).in_pieces_of(50);
  });
  const auto client = client_of(server);
  std::vector<Baton<Seen>> batons(100);
  for (std::size_t i = 0; i < batons.size(); ++i) {
    read(client.chat.open({.model = "m", .messages = {chat::user("number " + std::to_string(i))}}),
         batons[i]);
  }
  for (std::size_t i = 0; i < batons.size(); ++i) {
    const auto seen = batons[i].take();
    CHECK_FALSE(seen.error);
    CHECK(seen.text == std::to_string(i) + "-" + std::to_string(i));
  }
}
