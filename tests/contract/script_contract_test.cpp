// The drive contract for the scripted transport, in real time and with a clock that jumps.
#include "contract/contract.hpp"
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

}  // namespace

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
