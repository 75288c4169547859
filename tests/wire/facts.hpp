/// \file
/// Compares the facts that a vector states with those of a decoded answer.
#pragma once

#include <nlohmann/json.hpp>

#include "support/catch.hpp"

namespace inferwire_test {

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
