/// \file
/// The requests to an engine, and how they went.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::engine {

/// How far an answer has come.
enum class Outcome : std::uint8_t {
  running,
  whole,      ///< sent to its end
  broken,     ///< broken off by the engine: a fault
  abandoned,  ///< the client left, or the server was stopped
};

/// A request and its answer.
struct JournalEntry {
  std::uint64_t number{};  ///< how many requests the engine had before
  std::string method{};
  std::string url{};
  std::vector<Header> headers{};  ///< "***" for the values of those named like credentials
  std::string body{};             ///< the first 64 KiB of the request's body
  std::string rule{};             ///< the name of the rule that answered; empty: none did
  std::string chaos{};  ///< what chance did: "failure", "cut", "stall", "slow start"; empty: nothing
  std::vector<std::string> near_misses{};  ///< when no rule matched: why not, a sentence a rule
  int status{};
  std::uint64_t bytes{};              ///< the size of the answer's body so far
  std::uint64_t pieces{};             ///< in so many pieces
  Outcome outcome{Outcome::running};  ///< how far the answer has come
};

/// The last requests to an engine. Empty unless `EngineOptions::journal_entries` says how many to keep.
/// Copies share; safe from any thread.
class INFERWIRE_API Journal {
 public:
  explicit Journal(std::size_t capacity = 0);

  /// The oldest first.
  std::vector<JournalEntry> entries() const;
  /// The newest; nothing when there is none.
  Optional<JournalEntry> last() const;
  /// Those that no rule matched.
  std::vector<JournalEntry> unmatched() const;
  /// Waits until `count` answers have ended since the start or the last `clear`; false when that takes longer
  /// than `limit` of real time.
  bool wait_for(std::size_t count, Duration limit) const;
  /// Forgets all of them.
  void clear();

 private:
  friend class JournalWriter;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace inferwire::inline v0_1::engine
