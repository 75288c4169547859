/// \file
/// The events at the connections of a mock server.
#pragma once

#include "inferwire/testing/mock_server.hpp"
#include "testing/connection.hpp"
#include "testing/gate_state.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::testing {

/// Safe from any thread; the server's thread notes events.
class ConnectionJournal {
 public:
  /// Returns the number of the new connection.
  std::size_t note_connected();
  void note(JournalEntry::Kind kind, const Connection& connection, std::string what = {});
  void note_end(const Connection& connection);
  /// No event will follow, so that waiting for one is useless.
  void end();

  std::vector<JournalEntry> entries() const;
  std::size_t accepted() const;
  std::size_t closed_by_client() const;
  std::size_t open() const;

  bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const;
  bool wait_for_close(std::size_t count, std::chrono::milliseconds limit) const;
  bool wait_until_all_closed(std::chrono::milliseconds limit) const;

 private:
  template <class Condition>
  bool wait_for(std::chrono::milliseconds limit, const Condition& condition) const {
    std::unique_lock lock(mutex_);
    const auto at_most = std::clamp(limit, std::chrono::milliseconds(0), longest_delay);
    changed_.wait_for(lock, at_most, [&] { return ended_ || condition(); });
    return condition();
  }

  mutable std::mutex mutex_;  // guards what follows
  mutable std::condition_variable changed_;
  std::vector<JournalEntry> entries_;
  std::map<std::size_t, std::size_t> latest_;  // connection: its current request
  std::size_t accepted_{};
  std::size_t closed_{};
  std::size_t closed_by_client_{};
  std::size_t requests_{};
  bool ended_{};
};

}  // namespace inferwire::inline v0_1::testing
