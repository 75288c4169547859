// Compiles as it is. Must not compile with -DINFERWIRE_DISCARD, where a call in progress is dropped, and has
// to say what that does.
#include "inferwire/pending.hpp"

#if defined(__GNUC__)
#pragma GCC diagnostic error "-Wunused-result"
#pragma GCC diagnostic error "-Wunused-value"
#endif

namespace inferwire::inline v0_1 {

Pending<int> call();

inline void drop() {
#if defined(INFERWIRE_DISCARD)
  call();
#else
  call().then([](Result<int>) {});
#endif
}

}  // namespace inferwire::inline v0_1
