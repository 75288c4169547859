#include "inferwire/async_stream.hpp"

#include "base/immortal.hpp"
#include "client/stream/async_stream_core.hpp"
#include "client/stream/failed_stream.hpp"
#include "client/stream/stream_fold.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/response_events.hpp"

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

namespace detail {

AsyncStreamFace::AsyncStreamFace() noexcept = default;
AsyncStreamFace::AsyncStreamFace(std::shared_ptr<AsyncStreamCore> core, std::shared_ptr<void> owner)
    : core_(std::move(core)), owner_(std::move(owner)) {}
AsyncStreamFace::AsyncStreamFace(AsyncStreamFace&&) noexcept = default;
AsyncStreamFace& AsyncStreamFace::operator=(AsyncStreamFace&& other) noexcept {
  if (core_ && core_ != other.core_) core_->abandon();
  core_ = std::move(other.core_);
  owner_ = std::move(other.owner_);
  return *this;
}
AsyncStreamFace::~AsyncStreamFace() {
  if (core_) core_->abandon();
}

bool AsyncStreamFace::ask() { return !core_ || core_->ask(); }
bool AsyncStreamFace::wait(const Optional<Duration>& limit) { return !core_ || core_->wait(limit); }
void AsyncStreamFace::suspend(AsyncStreamCore& core, void (*resume)(void*), void* context) {
  core.suspend(Executor::Task(resume, context));
}
void AsyncStreamFace::withdraw(AsyncStreamCore& core) noexcept { core.withdraw(); }
const void* AsyncStreamFace::take() { return core_->take(); }
const void* AsyncStreamFace::take(AsyncStreamCore& core) { return core.take(); }
void AsyncStreamFace::listen(std::unique_ptr<StreamListener> listener) {
  if (core_) return core_->listen(std::move(listener));
  client::call_user([&] { listener->on_end(no_stream()); }, nullptr);
}
void AsyncStreamFace::cancel() noexcept {
  if (core_) core_->cancel();
}
const ResponseInfo& AsyncStreamFace::info() const noexcept {
  static const Immortal<ResponseInfo> nothing;
  return core_ ? core_->info() : nothing.value;
}
EndReason AsyncStreamFace::end_reason() const noexcept {
  return core_ ? core_->end_reason() : EndReason::failed;
}

StreamListener::~StreamListener() = default;

}  // namespace detail

template <class T>
Pending<Collected<typename Folds<T>::Response>> AsyncStream<T>::fold(
    std::unique_ptr<detail::StreamListener> listener) {
  auto core = face_.core();
  if (!core) {
    core = std::make_shared<client::FailedStream>(std::type_identity<T>(), nullptr, CallOptions(),
                                                  detail::no_stream());
  }
  auto fold = std::make_shared<client::StreamFoldOf<T>>(core);
  core->collect(fold, std::move(listener));
  return Pending<Collected<typename Folds<T>::Response>>(std::move(fold), face_.owner());
}

template INFERWIRE_API Pending<Collected<chat::Response>> AsyncStream<chat::Chunk>::fold(
    std::unique_ptr<detail::StreamListener>);
template INFERWIRE_API Pending<Collected<std::vector<Json>>> AsyncStream<Json>::fold(
    std::unique_ptr<detail::StreamListener>);
template INFERWIRE_API Pending<Collected<completions::Response>> AsyncStream<completions::Chunk>::fold(
    std::unique_ptr<detail::StreamListener>);
template INFERWIRE_API Pending<Collected<responses::Response>> AsyncStream<responses::Event>::fold(
    std::unique_ptr<detail::StreamListener>);

}  // namespace inferwire::inline v0_1
