// The drive contract for a transport as a user would write one from the text of transport.hpp alone: it
// answers out of a queue in memory.
#include "contract/contract.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace {

using namespace inferwire;
using namespace inferwire::testing;

struct Memory {
  std::mutex mutex;
  std::condition_variable woken;
  std::deque<Reply> replies;
  std::uint64_t wakes{};
  std::size_t cancelled{};
};

class MemoryExchange final : public Exchange {
 public:
  MemoryExchange(std::shared_ptr<Memory> memory, Sink& sink, const ExchangeOptions& options)
      : memory_(std::move(memory)), sink_(sink), options_(options) {
    const std::lock_guard lock(memory_->mutex);
    seen_wakes_ = memory_->wakes;
  }

  ~MemoryExchange() override {
    const std::lock_guard lock(memory_->mutex);
    if (!over_) ++memory_->cancelled;
  }

  Progress drive(TimePoint deadline) override {
    for (;;) {
      if (over_) return Progress::ended;
      if (woken()) return Progress::woken;
      bool delivered{};
      try {
        delivered = deliver_next();
      } catch (...) {
        over_ = true;
        throw;
      }
      if (delivered) return over_ ? Progress::ended : Progress::delivered;
      std::unique_lock lock(memory_->mutex);
      if (seen_wakes_ != memory_->wakes) continue;
      const auto now = Clock::system().now();
      if (now >= deadline) return Progress::deadline;
      // Nothing tells this transport that a gate opens: it looks every millisecond.
      memory_->woken.wait_until(lock, std::min(deadline, now + std::chrono::milliseconds(1)));
    }
  }

  void pause() override { paused_ = true; }
  void resume() override { paused_ = false; }
  void release() override { over_ = true; }

 private:
  bool woken() {
    const std::lock_guard lock(memory_->mutex);
    return std::exchange(seen_wakes_, memory_->wakes) != memory_->wakes;
  }

  static bool is_open(const Optional<testing::Gate>& gate) { return !gate || gate->is_open(); }

  bool deliver_next() {
    if (!reply_) {
      {
        const std::lock_guard lock(memory_->mutex);
        reply_ = std::move(memory_->replies.front());
        memory_->replies.pop_front();
      }
      sink_.on_connected();
      sink_.on_sent();
      return true;
    }
    if (paused_ || !is_open(reply_->head_gate)) return false;
    if (!std::exchange(head_told_, true)) {
      sink_.on_head({.status = reply_->status, .headers = reply_->headers});
      return true;
    }
    if (next_ == reply_->body.size()) return end();
    const auto& piece = reply_->body[next_];
    if (!is_open(piece.gate)) return false;
    ++next_;
    received_ += piece.bytes.size();
    if (options_.max_body_bytes && received_ > *options_.max_body_bytes) {
      return fail(ErrorKind::too_large, "more than " + std::to_string(*options_.max_body_bytes) + " bytes");
    }
    sink_.on_body(piece.bytes);
    return true;
  }

  bool end() {
    if (reply_->ending == Ending::silence) return false;
    if (reply_->ending != Ending::whole) return fail(ErrorKind::connection, "cut");
    over_ = true;
    sink_.on_end(nullptr);
    return true;
  }

  bool fail(ErrorKind kind, std::string detail) {
    over_ = true;
    const Error error{.kind = kind, .detail = std::move(detail)};
    sink_.on_end(&error);
    return true;
  }

  std::shared_ptr<Memory> memory_;
  Sink& sink_;
  ExchangeOptions options_;
  std::uint64_t seen_wakes_{};
  std::optional<Reply> reply_;
  bool head_told_{};
  std::size_t next_{};
  std::uint64_t received_{};
  bool paused_{};
  bool over_{};
};

class MemoryTransport final : public Transport {
 public:
  explicit MemoryTransport(std::shared_ptr<Memory> memory) : memory_(std::move(memory)) {}

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override {
    const auto has_line_break = [](const std::string& text) { return text.find('\n') != text.npos; };
    const bool sendable = request.url.starts_with("http") && !has_line_break(request.url) &&
                          std::ranges::none_of(request.headers, [&](const Header& header) {
                            return has_line_break(header.value) || header.name.find(' ') != header.name.npos;
                          });
    if (!sendable) return Error{.kind = ErrorKind::config, .detail = "that cannot be sent"};
    if (request.method.find(' ') != request.method.npos ||
        (request.method == "HEAD" && !request.body.empty())) {
      return Error{.kind = ErrorKind::invalid_request, .detail = "that method cannot be sent"};
    }
    return std::unique_ptr<Exchange>(std::make_unique<MemoryExchange>(memory_, sink, options));
  }

  void wake() noexcept override {
    {
      const std::lock_guard lock(memory_->mutex);
      ++memory_->wakes;
    }
    memory_->woken.notify_all();
  }

 private:
  std::shared_ptr<Memory> memory_;
};

class MemoryDoor final : public contract::Door {
 public:
  std::shared_ptr<Transport> transport() override { return std::make_shared<MemoryTransport>(memory_); }
  std::string url() override { return "http://memory/"; }
  void push(Reply reply) override {
    const std::lock_guard lock(memory_->mutex);
    memory_->replies.push_back(std::move(reply));
  }
  bool wait_for_close(std::size_t count, std::chrono::milliseconds) override {
    const std::lock_guard lock(memory_->mutex);
    return memory_->cancelled >= count;
  }

 private:
  std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
};

}  // namespace

TEST_CASE("a transport of one's own can keep the drive contract") {
  const auto check = GENERATE(from_range(contract::checks()));
  DYNAMIC_SECTION(check.name) {
    MemoryDoor door;
    check.run(door);
  }
}
