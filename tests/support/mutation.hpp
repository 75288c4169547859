/// \file
/// Random changes of recorded bytes.
#pragma once

#include <cstddef>
#include <random>
#include <string>

namespace inferwire_test {

#if defined(__SANITIZE_THREAD__)
#define INFERWIRE_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define INFERWIRE_UNDER_TSAN 1
#endif
#endif

/// The number of changed bodies that a test tries. There are few under ThreadSanitizer, which is slow and has
/// nothing to find here.
#if defined(INFERWIRE_UNDER_TSAN)
inline constexpr int mutations = 1'000;
#else
inline constexpr int mutations = 50'000;
#endif

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
