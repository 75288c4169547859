// The drive contract for the engine's transport, over a service that plays scripted replies: in real time and
// with a clock that jumps.
#include "contract/contract.hpp"
#include "inferwire/engine/engine_transport.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

namespace {

using namespace inferwire;
using engine::Step;

/// Plays replies in the order of the requests. Looks at a closed gate every millisecond.
class ReplyService final : public engine::Service {
 public:
  std::unique_ptr<engine::Generation> start(const HttpRequest&, TimePoint) override {
    const std::lock_guard lock(mutex_);
    auto reply = std::move(replies_.front());
    replies_.pop_front();
    return std::make_unique<Playing>(*this, std::move(reply));
  }
  void push(testing::Reply reply) {
    const std::lock_guard lock(mutex_);
    replies_.push_back(std::move(reply));
  }
  std::atomic<std::size_t> dropped{0};  ///< answers that were destroyed before their end

 private:
  class Playing final : public engine::Generation {
   public:
    Playing(ReplyService& service, testing::Reply reply)
        : service_(service),
          reply_(std::move(reply)),
          head_{.status = reply_.status, .headers = reply_.headers} {}
    ~Playing() override {
      if (!ended_) ++service_.dropped;
    }

    const ResponseHead& head() const override { return head_; }
    bool streamed() const override { return !reply_.head_gate; }
    Step step(TimePoint now) override {
      const auto wait = [&] { return Step{.kind = Step::Kind::wait, .until = now + Duration(1)}; };
      if (reply_.head_gate && !reply_.head_gate->is_open()) return wait();
      if (at_ < reply_.body.size()) {
        const auto& piece = reply_.body[at_];
        if (piece.gate && !piece.gate->is_open()) return wait();
        ++at_;
        return {.kind = Step::Kind::bytes, .bytes = piece.bytes};
      }
      if (reply_.ending == testing::Ending::silence) return wait();
      ended_ = true;
      return {.kind = reply_.ending == testing::Ending::whole ? Step::Kind::done : Step::Kind::broken};
    }

   private:
    ReplyService& service_;
    testing::Reply reply_;
    ResponseHead head_;
    std::size_t at_{};
    bool ended_{};
  };

  std::mutex mutex_;
  std::deque<testing::Reply> replies_;
};

class EngineDoor final : public contract::Door {
 public:
  explicit EngineDoor(std::shared_ptr<Clock> clock)
      : clock_(clock),
        service_(std::make_shared<ReplyService>()),
        transport_(std::make_shared<engine::EngineTransport>(service_, std::move(clock))) {}

  std::shared_ptr<Transport> transport() override { return transport_; }
  std::string url() override { return "http://localhost/v1/chat"; }
  void push(testing::Reply reply) override { service_->push(std::move(reply)); }
  bool wait_for_close(std::size_t count, std::chrono::milliseconds) override {
    return service_->dropped >= count;
  }
  Clock& clock() override { return clock_ ? *clock_ : Clock::system(); }

 private:
  std::shared_ptr<Clock> clock_;
  std::shared_ptr<ReplyService> service_;
  std::shared_ptr<engine::EngineTransport> transport_;
};

}  // namespace

TEST_CASE("the engine's transport keeps the drive contract") {
  const auto check = GENERATE(from_range(contract::checks()));
  DYNAMIC_SECTION(check.name) {
    EngineDoor door(nullptr);
    check.run(door);
  }
}

TEST_CASE("the engine's transport keeps the drive contract on a manual clock") {
  const auto check = GENERATE(from_range(contract::checks()));
  DYNAMIC_SECTION(check.name) {
    EngineDoor door(std::make_shared<testing::ManualClock>());
    check.run(door);
  }
}
