/// \file
/// Writes the entries of the journal.
#pragma once

#include "inferwire/engine/journal.hpp"
#include "inferwire/engine/service.hpp"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

namespace inferwire::inline v0_1::engine {

/// The entries, which running answers still write to after they were dropped from the journal.
struct INFERWIRE_PRIVATE Journal::State {
  explicit State(std::size_t the_capacity) : capacity(the_capacity) {}

  const std::size_t capacity;
  std::mutex mutex;  // guards the members below, and the entries' contents
  std::condition_variable ended_one;
  std::deque<std::shared_ptr<JournalEntry>> entries;
  std::size_t ended{};
};

class JournalWriter {
 public:
  /// Begins an entry, and records its answer in it; without a journal, returns the answer unchanged.
  static std::unique_ptr<Generation> follow(const Journal& journal, JournalEntry entry,
                                            std::unique_ptr<Generation> answer);
  static bool is_on(const Journal& journal) { return journal.state_->capacity > 0; }
  /// The journal entry of a request.
  static JournalEntry entry_of(const HttpRequest& request, std::uint64_t number);

 private:
  class Followed;
};

}  // namespace inferwire::inline v0_1::engine
