/// \file
/// The responses that the engine keeps, so that later requests can name them.
#pragma once

#include "engine/answer/background_response.hpp"
#include "inferwire/responses.hpp"

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A response and what it answers to.
struct KeptResponse {
  std::vector<responses::Item> input{};  ///< the whole conversation before it, each item with an id
  responses::Response response{};        ///< the response when it was kept
  std::size_t bytes{};  ///< the memory that its input takes, and its output unless in the background
  std::shared_ptr<BackgroundResponse> background{};  ///< its later state; nullptr: unchanged

  std::size_t size() const noexcept { return bytes + (background ? background->bytes() : 0); }
  responses::Response as_it_stands() const { return background ? background->response() : response; }
};

/// Shared, so that a dropped one lives as long as the requests that use it.
using KeptRef = std::shared_ptr<const KeptResponse>;

/// Safe from any thread.
class KeptResponses {
 public:
  /// Keeps at most `most`, which may be 0. Images are large but count little in a context, and logprobs are
  /// much larger than their text: a number alone would not bound the memory.
  explicit KeptResponses(std::size_t most, std::size_t most_bytes = 64U << 20)
      : most_(most), most_bytes_(most_bytes) {}

  /// Whether a response that takes `bytes` bytes would be kept.
  bool keeps(std::size_t bytes) const noexcept { return most_ > 0 && bytes <= most_bytes_; }
  /// Drops the oldest ones to make room.
  void add(KeptRef response);
  /// Drops the oldest ones if others have grown in the background.
  void make_room();
  /// The response with this id; nullptr if there is none, or no longer one.
  KeptRef find(std::string_view id) const;
  /// All of them, the oldest first.
  std::vector<KeptRef> all() const;
  /// False if there is none with this id.
  bool remove(std::string_view id);
  /// Whether this is the id of reasoning in a response that was dropped to make room; knows the latest ones.
  bool has_dropped(std::string_view reasoning_id) const;

 private:
  /// Under the lock. Moves the oldest ones into `dropped` until the others fit.
  void drop_oldest(std::vector<KeptRef>& dropped);
  /// Under the lock. How many of the newest ones fit.
  std::size_t fitting() const;
  /// Under the lock. Remembers the reasoning among these items.
  void remember_reasoning(const std::vector<responses::Item>& items);
  /// Remembers the reasoning that dropped ones have put out in the background. Takes the lock, but not while
  /// a response waits for the model.
  void remember_later_output(const std::vector<KeptRef>& dropped);

  std::size_t most_;
  std::size_t most_bytes_;
  /// The sum of what responses in the background have said: of all that were kept and still live.
  std::shared_ptr<std::atomic<std::size_t>> said_{std::make_shared<std::atomic<std::size_t>>()};
  mutable std::mutex mutex_;  // guards the members below
  std::deque<KeptRef> responses_;
  std::size_t bytes_{};                        ///< the sum of their KeptResponse::bytes
  std::deque<std::string> dropped_reasoning_;  ///< the ids, the oldest first
  std::set<std::string_view> dropped_ids_;     ///< the same ones, to be searched
};

}  // namespace inferwire::inline v0_1::engine
