// A client is destroyed while thousands of its calls and streams run, are cancelled and fail: each is
// notified of its end once, and nothing is left behind.
#include "faults/room_service.hpp"
#include "support/catch.hpp"
#include "support/open_files.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

constexpr int calls_each = 500;
constexpr int threads_that_call = 4;

/// Replies in rotation: silence, a reset, and good, slow or broken ones.
Reply by_turns(const HttpRequest& request, int turn) {
  auto reply = answer_of_room(request);
  switch (turn % 6) {
    case 0: return Reply::silence();
    case 1: return Reply::reset();
    case 2: return Reply::error(503).with("retry-after-ms", "1");
    case 3: return reply.cut_after(least_answer / 2, Ending::reset);
    case 4: reply.head_delay = 5ms; return reply;
    default: return reply;
  }
}

/// Counts how often a call or a stream was notified of its end.
struct Told {
  bool listens{};
  std::atomic<int> ends{0};
};

}  // namespace

TEST_CASE("destroying a client while calls and streams run tells each of them its end once") {
  { const MockServer warm; }  // opens files that are opened once per process
  const auto files_before = open_files();
  {
    MockServer server;
    int turn = 0;
    server.set_handler([&turn](const HttpRequest& request) { return by_turns(request, turn++); });
    std::vector<Told> told(calls_each * threads_that_call);
    std::vector<CancelSource> sources(8);
    std::mutex mutex;  // guards what follows
    std::vector<AsyncStream<chat::Chunk>> streams;
    auto options = options_for(server);
    options.retry = {.max_retries = 2, .first_delay = 1ms};
    auto client = std::make_unique<Client>(std::move(options));

    std::vector<std::thread> threads;
    for (int number = 0; number < threads_that_call; ++number) {
      threads.emplace_back([&, number] {
        std::mt19937 random(static_cast<unsigned>(number));
        for (int i = 0; i < calls_each; ++i) {
          auto& own = told[static_cast<std::size_t>(number * calls_each + i)];
          CallOptions call;
          if (random() % 3 == 0) call.cancel = sources[random() % sources.size()].token();
          const auto kind = random() % 3;
          own.listens = kind == 0;
          if (kind == 1) {
            client->chat.start(hello, call).then([&own](const auto&) { ++own.ends; });
          } else if (kind == 2) {
            client->chat.open(hello, call).collect().then([&own](const auto&) { ++own.ends; });
          } else {
            auto stream = client->chat.open(hello, call);
            stream.listen([](const chat::Chunk&) {}, [&own](Result<void>) { ++own.ends; });
            const std::lock_guard lock(mutex);
            streams.push_back(std::move(stream));
          }
        }
      });
    }
    for (auto& source : sources) {
      std::this_thread::sleep_for(2ms);
      source.cancel();
    }
    for (auto& thread : threads) thread.join();
    // Streams keep their client alive. Most of the calls have no answer yet, and some never get one.
    for (auto& stream : streams) stream.cancel();
    std::vector<AsyncStream<chat::Chunk>> first_half;
    for (std::size_t i = 0; i < streams.size() / 2; ++i) first_half.push_back(std::move(streams[i]));
    client.reset();
    first_half.clear();
    streams.clear();

    int not_told = 0;
    int told_twice = 0;
    for (const auto& one : told) {
      not_told += !one.listens && one.ends == 0 ? 1 : 0;
      told_twice += one.ends > 1 ? 1 : 0;
    }
    CHECK(not_told == 0);  // listeners of dropped streams need not be notified
    CHECK(told_twice == 0);
    CHECK(server.wait_until_all_closed());
  }
  CHECK(open_files() == files_before);
}
