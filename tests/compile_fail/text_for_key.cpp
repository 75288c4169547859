// Compiles as it is. Must not compile with -DINFERWIRE_TEXT, where a function gives text for a key, and has
// to say what it should return.
#include "inferwire/credential.hpp"

namespace inferwire::inline v0_1 {

inline std::shared_ptr<Credential> credential() {
#if defined(INFERWIRE_TEXT)
  return Credential::callback([] { return std::string("a key"); });
#else
  return Credential::callback([] { return Secret("a key"); });
#endif
}

}  // namespace inferwire::inline v0_1
