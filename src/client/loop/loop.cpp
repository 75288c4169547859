#include "client/loop/loop.hpp"

#include "base/make_room.hpp"
#include "base/own_thread.hpp"
#include "client/loop/job.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace inferwire::inline v0_1::detail {

using client::Job;

namespace {

constexpr std::size_t usual_jobs = 16;
constexpr std::chrono::milliseconds pause_without_memory{1};

}  // namespace

Loop::Loop(EventLoopOptions options)
    : options_(std::move(options)),
      clock_(options_.clock ? *options_.clock : Clock::system()),
      transports_(clock_),
      admission_(options_) {
  // A few calls begin even without memory for longer lists.
  taken_.reserve(usual_jobs);
  jobs_.reserve(usual_jobs);
  ready_.reserve(usual_jobs);
  running_.reserve(usual_jobs);
}

Loop::~Loop() = default;

Result<void> Loop::start() {
  if (is_lost()) return lost();
  const std::lock_guard lock(mutex_);
  if (thread_) return {};
  if (options_.max_calls == 0U || options_.max_calls_per_host == 0U) {
    return Error{.kind = ErrorKind::config,
                 .detail = std::string("EventLoopOptions::") +
                           (options_.max_calls == 0U ? "max_calls" : "max_calls_per_host") +
                           " is 0; leave it out for any number"};
  }
  try {
    started_after_ = forks();
    auto thread = std::make_unique<std::thread>();  // before the thread runs: this may fail
    *thread = start_thread([self = shared_from_this()] { self->main(); });
    thread_ = std::move(thread);
  } catch (const std::system_error& error) {
    started_after_ = not_started;
    return Error{.kind = ErrorKind::config,
                 .detail = std::string("the event loop has no thread: ") + error.what(),
                 .retryable = true};
  }
  return {};
}

void Loop::post(Job& job) noexcept {
  auto alive = job.weak_from_this().lock();
  if (!alive || is_lost()) return;
  const std::lock_guard lock(mutex_);
  if (ended_ || job.alive_while_posted_) return;
  job.alive_while_posted_ = std::move(alive);
  job.next_posted_ = nullptr;
  (posted_last_ != nullptr ? posted_last_->next_posted_ : posted_first_) = &job;
  posted_last_ = &job;
  ++posted_;
  wake();
}

bool Loop::post(Executor::Task& task) {
  if (is_lost()) return false;
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  posted_tasks_.push_back(std::move(task));
  wake();
  return true;
}

/// Under the lock. Wakes a sleeping thread once, however much is posted.
void Loop::wake() noexcept {
  if (auto* const multiplexer = std::exchange(asleep_in_, nullptr)) multiplexer->wake();
}

Error Loop::lost() {
  return {
      .kind = ErrorKind::config,
      .detail = "the event loop's thread is another process's: a child of fork() needs a client of its own"};
}

void Loop::leave(Core& core) {
  if (is_lost()) return;
  std::unique_lock lock(mutex_);
  if (!thread_ || ended_) return;
  wake();
  auto& leaving = core.leaving_;
  leaving.core = &core;
  leaving.next = std::exchange(leaving_, &leaving);
  if (is_here()) {
    leaving.alive = core.shared_from_this();
  } else {
    disconnected_.wait(lock, [&leaving] { return leaving.over; });
  }
}

void Loop::stop() noexcept {
  if (is_lost()) {
    // Its id may now belong to a thread of this process: the handle is leaked, and nothing is done with it.
    [[maybe_unused]] const auto* const left = thread_.release();
    return id_.store({});
  }
  std::thread thread;
  {
    const std::lock_guard lock(mutex_);
    stopping_asked_ = true;
    if (!thread_) return;
    thread = std::move(*thread_);
    thread_.reset();
    wake();
  }
  if (is_here()) {
    thread.detach();  // the thread ends once the stack has unwound
  } else {
    thread.join();
  }
}

