/// \file
/// The peak memory use of this process.
#pragma once

#include <sys/resource.h>

namespace inferwire_test {

/// In KiB. Meaningless with sanitizers, which keep what was freed.
inline long most_held() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace inferwire_test
