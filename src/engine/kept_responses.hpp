/// \file
/// The responses that the engine keeps, so that later requests can name them.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/answer/background_response.hpp"
#include "inferwire/responses.hpp"

namespace inferwire::inline v0_1::engine {

/// A response and what it answers to.
struct KeptResponse {
  std::vector<responses::Item> input{};  ///< the whole conversation before it, each item with an id
  responses::Response response{};        ///< the response when it was kept
  std::size_t bytes{};                   ///< what the input takes, the longest part of it
  std::shared_ptr<BackgroundResponse> background{};  ///< what it is from then on; nullptr: the same

  responses::Response as_it_stands() const { return background ? background->response() : response; }
};

/// Shared, so that one that is dropped lasts as long as the requests that have found it.
using KeptRef = std::shared_ptr<const KeptResponse>;

/// Safe from any thread.
class KeptResponses {
 public:
  /// Keeps so many, or none. Pictures are long and count little in a context: a number alone would be no
  /// bound.
  explicit KeptResponses(std::size_t most, std::size_t most_bytes = 64U << 20)
      : most_(most), most_bytes_(most_bytes) {}

  /// Whether one is kept whose input takes so many bytes.
  bool keeps(std::size_t bytes) const noexcept { return most_ > 0 && bytes <= most_bytes_; }
  /// The oldest ones make room for it.
  void add(KeptRef response);
  /// The response of this id; nullptr when there is none, or none any more.
  KeptRef find(std::string_view id) const;
  /// All of them, the oldest first.
  std::vector<KeptRef> all() const;
  /// False when there is none of this id.
  bool remove(std::string_view id);

 private:
  std::size_t most_;
  std::size_t most_bytes_;
  mutable std::mutex mutex_;  // guards what follows
  std::deque<KeptRef> responses_;
  std::size_t bytes_{};
};

}  // namespace inferwire::inline v0_1::engine
