/// \file
/// An asynchronous stream that no loop has: there was nothing to send.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "client/core.hpp"
#include "client/loop/job.hpp"
#include "client/loop/succession.hpp"
#include "client/stream/async_stream_core.hpp"
#include "client/stream/telling.hpp"

namespace inferwire::inline v0_1::detail {

/// Its only element is an error. What goes on after its answer does so where the executor says.
template <class T>
class StillbornStream final : public AsyncStreamCore,
                              public std::enable_shared_from_this<StillbornStream<T>> {
 public:
  /// `core` is absent where the client was moved from.
  StillbornStream(std::shared_ptr<Core> core, std::shared_ptr<Executor> executor, std::string mark,
                  Error error)
      : core_(std::move(core)),
        executor_(std::move(executor)),
        mark_(std::move(mark)),
        element_(std::move(error)) {}

  bool ask() override { return true; }
  bool wait(const Optional<Duration>&) override { return true; }
  void suspend(Task resume) override { resume(); }
  void withdraw() noexcept override {}
  const void* take() override { return std::exchange(taken_, true) ? nullptr : &element_; }
  void listen(std::unique_ptr<StreamListener> listener) override {
    // Nobody is told once the stream is destroyed.
    auto tell = [stream = this->weak_from_this(), listener = std::move(listener)] {
      if (const auto alive = stream.lock()) alive->tell(*listener);
    };
    client::call_in_succession(Task(std::move(tell)));
  }
  void collect(const std::shared_ptr<StreamFold>& fold) override {
    taken_ = true;
    fold->end(element_.error());
  }
  void abandon_fold() noexcept override {}
  void dispatch(Task continuation) override {
    client::post_last(executor_, std::move(continuation), core_, mark_);
  }
  bool dispatches_here() const noexcept override { return !executor_ || executor_.is_gone(); }
  bool is_here() const noexcept override { return false; }
  void cancel() noexcept override {}
  void abandon() noexcept override {
    if (telling_.leave()) telling_.wait();
  }
  const ResponseInfo& info() const noexcept override { return info_; }
  EndReason end_reason() const noexcept override { return EndReason::failed; }

 private:
  void tell(StreamListener& listener) noexcept {
    if (!telling_.begin(false)) return;
    client::call_user([&] { listener.on_end(element_.error()); }, core_.get(), mark_);
    telling_.end();
  }

  std::shared_ptr<Core> core_;
  client::CallersExecutor executor_;
  std::string mark_;
  Result<T> element_;
  ResponseInfo info_;
  bool taken_{};
  client::Telling telling_;
};

}  // namespace inferwire::inline v0_1::detail
