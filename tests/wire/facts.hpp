/// \file
/// The facts of a decoded answer, and those that a vector states.
#pragma once

#include "inferwire/optional.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace inferwire_test {

/// A number of tokens; null if it is unknown.
inline nlohmann::json count(const inferwire::Optional<std::int64_t>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

/// Compares the facts in `expected`; there may be more. `retryable` is left out, because the client decides
/// it.
inline void check_facts(const nlohmann::json& expected, const nlohmann::json& facts) {
  for (const auto& [key, value] : expected.items()) {
    if (key == "retryable") continue;
    INFO("fact " << key);
    REQUIRE(facts.contains(key));
    if (value.is_object() && facts[key].is_object()) {
      check_facts(value, facts[key]);
    } else {
      CHECK(facts[key] == value);
    }
  }
}

}  // namespace inferwire_test
