/// \file
/// The requests to an engine, and their outcomes.
#pragma once

#include "inferwire/duration.hpp"
#include "inferwire/export.hpp"
#include "inferwire/headers.hpp"
#include "inferwire/optional.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// The state of an answer.
enum class Outcome : std::uint8_t {
  running,
  whole,      ///< sent completely
  broken,     ///< cut off by the engine, because of a fault
  abandoned,  ///< the client disconnected, or the server was stopped
};

/// A request and its answer.
struct JournalEntry {
  std::uint64_t number{};  ///< how many requests the engine had before
  std::string method{};
  std::string url{};
  std::vector<Header> headers{};  ///< "***" for the values of headers named like credentials
  std::string body{};             ///< the first 64 KiB of the request's body
  std::string rule{};             ///< the name of the rule that answered; empty: none
  std::string chaos{};            ///< the random fault: "failure", "cut", "stall", "slow start"; empty: none
  std::vector<std::string> near_misses{};  ///< if no rule matched: why not, one sentence per rule
  int status{};
  std::uint64_t bytes{};              ///< the size of the answer's body so far
  std::uint64_t pieces{};             ///< in how many pieces it was sent
  Outcome outcome{Outcome::running};  ///< the state of the answer
};

/// The last requests to an engine. Empty unless EngineOptions::journal_entries says how many to keep. Copies
/// share their entries; a move is a copy. Safe from any thread.
class INFERWIRE_API Journal {
 public:
  explicit Journal(std::size_t capacity = 0);
  Journal(const Journal&) = default;
  Journal& operator=(const Journal&) = default;

  /// The oldest first.
  std::vector<JournalEntry> entries() const;
  /// The newest; absent if there is none.
  Optional<JournalEntry> last() const;
  /// Those that no rule matched.
  std::vector<JournalEntry> unmatched() const;
  /// Waits until `count` answers have ended since the start or the last `clear`; false if that takes longer
  /// than `limit` in real time.
  bool wait_for(std::size_t count, Duration limit) const;
  /// Removes all entries.
  void clear();

 private:
  friend class JournalWriter;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace inferwire::inline v0_1::engine