void Loop::main() {
  id_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  for (;;) {
    try {
      take_posted();
    } catch (const std::bad_alloc&) {  // it stays posted
      std::this_thread::sleep_for(pause_without_memory);
    }
    fire_timers();
    run_ready();
    let_next_enter();
    finish_disconnects();
    if (stopping_ && jobs_.empty() && end()) break;
    if (!goes_on()) wait();
  }
  transports_.clear();
}

/// Whether nothing was posted meanwhile; then nothing more is accepted.
bool Loop::end() noexcept {
  const std::lock_guard lock(mutex_);
  ended_ = !is_asked();
  return ended_;
}

/// Whether the next pass begins without a look at the sockets, since something was posted in this one; but
/// not twice in a row. A call that is started where another has ended is sent a system call earlier.
bool Loop::goes_on() noexcept {
  const std::lock_guard lock(mutex_);
  went_on_ = is_asked() && !went_on_;
  return went_on_;
}

/// Under the lock. Whether anything was posted.
bool Loop::is_asked() const noexcept {
  return posted_first_ != nullptr || !posted_tasks_.empty() || leaving_ != nullptr;
}

/// Nothing is taken if there is no memory for it: std::bad_alloc.
void Loop::take_posted() {
  std::vector<Executor::Task> tasks;
  Leaving* leaving = nullptr;
  bool stops = false;
  {
    const std::lock_guard lock(mutex_);
    if (posted_ > 0) make_room_for_posted();
    for (Job* job = posted_first_; job != nullptr; job = job->next_posted_) {
      taken_.push_back(std::move(job->alive_while_posted_));
    }
    posted_first_ = posted_last_ = nullptr;
    posted_ = 0;
    leaving = std::exchange(leaving_, nullptr);
    tasks.swap(posted_tasks_);
    stops = stopping_asked_ && !std::exchange(stopping_, true);
  }
  for (const auto& job : taken_) {
    if (!job->over_ && job->index_ == Job::not_listed) list(*job);
    ready(*job);
  }
  taken_.clear();
  for (auto& task : tasks) task();
  while (leaving != nullptr) {
    cancel_all(leaving->core);
    auto* const next = std::exchange(leaving->next, disconnects_);
    disconnects_ = std::exchange(leaving, next);
  }
  if (stops) cancel_all(nullptr);
}

/// A job is ready once in a pass, also one that ends in it, which leaves its place empty: until more are
/// taken, this is room enough.
void Loop::make_room_for_posted() {
  const auto jobs = jobs_.size() + posted_;
  make_room(taken_, posted_);
  make_room(jobs_, jobs);
  make_room(ready_, ready_.size() + jobs);
  make_room(running_, jobs);
}

void Loop::list(Job& job) noexcept {
  job.index_ = jobs_.size();
  jobs_.push_back(job.shared_from_this());
  job.begin();
  if (stopping_) job.stop();
}

void Loop::ready(Job& job) noexcept {
  if (job.over_) return;
  if (job.index_ == Job::not_listed) return post(job);
  if (!std::exchange(job.ready_, true)) ready_.push_back(&job);
}

void Loop::run_ready() {
  running_.swap(ready_);
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (running_[i] == nullptr) continue;
    const auto alive = running_[i]->shared_from_this();
    alive->ready_ = false;
    alive->run();
  }
  running_.clear();
}

void Loop::remove(Job& job) noexcept {
  job.over_ = true;
  timers_.cancel(job);
  if (job.ready_) {  // removed while waiting to run, by another job
    std::ranges::replace(ready_, &job, static_cast<Job*>(nullptr));
    std::ranges::replace(running_, &job, static_cast<Job*>(nullptr));
  }
  const auto alive = std::move(jobs_[job.index_]);
  jobs_[job.index_] = std::move(jobs_.back());
  jobs_.pop_back();
  if (job.index_ < jobs_.size()) jobs_[job.index_]->index_ = job.index_;
}

void Loop::set_timer(Job& job, TimePoint at) noexcept { timers_.set(job, at); }

