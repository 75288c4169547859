// Sixteen threads use one client while tokens expire, the server is busy and calls are cancelled; four
// threads collect answers on a pool and end them in every way. The tests are fully effective only in the
// build with ThreadSanitizer.
#include "faults/chat_service.hpp"
#include "support/catch.hpp"
#include "support/token_source.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

/// Issues tokens. Every hundred calls all tokens become invalid, and every seventh call gets a 503.
class StrictServer {
 public:
  StrictServer() {
    server_.keep_secrets();
    server_.set_handler([this](const HttpRequest& request) {
      if (request.url.ends_with("/token")) return Reply::json(std::to_string(++issued_));
      if (++calls_ % 100 == 0) wanted_ = issued_ + 1;
      if (find_header(request.headers, "authorization") < "Bearer " + std::to_string(wanted_))
        return Reply::error(401, "this token has run out");
      if (calls_ % 7 == 0) return Reply::error(503).with("retry-after-ms", "1");
      return good_answer(request);
    });
  }
  MockServer& server() { return server_; }
  int issued() const { return issued_ - first; }

 private:
  static constexpr int first = 100'000;  // numbers of equal length can be compared as texts
  std::atomic<int> issued_{first};       // written by the server's thread
  int wanted_{first};
  int calls_{};
  MockServer server_;  // the last member: its thread uses the others
};

/// Two threads that run tasks, all of them before they end.
class Pool final : public Executor {
 public:
  ~Pool() override {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  void post(Task task) override {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_one();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return over_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      task = {};
      lock.lock();
    }
  }

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool over_{};
  std::thread threads_[2]{std::thread([this] { run(); }), std::thread([this] { run(); })};
};

/// A stream that is collected on a pool, and what its functions saw.
struct Watched {
  std::atomic<int> ends{0};
  std::atomic<bool> inside{false};
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0};

  void see() {
    if (inside.exchange(true) || over) ++wrong;
    std::this_thread::yield();
    inside = false;
  }
  void end() {
    if (inside || over.exchange(true)) ++wrong;
    ++ends;
  }
};

}  // namespace

TEST_CASE("sixteen threads share a client while tokens run out, servers are busy and calls are cancelled") {
  constexpr int threads_count = 16;
  constexpr int calls_each = 60;
  StrictServer strict;
  auto options = options_for(strict.server());
  options.api_key.reset();
  options.credential =
      Credential::refreshing(std::make_unique<TokenSource>(strict.server().url() + "/token"));
  options.retry = {.max_retries = 20, .first_delay = 1ms, .max_delay = 2ms};
  const Client client(options);
  std::atomic<int> answers{0};
  std::atomic<int> cancelled{0};
  std::atomic<int> unlucky{0};  // refused twice: the second token had also expired
  std::atomic<int> others{0};
  const auto count = [&](const std::optional<Error>& error) {
    if (!error) {
      ++answers;
    } else if (error->kind == ErrorKind::cancelled) {
      ++cancelled;
    } else {
      ++(error->kind == ErrorKind::auth && error->attempts.size() > 1 ? unlucky : others);
    }
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < threads_count; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < calls_each; ++i) {
        CancelSource source;
        const CallOptions call{.cancel = source.token()};
        std::thread canceller;
        if (i % 10 == thread % 10) canceller = std::thread([source]() mutable { source.cancel(); });
        if (i % 2 == 0) {
          auto reply = client.chat.create(hello, call);
          count(reply ? std::nullopt : std::optional(reply.error()));
        } else {
          count(client.chat.stream(hello, call).collect().error);
        }
        if (canceller.joinable()) canceller.join();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(answers + cancelled + unlucky == threads_count * calls_each);
  CHECK(others == 0);
  CHECK(answers > threads_count * calls_each / 2);
  CHECK(strict.issued() > 5);
  CHECK(strict.issued() < 100);  // one call fetches a token for all
}

TEST_CASE("collect with a function on a pool ends each answer once, and calls the function no more then") {
  constexpr int threads_count = 4;
  constexpr int calls_each = 250;
  MockServer server;
  server.set_handler([calls = 0](const HttpRequest& request) mutable {
    auto reply = good_answer(request);
    if (++calls % 3 == 0) reply.ending = Ending::silence;
    for (auto& piece : reply.body) piece.delay = std::chrono::milliseconds(calls % 2);
    if (calls % 3 == 0) reply.body.pop_back();
    if (calls % 3 == 0) reply.body.pop_back();
    return reply;
  });
  std::vector<Watched> all(threads_count * calls_each);
  const auto pool = std::make_shared<Pool>();
  std::vector<CancelSource> sources(4);
  auto options = options_for(server);
  options.executor = pool;
  auto client = std::make_unique<Client>(options);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < threads_count; ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937 random(static_cast<unsigned>(thread));
      for (int i = 0; i < calls_each; ++i) {
        auto& own = all[static_cast<std::size_t>(thread * calls_each + i)];
        CallOptions call;
        if (random() % 3 == 0) call.cancel = sources[random() % sources.size()].token();
        const auto way = random() % 4;
        if (way != 0) call.timeouts.overall = std::chrono::milliseconds(1 + random() % 10);
        auto pending = client->chat.open(hello, call).collect([&own](const chat::Chunk&) { own.see(); });
        switch (way) {
          case 0: pending.then([&own](const auto&) { own.end(); }); continue;
          case 1: break;
          case 2: pending.cancel(); break;
          default: pending = {}; break;
        }
        std::ignore = pending.get();
        own.end();
      }
    });
  }
  for (auto& source : sources) {
    std::this_thread::sleep_for(10ms);
    source.cancel();
  }
  for (auto& thread : threads) thread.join();
  client.reset();
  const auto count = [&](auto is) { return std::ranges::count_if(all, is); };
  while (count([](const Watched& one) { return one.ends == 0; }) > 0) std::this_thread::yield();
  CHECK(count([](const Watched& one) { return one.ends != 1; }) == 0);
  CHECK(count([](const Watched& one) { return one.wrong > 0; }) == 0);
}
