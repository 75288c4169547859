// The drive contract for the scripted transport, in real time and with a clock that jumps.
#include "contract/contract.hpp"
#include "inferwire/forwarding.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/catch.hpp"

namespace {

class ScriptDoor final : public contract::Door {
 public:
  explicit ScriptDoor(std::shared_ptr<inferwire::Clock> clock)
      : clock_(clock), script_(std::make_shared<inferwire::testing::ScriptTransport>(std::move(clock))) {}

  std::shared_ptr<inferwire::Transport> transport() override { return script_; }
  std::string url() override { return "http://localhost/v1/chat"; }
  void push(inferwire::testing::Reply reply) override { script_->push(std::move(reply)); }
  bool wait_for_close(std::size_t count, std::chrono::milliseconds) override {
    return script_->cancelled() >= count;
  }
  inferwire::Clock& clock() override { return clock_ ? *clock_ : inferwire::Clock::system(); }

 private:
  std::shared_ptr<inferwire::Clock> clock_;
  std::shared_ptr<inferwire::testing::ScriptTransport> script_;
};

/// What another door leads to, behind a transport that forwards.
class ForwardingDoor final : public contract::Door {
 public:
  std::shared_ptr<inferwire::Transport> transport() override { return forwarding_; }
  std::string url() override { return script_.url(); }
  void push(inferwire::testing::Reply reply) override { script_.push(std::move(reply)); }
  bool wait_for_close(std::size_t count, std::chrono::milliseconds limit) override {
    return script_.wait_for_close(count, limit);
  }

 private:
  class Forwarding final : public inferwire::ForwardingTransport {
   public:
    using ForwardingTransport::ForwardingTransport;

   private:
    inferwire::Result<std::unique_ptr<inferwire::Exchange>> start_at(
        inferwire::Transport& inner, inferwire::HttpRequest request, inferwire::Sink& sink,
        const inferwire::ExchangeOptions& options) override {
      using inferwire::ForwardingExchange;
      return ForwardingExchange::begin(std::make_unique<ForwardingExchange>(sink), inner, std::move(request),
                                       options);
    }
  };

  ScriptDoor script_{nullptr};
  std::shared_ptr<Forwarding> forwarding_ = std::make_shared<Forwarding>(script_.transport());
};

}  // namespace

TEST_CASE("a ForwardingTransport keeps the drive contract") {
  const auto check = GENERATE(from_range(contract::checks()));
  DYNAMIC_SECTION(check.name) {
    ForwardingDoor door;
    check.run(door);
  }
}

TEST_CASE("the script transport keeps the drive contract") {
  const auto check = GENERATE(from_range(contract::checks()));
  DYNAMIC_SECTION(check.name) {
    ScriptDoor door(nullptr);
    check.run(door);
  }
}

TEST_CASE("the script transport keeps the drive contract on a manual clock") {
  const auto check = GENERATE(from_range(contract::checks()));
  DYNAMIC_SECTION(check.name) {
    ScriptDoor door(std::make_shared<inferwire::testing::ManualClock>());
    check.run(door);
  }
}
