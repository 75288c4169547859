#include "client/stream/async_stream_core.hpp"

#include <exception>
#include <utility>

#include "client/thrown.hpp"

namespace inferwire::inline v0_1::detail {

namespace {

// After so many elements of one stream the rest of the loop has its turn: enough that going round it costs
// less than they do.
constexpr int most_in_a_row = 512;

// The most elements that are handed over together: what a frame of a game's brings, with some to spare. A few
// of them take 10 KB.
constexpr std::size_t most_kept = 32;

}  // namespace

LiveStream::LiveStream(std::shared_ptr<Core> core, std::shared_ptr<Loop> loop, StreamPlan plan,
                       const client::ElementOps& ops)
    : Job(std::move(core), std::move(loop), plan.options),
      ops_(ops),
      buffer_bytes_(this->core().stream_buffer_bytes()) {
  plan.options.cancel = stopped();
  plan.options.executor.reset();  // the job has it
  stream_ = std::make_unique<StreamCore>(shared_core(), std::move(plan), this);
}

bool LiveStream::ask() {
  if (collected_) return true;
  if (looked_for_) return wait(Duration::zero());
  if (arrived_.load(std::memory_order_acquire)) return true;
  if (next_kept()) {
    arrived_.store(true, std::memory_order_relaxed);
    return true;
  }
  if (ended_) {
    current_ = nullptr;
    return true;
  }
  // On the loop's thread what has been received already is read without going to sleep for it.
  if (has_executor() || !loop().is_here() || !begun_) return false;
  return ++in_a_row_ < most_in_a_row && advance();
}

bool LiveStream::wait(const Optional<Duration>& limit) {
  if (collected_) return true;
  const bool here = loop().is_here();
  if (!looked_for_) {
    if (ask()) return true;
    if (!arrival_) arrival_ = std::make_unique<client::Arrival>();
    note_head();
    looked_for_ = true;
    ask_loop(Waits::looker);
  }
  looked_for_ = !arrival_->take(here ? Duration::zero() : limit);
  return !looked_for_;
}

void LiveStream::suspend(Task resume) {
  // From the moment at which it is awaited, the reader may go on elsewhere and destroy the stream.
  const auto alive = shared_from_this();
  reader_ = std::move(resume);
  if (!std::exchange(looked_for_, false)) return ask_loop(Waits::reader);
  if (auto looker = Waits::looker; waits_.compare_exchange_strong(looker, Waits::reader)) return;
  arrival_->take({});  // it has come since it was looked for
  tell_reader();
}

void LiveStream::withdraw() noexcept {
  if (!arrival_) arrival_ = std::make_unique<client::Arrival>();
  auto reader = Waits::reader;
  looked_for_ = waits_.compare_exchange_strong(reader, Waits::looker);
  reader_ = {};
}

/// From now on the reader may go on elsewhere.
void LiveStream::ask_loop(Waits who) noexcept {
  const bool here = loop().is_here();
  waits_.store(who, std::memory_order_release);
  if (!here) return wake();
  limit_unread();
  loop().ready(*this);
}

const void* LiveStream::take() {
  if (collected_) return nullptr;
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
  if (looked_for_) {
    return end(Error{.kind = ErrorKind::config, .detail = "an element of the stream is waited for already"});
  }
  if (ended_ && (!has_executor() || is_executor_gone())) return end(outcome());
  listener_ = std::move(listener);
  if (ended_) return deliver();
  waits_.store(Waits::listener, std::memory_order_release);
  wake();
}

void LiveStream::collect(const std::shared_ptr<StreamFold>& fold) {
  const bool awaited = looked_for_ && !wait(Duration::zero());
  if (awaited || listened_to_ || waits_.load() != Waits::nobody) {
    return fold->end(Error{.kind = ErrorKind::config, .detail = "somebody reads the stream already"});
  }
  // An element that was asked for and not taken.
  if (arrived_.exchange(false) && current_ != nullptr && !(ended_ && current_ == result())) {
    fold->add(value_in(current_));
  }
  listened_to_ = true;
  collected_ = true;
  fold_ = fold;
  if (ended_) return tell_fold();
  waits_.store(Waits::listener, std::memory_order_release);
  wake();
}

void LiveStream::abandon_fold() noexcept {
  telling_.leave();
  stop();
  wake();
}

void LiveStream::abandon() noexcept {
  if (collected_) return;  // the fold has the stream
  // What the listener refers to may go with the reader. But its callback may wait for the loop.
  if (telling_.leave() && !loop().is_here() && !loop().is_lost()) telling_.wait();
  stop();
  wake();
}

void LiveStream::before_user_code() noexcept { telling_.pause(); }

void LiveStream::run() {
  struct Leave {
    LiveStream& stream;
    ~Leave() { stream.before_user_code(); }
  } const leave{*this};
  if (abandoned()) {
    stream_.reset();
    let_go_of_executor();
    return finish();
  }
  in_a_row_ = 0;
  begun_ = true;
  while (waits_.load(std::memory_order_acquire) != Waits::nobody && !abandoned()) {
    if (++in_a_row_ > most_in_a_row) {
      before_user_code();  // a transport of the user's, from here on
      limit_unread();
      return loop().ready(*this);
    }
    if (!next_kept() && !advance()) return;
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
    case StreamCore::Next::element: current_ = is_elsewhere() ? keep_what_arrived() : result(); break;
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

/// The element that was read, the others behind it.
const void* LiveStream::keep_what_arrived() {
  kept_ = 0;
  do keep(kept_++);
  while (kept_ < most_kept && stream_->step_ahead(value(), ops_));
  given_ = 1;
  return kept(0);
}

/// Whether there is one more that was handed over; it is the reader's then. Who has cancelled gets none.
bool LiveStream::next_kept() {
  if (given_ == kept_ || stopped().cancelled()) return false;
  current_ = kept(given_++);
  return true;
}

void LiveStream::limit_unread() noexcept {
  if (paused_ || stream_->unread() < buffer_bytes_) return;
  paused_ = true;
  stream_->pause();
}

void LiveStream::end() {
  ended_ = true;
  info_ = std::make_unique<ResponseInfo>(stream_->info());
  end_reason_ = stream_->end_reason();
  stream_.reset();
  finish();
}

/// Who looks for an element may ask meanwhile: the loop's thread does not touch the early one.
const ResponseInfo& LiveStream::info() const noexcept {
  static const ResponseInfo nothing_yet;
  if (is_at_rest()) {
    if (info_) return *info_;
    note_head();
  }
  return early_info_ ? *early_info_ : nothing_yet;
}

/// Copies what no longer changes, for those who may ask: ten thousand streams that nobody asks do without.
void LiveStream::note_head() const noexcept {
  if (early_info_ || !stream_ || stream_->info().head.status == 0) return;
  try {
    const auto& told = stream_->info();
    early_info_ = std::make_unique<ResponseInfo>(ResponseInfo{
        .head = told.head, .request_id = told.request_id, .request_id_header = told.request_id_header});
  } catch (...) {  // for lack of memory
  }
}

/// Tells whoever waits.
void LiveStream::deliver() {
  if (collected_) return tell_fold();
  if (!listener_) {
    const bool looks = waits_.exchange(Waits::nobody) == Waits::looker;
    return looks ? arrival_->tell() : tell_reader();
  }
  waits_.store(Waits::nobody, std::memory_order_release);
  if (has_executor()) {
    // Once the reader has left nobody is told.
    dispatch_told([this, stream = weak_from_this()] {
      if (const auto alive = stream.lock()) tell_listener();
    });
  } else {
    client::call_user([this] { tell_listener(); }, &core());
  }
}

void LiveStream::tell_reader() {
  if (has_executor() || !loop().is_here()) {
    // The reader may be gone by the time that the executor comes to it, or be another one, who has not been
    // told. If it ever comes: its tasks hold nothing that holds the executor.
    return dispatch_told([this, stream = weak_from_this()] {
      const auto alive = stream.lock();
      if (alive && !abandoned() && waits_.load() == Waits::nobody) std::exchange(reader_, {})();
    });
  }
  if (!abandoned()) dispatch_user(std::exchange(reader_, {}));
}

/// Tells the listener, on the thread that this has to happen on. It waits for the next element from when it
/// returns; if it throws, that is the end.
void LiveStream::tell_listener() {
  struct Resume {
    LiveStream& stream;
    ~Resume() {
      stream.arrived_.store(false, std::memory_order_relaxed);
      if (stream.ended_) return;
      stream.waits_.store(Waits::listener, std::memory_order_release);
      if (stream.has_executor()) stream.wake();
    }
  } const resume{*this};
  struct Told {
    LiveStream& stream;
    bool threw{true};
    ~Told() {
      // The log, which hears of what was thrown, is the user's too.
      if (stream.has_executor()) {
        stream.telling_.end();
      } else if (threw) {
        stream.before_user_code();
      }
    }
  };
  if (!telling_.begin(!has_executor())) return;
  Told told{*this};
  if (!ended_) {
    do tell_element();
    while (has_executor() && !abandoned() && next_kept());
  } else {
    const auto listener = std::move(listener_);
    listener->on_end(outcome());
  }
  told.threw = false;
}

void LiveStream::tell_element() {
  try {
    listener_->on_event(value_in(current_));
  } catch (...) {
    thrown_ = client::thrown_by("the listener");
    stop();
    throw;
  }
}

/// The fold waits for the next element until the end.
void LiveStream::tell_fold() {
  const auto fold = fold_.lock();
  arrived_.store(false, std::memory_order_relaxed);
  if (!ended_) {
    if (fold) fold->add(value_in(current_));
    return;
  }
  waits_.store(Waits::nobody, std::memory_order_release);
  if (!fold) return;
  const auto told = outcome();
  fold->end(told ? std::nullopt : std::optional(told.error()));
}

Result<void> LiveStream::outcome() const {
  if (!thrown_.empty()) return Error{.kind = ErrorKind::cancelled, .detail = thrown_};
  return end_reason_ == EndReason::failed ? Result<void>(error()) : Result<void>();
}

void LiveStream::heard() noexcept {
  // One who waits reads all of it before more can come.
  if (waits_.load(std::memory_order_relaxed) == Waits::nobody) limit_unread();
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
bool AsyncStreamFace::wait(const Optional<Duration>& limit) { return !core_ || core_->wait(limit); }
void AsyncStreamFace::suspend(AsyncStreamCore& core, void (*resume)(void*), void* context) {
  core.suspend(Task(resume, context));
}
void AsyncStreamFace::withdraw(AsyncStreamCore& core) noexcept { core.withdraw(); }
const void* AsyncStreamFace::take() { return core_ ? core_->take() : nullptr; }
const void* AsyncStreamFace::take(AsyncStreamCore& core) { return core.take(); }
void AsyncStreamFace::listen(std::unique_ptr<StreamListener> listener) {
  if (core_) return core_->listen(std::move(listener));
  const Error nothing{.kind = ErrorKind::config, .detail = "there is no stream to listen to"};
  client::call_user([&] { listener->on_end(nothing); }, nullptr);
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