void Loop::fire_timers() {
  // Timers are judged by the time of the last look at the sockets: what arrived by then was processed,
  // however long callbacks have delayed the loop since.
  timers_.fire(looked_at_, [this](Job& job) { ready(job); });
}

void Loop::wait() {
  looked_at_ = clock_.now();
  auto deadline = timers_.earliest();
  // According to the loop's clock, which may differ from the one that socket waits use.
  if (!ready_.empty() || deadline <= looked_at_) deadline = TimePoint::min();
  const auto& multiplexers = transports_.multiplexers();
  if (multiplexers.empty()) return sleep(transports_.polling(), deadline);
  if (&clock_ != &Clock::system()) return wait_by_given_clock(deadline);
  if (transports_.polling().empty() && multiplexers.size() == 1)
    return sleep(*multiplexers.front().multiplexer, deadline);
  sleep_in_turns(deadline);
}

/// A given clock does not advance a wait on sockets, which know nothing of it; while an exchange over sockets
/// is in progress, that clock is checked every millisecond.
void Loop::wait_by_given_clock(TimePoint deadline) {
  const bool under_way = std::ranges::any_of(jobs_, [this](const auto& job) { return awaits_sockets(*job); });
  if (!under_way) return sleep(transports_.polling(), deadline);
  sleep_in_turns(deadline == TimePoint::min() ? deadline : TimePoint::max());
}

bool Loop::awaits_sockets(const Job& job) const noexcept {
  return job.awaits_exchange() && transports_.uses_sockets(job.core());
}

/// Polls in turn several multiplexers that cannot wait for each other. Sockets that no call waits for need
/// polling only so that old ones are closed.
void Loop::sleep_in_turns(TimePoint deadline) {
  const auto& multiplexers = transports_.multiplexers();
  for (const auto& owned : multiplexers) sleep(*owned.multiplexer, TimePoint::min());
  sleep(transports_.polling(), TimePoint::min());
  if (!ready_.empty()) return;
  const auto now = std::chrono::steady_clock::now();
  if (std::ranges::any_of(jobs_, [this](const auto& job) { return awaits_sockets(*job); })) {
    sleep(*multiplexers.front().multiplexer, std::min(deadline, now + std::chrono::milliseconds(1)));
  } else {
    sleep(transports_.polling(), std::min(deadline, now + std::chrono::seconds(1)));
  }
}

void Loop::sleep(Multiplexer& multiplexer, TimePoint deadline) {
  {
    const std::lock_guard lock(mutex_);
    if (is_asked() || stopping_asked_ != stopping_) deadline = TimePoint::min();
    asleep_in_ = &multiplexer;
  }
  driving_ = true;
  try {
    multiplexer.run(deadline);
  } catch (...) {  // it ended the exchange that threw; there is no one else to report to
  }
  driving_ = false;
  const std::lock_guard lock(mutex_);
  asleep_in_ = nullptr;
}

bool Loop::enter(Job& job) { return admission_.enter(job); }

void Loop::exit(Job& job) noexcept { admission_.leave(job); }

/// Admits waiting calls that may begin. Done once per round, after the calls that ended in it have left.
void Loop::let_next_enter() noexcept {
  while (auto* const next = admission_.next()) ready(*next);
}

void Loop::cancel_all(const Core* core) noexcept {
  for (const auto& job : jobs_) {
    if (core == nullptr || &job->core() == core) job->stop();
  }
}

bool Loop::has_jobs(const Core* core) const noexcept {
  return std::ranges::any_of(jobs_, [core](const auto& job) { return &job->core() == core; });
}

void Loop::finish_disconnects() {
  for (auto** place = &disconnects_; *place != nullptr;) {
    auto& leaving = **place;
    if (has_jobs(leaving.core)) {
      place = &leaving.next;
      continue;
    }
    *place = leaving.next;
    transports_.unbind(*leaving.core);
    const auto alive = std::move(leaving.alive);  // destroyed after the lock is released
    const std::lock_guard lock(mutex_);
    leaving.over = true;
    disconnected_.notify_all();
  }
}

}  // namespace inferwire::inline v0_1::detail
