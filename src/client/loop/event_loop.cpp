#include "inferwire/event_loop.hpp"

#include "base/immortal.hpp"
#include "client/loop/loop.hpp"
#include "inferwire/executor.hpp"

#include <memory>
#include <utility>

namespace inferwire::inline v0_1 {

Executor::~Executor() = default;

const std::shared_ptr<Executor>& Executor::on_loop() {
  struct Name final : Executor {
    void post(Executor::Task task) override { task(); }
  };
  static const Immortal<std::shared_ptr<Executor>> name(std::make_shared<Name>());
  return name.value;
}

EventLoop::EventLoop(EventLoopOptions options) : loop_(std::make_shared<detail::Loop>(std::move(options))) {}
EventLoop::~EventLoop() { loop_->stop(); }
bool EventLoop::is_here() const noexcept { return loop_->is_here(); }

}  // namespace inferwire::inline v0_1
