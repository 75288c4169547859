#include "inferwire/cancel.hpp"

#include "support/catch.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

using namespace inferwire;

namespace {
void count(void* context) { ++*static_cast<std::atomic<int>*>(context); }

/// Holds threads back until it is opened. It opens once.
class Gate {
 public:
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_{false};
};
}  // namespace

TEST_CASE("a CancelToken without a source is never cancelled") {
  std::atomic<int> calls{0};
  const CancelToken token;
  const CancelToken::Hook hook(token, count, &calls);
  CHECK_FALSE(token.cancelled());
  CHECK(calls == 0);
}

TEST_CASE("CancelSource::cancel reaches every token of every copy of the source") {
  CancelSource source;
  const auto token = source.token();
  const auto copy = token;
  CancelSource other = source;
  CHECK_FALSE(token.cancelled());
  other.cancel();
  CHECK(source.cancelled());
  CHECK(token.cancelled());
  CHECK(copy.cancelled());
  CHECK(source.token().cancelled());
}

TEST_CASE("A token outlives its source") {
  CancelToken token;
  {
    CancelSource source;
    token = source.token();
    source.cancel();
  }
  CHECK(token.cancelled());
}

TEST_CASE("every Hook is called once, however often cancel() is") {
  std::atomic<int> calls{0};
  CancelSource source;
  const CancelToken::Hook first(source.token(), count, &calls);
  const CancelToken::Hook second(source.token(), count, &calls);
  source.cancel();
  source.cancel();
  CHECK(calls == 2);
}

TEST_CASE("a wake may destroy its Hook and the source") {
  struct Both {
    std::optional<CancelSource> source{std::in_place};
    std::optional<CancelToken::Hook> hook{};
    int woken{};
  } both;
  both.hook.emplace(
      both.source->token(),
      [](void* context) {
        auto& gone = *static_cast<Both*>(context);
        gone.hook.reset();
        gone.source.reset();
        ++gone.woken;
      },
      &both);
  both.source->cancel();
  CHECK(both.woken == 1);
}

TEST_CASE("a Hook on a token that is cancelled already is called at once") {
  std::atomic<int> calls{0};
  CancelSource source;
  source.cancel();
  const CancelToken::Hook hook(source.token(), count, &calls);
  CHECK(calls == 1);
}

TEST_CASE("a Hook that was destroyed is not called") {
  std::atomic<int> calls{0};
  CancelSource source;
  { const CancelToken::Hook hook(source.token(), count, &calls); }
  source.cancel();
  CHECK(calls == 0);
}

TEST_CASE("a Hook's function sees its token cancelled and may cancel again") {
  struct Context {
    CancelSource source{};
    bool seen{false};
  } context;
  const CancelToken::Hook hook(
      context.source.token(),
      [](void* self) {
        auto& mine = *static_cast<Context*>(self);
        mine.seen = mine.source.cancelled();
        mine.source.cancel();
      },
      &context);
  context.source.cancel();
  CHECK(context.seen);
}

TEST_CASE("a Hook's function may destroy hooks, its own included") {
  struct Context {
    std::optional<CancelToken::Hook> own{};
    std::optional<CancelToken::Hook> other{};
    std::atomic<int> others{0};
    int calls{0};
  } context;
  CancelSource source;
  context.other.emplace(source.token(), count,
                        &context.others);  // would be woken last: the newest goes first
  context.own.emplace(
      source.token(),
      [](void* self) {
        auto& mine = *static_cast<Context*>(self);
        ++mine.calls;
        mine.other.reset();
        mine.own.reset();
      },
      &context);
  source.cancel();
  CHECK(context.calls == 1);
  CHECK(context.others == 0);
}

TEST_CASE("destroying a Hook waits for its function on another thread") {
  struct Context {
    Gate entered{};
    Gate leave{};
    std::atomic<bool> left{false};
  } context;
  CancelSource source;
  auto hook = std::make_unique<CancelToken::Hook>(
      source.token(),
      [](void* self) {
        auto& mine = *static_cast<Context*>(self);
        mine.entered.open();
        mine.leave.pass();
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
        while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
        mine.left = true;
      },
      &context);
  std::thread canceller([&source] { source.cancel(); });
  context.entered.pass();
  std::atomic<bool> left_when_gone{false};
  std::thread destroyer([&] {
    context.leave.open();
    hook.reset();
    left_when_gone = context.left.load();
  });
  destroyer.join();
  canceller.join();
  CHECK(left_when_gone);
}

TEST_CASE("threads may cancel while others create and destroy hooks") {
  constexpr int rounds = 200;
  std::atomic<int> calls{0};
  for (int round = 0; round < rounds; ++round) {
    CancelSource source;
    Gate start;
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        start.pass();
        source.cancel();
      });
      threads.emplace_back([&] {
        start.pass();
        const CancelToken::Hook hook(source.token(), count, &calls);
      });
    }
    const CancelToken::Hook steady(source.token(), count, &calls);
    start.open();
    for (auto& thread : threads) thread.join();
  }
  CHECK(calls >= rounds);      // the steady hook is called in every round
  CHECK(calls <= 3 * rounds);  // each of the other two at most once a round
}

TEST_CASE("a CancelSource that was moved from cancels nothing") {
  CancelSource source;
  const auto other = std::move(source);
  source.cancel();
  CHECK_FALSE(other.cancelled());
}
