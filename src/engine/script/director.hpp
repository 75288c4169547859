/// \file
/// Decides what happens to a request: by rules, and by chance.
#pragma once

#include "inferwire/engine/script.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// What happens to one request.
struct Direction {
  Reply reply{};
  Fault fault{};
  std::optional<Pacing> pacing{};
  std::string rule{};                      ///< the name of the matching rule; empty: none
  std::string chaos{};                     ///< the random fault; empty: none
  std::vector<std::string> near_misses{};  ///< if no rule matched
  bool refused{};                          ///< no rule matched, and one was required
};

/// Immutable except for the counts of the rules. Safe from any thread.
class Director {
 public:
  Director(Script script, std::uint64_t seed);

  /// Whether it affects no request at all.
  bool is_idle() const noexcept;
  /// `name`: the model named in the path; `number`: how many requests came before.
  Direction direct(const HttpRequest& request, std::string name, std::uint64_t number);

 private:
  void add_chaos(Direction& direction, std::uint64_t number) const;

  Script script_;
  std::uint64_t seed_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> matched_;  ///< how many requests have matched, by rule
};

}  // namespace inferwire::inline v0_1::engine
