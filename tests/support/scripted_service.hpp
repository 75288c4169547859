/// \file
/// A Service that answers with the steps of a test.
#pragma once

#include "inferwire/engine/service.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace inferwire_test {

/// One step of a scripted answer. `wait` counts from the time at which the step before it was taken.
struct ScriptedStep {
  inferwire::engine::Step::Kind kind{inferwire::engine::Step::Kind::bytes};
  std::string bytes{};
  inferwire::Duration wait{};
  bool throws{};
};

inline ScriptedStep send(std::string bytes) { return {.bytes = std::move(bytes)}; }
inline ScriptedStep work() { return {}; }
inline ScriptedStep pause_for(inferwire::Duration time) {
  return {.kind = inferwire::engine::Step::Kind::wait, .wait = time};
}
inline ScriptedStep fail() { return {.throws = true}; }
inline ScriptedStep break_off() { return {.kind = inferwire::engine::Step::Kind::broken}; }

struct ScriptedAnswer {
  inferwire::ResponseHead head{.status = 200, .headers = {{"content-type", "text/event-stream"}}};
  bool streamed{true};
  std::vector<ScriptedStep> steps{};
  bool endless{false};  ///< whether it begins again after the last step
};

class ScriptedService final : public inferwire::engine::Service {
 public:
  explicit ScriptedService(ScriptedAnswer answer, std::uint64_t max_bytes = 1 << 20)
      : answer_(std::move(answer)), max_bytes_(max_bytes) {}

  std::unique_ptr<inferwire::engine::Generation> start(const inferwire::HttpRequest& request,
                                                       inferwire::TimePoint now) override {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    return std::make_unique<Running>(*this, now);
  }
  std::uint64_t max_request_bytes() const override { return max_bytes_; }

  std::vector<inferwire::HttpRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  std::atomic<int> running{0};  ///< the number of answers that exist
  std::atomic<int> steps{0};    ///< the number of steps taken so far, by all answers

 private:
  class Running final : public inferwire::engine::Generation {
   public:
    Running(ScriptedService& service, inferwire::TimePoint now) : service_(service), since_(now) {
      ++service_.running;
    }
    ~Running() override { --service_.running; }

    const inferwire::ResponseHead& head() const override { return service_.answer_.head; }
    bool streamed() const override { return service_.answer_.streamed; }
    inferwire::engine::Step step(inferwire::TimePoint now) override {
      ++service_.steps;
      const auto& script = service_.answer_.steps;
      if (at_ == script.size() && service_.answer_.endless) at_ = 0;
      if (at_ == script.size()) return {};
      const auto& step = script[at_];
      if (step.kind == inferwire::engine::Step::Kind::wait) {
        if (now < since_ + step.wait) return {.kind = step.kind, .until = since_ + step.wait};
        since_ += step.wait;
        ++at_;
        return {.kind = inferwire::engine::Step::Kind::bytes};
      }
      ++at_;
      if (step.throws) throw std::runtime_error("the prompt was: hunter2");
      return {.kind = step.kind, .bytes = step.bytes};
    }

   private:
    ScriptedService& service_;
    inferwire::TimePoint since_;
    std::size_t at_{};
  };

  const ScriptedAnswer answer_;
  const std::uint64_t max_bytes_;
  mutable std::mutex mutex_;
  std::vector<inferwire::HttpRequest> requests_;
};

}  // namespace inferwire_test
