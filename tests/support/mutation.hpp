/// \file
/// Random changes of recorded bytes.
#pragma once

#include "support/sanitized.hpp"

#include <cstddef>
#include <random>
#include <string>

namespace inferwire_test {

/// The number of changed bodies that a test tries: fewer where each takes long.
inline constexpr int mutations = sanitized ? 2'000 : 5'000;

/// `body` with one to four changes: another byte, a removed piece, a doubled piece, or an early end.
inline std::string mutated(std::string body, std::mt19937& random) {
  const auto below = [&random](std::size_t end) { return end == 0 ? 0 : random() % end; };
  for (auto changes = 1 + random() % 4; changes > 0 && !body.empty(); --changes) {
    const auto at = below(body.size());
    switch (random() % 4) {
      case 0: body[at] = static_cast<char>(random()); break;
      case 1: body.erase(at, 1 + random() % 40); break;
      case 2: body.insert(at, body, below(body.size()), random() % 40); break;
      default: body.resize(at); break;
    }
  }
  return body;
}

}  // namespace inferwire_test
