// Compiles as it is. Must not compile where a call in progress, the errors of a batch or a changed copy of a
// reply is dropped, and has to say what that does.
#include "inferwire/batch.hpp"
#include "inferwire/pending.hpp"
#include "inferwire/testing/reply.hpp"

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

inline bool drop_errors(const Client& client, const std::vector<std::string>& texts) {
#if defined(INFERWIRE_DISCARD_ROWS)
  embeddings::create_all(client, texts, {.model = "m"});
#elif defined(INFERWIRE_DISCARD_ANSWERS)
  completions::create_all(client, texts, {.model = "m"});
#endif
  return embeddings::create_all(client, texts, {.model = "m"}).failures.empty();
}

inline testing::Reply drop_copy(const testing::Reply& reply) {
#if defined(INFERWIRE_DISCARD_REPLY)
  reply.with("Retry-After", "1");
#endif
  return reply.with("Retry-After", "1");
}

}  // namespace inferwire::inline v0_1
