/// \file
/// How much memory this process has had at most.
#pragma once

#include <sys/resource.h>

namespace inferwire_test {

/// In KiB. Sanitizers keep what was freed, so with them it says nothing.
inline long most_held() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace inferwire_test
