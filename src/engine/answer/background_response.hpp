/// \file
/// A response that is generated while no client waits for it.
#pragma once

#include "inferwire/engine/service.hpp"
#include "inferwire/responses.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A response under way.
class ResponseWork {
 public:
  virtual ~ResponseWork() = default;

  /// Does a piece of work, as Generation::step does; its bytes are events.
  virtual Step work(TimePoint now) = 0;
  /// The response so far.
  virtual responses::Response response() const = 0;
};

/// A response without a thread of its own: callers that poll it or read its events do the work that is due,
/// so that they see the progress that a thread would have made. Safe from any thread; the model runs under
/// the lock, for one caller at a time.
class BackgroundResponse {
 public:
  /// `streams`: whether its events may be read.
  BackgroundResponse(std::unique_ptr<ResponseWork> work, bool streams)
      : work_(std::move(work)), streams_(streams) {}

  BackgroundResponse(const BackgroundResponse&) = delete;
  BackgroundResponse& operator=(const BackgroundResponse&) = delete;
  ~BackgroundResponse();

  bool streams() const noexcept { return streams_; }
  /// The memory that its output takes so far, measured by the text of its events. Does not wait for the
  /// model.
  std::size_t bytes() const noexcept { return bytes_; }
  /// Adds `bytes` to a sum for as long as this lives, so that the sum grows with it. To be called once.
  void count_in(std::shared_ptr<std::atomic<std::size_t>> sum);
  /// Whether no work is left.
  bool ended() const;
  /// The response so far.
  responses::Response response() const;
  /// Does a piece of work that is due. `bytes`: it was done, with no bytes to send; `done`: no work is
  /// left.
  Step work(TimePoint now);
  /// Puts the events available from number `next` on into `out`; like `work` if there are none yet.
  Step read(std::size_t& next, std::string& out, TimePoint now);
  /// Ends the response unless it has ended; returns its final state.
  responses::Response cancel();

 private:
  // Called under the lock.
  Step advance(TimePoint now);
  void take(std::string_view events);
  void end(responses::Response response);
  void end_early(std::string_view status);

  mutable std::mutex mutex_;            // guards the members below
  std::unique_ptr<ResponseWork> work_;  ///< until it has ended
  TimePoint time_{TimePoint::min()};    ///< when a thread would do the next piece of work
  responses::Response response_;        ///< from then on
  std::string events_;                  ///< the text of all events, as they are sent; none if none is read
  std::vector<std::size_t> ends_;       ///< the end of each event in `events_`, by its sequence number
  std::shared_ptr<std::atomic<std::size_t>> sum_;  ///< see count_in; nullptr: counted in none

  std::atomic<std::size_t> bytes_{};
  bool streams_;
};

}  // namespace inferwire::inline v0_1::engine
