#include "client/async_stream_core.hpp"

#include <exception>
#include <utility>

#include "client/thrown.hpp"

namespace inferwire::inline v0_1::detail {

namespace {

// So many elements one after the other, then the rest of the loop has its turn: enough that going round it
// costs less than they do.
constexpr int most_in_a_row = 512;

}  // namespace

LiveStream::LiveStream(std::shared_ptr<Core> core, std::shared_ptr<Loop> loop, StreamPlan plan,
                       const client::ElementOps& ops)
    : Job(std::move(core), std::move(loop), plan.options.executor, plan.options.cancel),
      ops_(ops),
      buffer_bytes_(this->core().stream_buffer_bytes()) {
  plan.options.cancel = stopped();
  stream_ = std::make_unique<StreamCore>(shared_core(), std::move(plan), this);
}

bool LiveStream::ask() {
  if (arrived_.load(std::memory_order_acquire)) return true;
  if (ended_) {
    current_ = nullptr;
    return true;
  }
  // On the loop's thread what has been received already is read without going to sleep for it.
  if (has_executor() || !loop().is_here() || !begun_) return false;
  return ++in_a_row_ < most_in_a_row && advance();
}

void LiveStream::suspend(Task resume) {
  // From the moment at which it is awaited, the reader may go on elsewhere and destroy the stream.
  const auto alive = shared_from_this();
  reader_ = std::move(resume);
  awaited_.store(true, std::memory_order_release);
  if (loop().is_here()) {
    limit_unread();
    loop().ready(*this);
  } else {
    wake();
  }
}

const void* LiveStream::take() {
  arrived_.store(false, std::memory_order_relaxed);
  return current_;
}

void LiveStream::listen(std::unique_ptr<StreamListener> listener) {
  const auto end = [&](Result<void> outcome) {
    client::call_user([&] { listener->on_end(std::move(outcome)); }, &core());
  };
  if (std::exchange(listened_to_, true)) {
    return end(Error{.kind = ErrorKind::config, .detail = "somebody listens to the stream already"});
  }
  if (ended_ && !has_executor()) return end(outcome());
  listener_ = std::move(listener);
  if (ended_) return deliver();
  awaited_.store(true, std::memory_order_release);
  wake();
}

void LiveStream::abandon() noexcept {
  for (auto seen = telling_.load(); seen < Telling::element_to_nobody;) {
    const auto left = seen == Telling::nothing ? Telling::nothing_more : Telling::element_to_nobody;
    if (!telling_.compare_exchange_strong(seen, left)) continue;
    // What the listener refers to may go with the reader. But its callback may wait for the loop.
    const bool elsewhere = left == Telling::element_to_nobody &&
                           teller_.load() != std::this_thread::get_id() && !loop().is_here() &&
                           !loop().is_lost();
    if (elsewhere) telling_.wait(left);
    break;
  }
  stop();
  wake();
}

bool LiveStream::begin_telling() noexcept {
  if (telling_here_) return telling_.load() == Telling::element;
  teller_.store(std::this_thread::get_id(), std::memory_order_relaxed);  // seen by who sees what comes next
  auto seen = Telling::nothing;
  if (!telling_.compare_exchange_strong(seen, Telling::element)) return false;
  if (!has_executor()) telling_here_ = true;
  return true;
}

void LiveStream::end_telling() noexcept {
  auto seen = Telling::element;
  if (telling_.compare_exchange_strong(seen, Telling::nothing)) return;
  telling_.store(Telling::nothing_more);
  telling_.notify_all();
}

void LiveStream::before_user_code() noexcept {
  if (!telling_here_) return;  // and not written to where an executor tells
  telling_here_ = false;
  end_telling();
}

void LiveStream::run() {
  struct Leave {
    LiveStream& stream;
    ~Leave() { stream.before_user_code(); }
  } const leave{*this};
  if (abandoned()) {
    stream_.reset();
    return finish();
  }
  in_a_row_ = 0;
  begun_ = true;
  while (awaited_.load(std::memory_order_acquire) && !abandoned()) {
    if (++in_a_row_ > most_in_a_row) {
      before_user_code();  // a transport of the user's, from here on
      limit_unread();
      return loop().ready(*this);
    }
    if (!advance()) return;
    deliver();
  }
  before_user_code();
  if (!stream_) return;
  limit_unread();
  // The reader learns of it when it asks for the next element; the connection does not wait for that.
  if (stopped().cancelled()) stream_->hang_up();
}

/// Reads the next element. False: it has not arrived.
bool LiveStream::advance() {
  switch (stream_->step(value(), ops_)) {
    case StreamCore::Next::waiting:
      if (std::exchange(paused_, false)) stream_->resume();
      await(stream_->need());
      return false;
    case StreamCore::Next::element: current_ = result(); break;
    case StreamCore::Next::end:
      current_ = nullptr;
      end();
      break;
    case StreamCore::Next::failed:
      fail(std::move(stream_->error()));
      current_ = result();
      end();
      break;
  }
  arrived_.store(true, std::memory_order_release);
  return true;
}

void LiveStream::limit_unread() noexcept {
  if (paused_ || stream_->unread() < buffer_bytes_) return;
  paused_ = true;
  stream_->pause();
}

void LiveStream::end() {
  ended_ = true;
  info_ = std::make_unique<const ResponseInfo>(stream_->info());
  end_reason_ = stream_->end_reason();
  stream_.reset();
  finish();
}

const ResponseInfo& LiveStream::info() const noexcept {
  static const ResponseInfo nothing_yet;
  return info_ ? *info_ : nothing_yet;
}

/// Tells whoever waits.
void LiveStream::deliver() {
  awaited_.store(false, std::memory_order_relaxed);
  if (!listener_ && has_executor()) {
    // The reader may be gone by the time that the executor comes to it.
    dispatch_user([this, alive = shared_from_this()] {
      if (!abandoned()) std::exchange(reader_, {})();
    });
  } else if (!listener_) {
    if (!abandoned()) dispatch_user(std::exchange(reader_, {}));
  } else if (has_executor()) {
    dispatch_user([this, alive = shared_from_this()] { tell_listener(); });
  } else {
    client::call_user([this] { tell_listener(); }, &core());
  }
}

/// Where the listener is to be told. It waits for the next element from when it returns; where by a throw,
/// that is the end.
void LiveStream::tell_listener() {
  struct Resume {
    LiveStream& stream;
    ~Resume() {
      stream.arrived_.store(false, std::memory_order_relaxed);
      if (stream.ended_) return;
      stream.awaited_.store(true, std::memory_order_release);
      if (stream.has_executor()) stream.wake();
    }
  } const resume{*this};
  struct Told {
    LiveStream& stream;
    int throwing{std::uncaught_exceptions()};
    ~Told() {
      // The log, which hears of what was thrown, is the user's too.
      if (stream.has_executor()) {
        stream.end_telling();
      } else if (std::uncaught_exceptions() > throwing) {
        stream.before_user_code();
      }
    }
  };
  if (!begin_telling()) return;
  const Told told{*this};
  if (!ended_) return tell_element();
  const auto listener = std::move(listener_);
  listener->on_end(outcome());
}

void LiveStream::tell_element() {
  try {
    listener_->on_event(value());
  } catch (...) {
    thrown_ = client::thrown_by("the listener");
    stop();
    throw;
  }
}

Result<void> LiveStream::outcome() const {
  if (!thrown_.empty()) return Error{.kind = ErrorKind::cancelled, .detail = thrown_};
  return end_reason_ == EndReason::failed ? Result<void>(error()) : Result<void>();
}

void LiveStream::heard() noexcept {
  // One who waits reads all of it before more can come.
  if (!awaited_.load(std::memory_order_relaxed)) limit_unread();
  Job::heard();
}

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
void AsyncStreamFace::suspend(void (*resume)(void*), void* context) { core_->suspend(Task(resume, context)); }
const void* AsyncStreamFace::take() { return core_ ? core_->take() : nullptr; }
void AsyncStreamFace::listen(std::unique_ptr<StreamListener> listener) {
  if (core_) return core_->listen(std::move(listener));
  listener->on_end(Error{.kind = ErrorKind::config, .detail = "there is no stream to listen to"});
}
void AsyncStreamFace::cancel() noexcept {
  if (core_) core_->cancel();
}
const ResponseInfo& AsyncStreamFace::info() const noexcept {
  static const ResponseInfo moved_from;
  return core_ ? core_->info() : moved_from;
}
EndReason AsyncStreamFace::end_reason() const noexcept {
  return core_ ? core_->end_reason() : EndReason::failed;
}

StreamListener::~StreamListener() = default;

}  // namespace inferwire::inline v0_1::detail
