#include "client/stream/stream_feed.hpp"

#include "base/thrown.hpp"

#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

// The most elements that are read together: more than arrive during one frame of a game. A few of them take
// 10 KB.
constexpr std::size_t most_kept = 32;

}  // namespace

StreamFeed::StreamFeed(std::shared_ptr<detail::Core> core, StreamPlan plan, Runner& runner,
                       const ElementOps& ops)
    : buffer_bytes_(core->stream_buffer_bytes()),
      stream_(std::make_unique<detail::StreamCore>(std::move(core), std::move(plan), ops, &runner)) {}

bool StreamFeed::read(bool ahead) noexcept {
  if (std::exchange(unkept_, false)) {
    kept_ = given_ = 0;
    current_ = decoded();
    return true;
  }
  switch (stream_->step(value())) {
    case detail::StreamCore::Next::waiting:
      if (std::exchange(paused_, false)) stream_->resume();
      return false;
    case detail::StreamCore::Next::element: current_ = ahead ? keep_what_arrived() : decoded(); break;
    case detail::StreamCore::Next::end:
      current_ = nullptr;
      end();
      break;
    case detail::StreamCore::Next::failed:
      fail(stream_->take_error());
      current_ = decoded();
      end();
      break;
  }
  return true;
}

/// Keeps the element that was read and those that have arrived after it; returns the first. An element that
/// there is no memory to keep is returned by the next `read`.
const void* StreamFeed::keep_what_arrived() noexcept {
  kept_ = given_ = 0;
  try {
    do {
      keep(kept_);
      ++kept_;
    } while (kept_ < most_kept && stream_->step_ahead(value()));
  } catch (...) {
    unkept_ = kept_ > 0;
  }
  if (kept_ == 0) return decoded();
  given_ = 1;
  return kept(0);
}

bool StreamFeed::read_arrived() noexcept {
  if (unkept_ || given_ != kept_ || !stream_->step_ahead(value())) return false;
  current_ = decoded();
  return true;
}

bool StreamFeed::read_kept() noexcept {
  if (given_ == kept_) return false;
  current_ = kept(given_++);
  return true;
}

bool StreamFeed::give_up(TimePoint now) noexcept {
  if (!stream_->give_up(now)) return false;
  fail(stream_->take_error());
  current_ = decoded();
  end();
  return true;
}

void StreamFeed::end_by(Error error) {
  fail(std::move(error));
  current_ = decoded();
  given_ = kept_;
  end_reason_ = EndReason::failed;
}

void StreamFeed::end() noexcept {
  end_reason_ = stream_->end_reason();
  try {
    info_ = std::make_unique<ResponseInfo>(stream_->info());
  } catch (...) {  // for lack of memory
  }
  stream_.reset();
}

/// The call may have read further than its reader, who has then left before the end.
void StreamFeed::abandon(bool untaken) noexcept {
  if (stream_ && (untaken || unkept_ || given_ != kept_)) stream_->end_cancelled();
  stream_.reset();
}

Result<void> StreamFeed::outcome() const noexcept {
  if (end_reason_ != EndReason::failed) return {};
  try {
    return error();
  } catch (...) {
    return Error{.kind = error().kind, .detail = std::string(no_memory)};
  }
}

void StreamFeed::limit_unread() noexcept {
  if (paused_ || stream_->unread() < buffer_bytes_) return;
  paused_ = true;
  stream_->pause();
}

const ResponseInfo& StreamFeed::info() const noexcept {
  if (info_) return *info_;
  note_head();
  return early_info();
}

const ResponseInfo& StreamFeed::early_info() const noexcept {
  const auto* const known = early_info_.load(std::memory_order_acquire);
  return known != nullptr ? *known : detail::no_info();
}

/// Copied on demand only, which saves memory with ten thousand streams.
void StreamFeed::note_head() const noexcept {
  if (head_ || !stream_ || !stream_->has_head()) return;
  try {
    const auto& told = stream_->info();
    head_ = std::make_unique<const ResponseInfo>(ResponseInfo{
        .head = told.head, .request_id = told.request_id, .request_id_header = told.request_id_header});
    early_info_.store(head_.get(), std::memory_order_release);
  } catch (...) {  // for lack of memory
  }
}

}  // namespace inferwire::inline v0_1::client
