// Compiles as it is, and not with -DINFERWIRE_DANGLE, where what is pointed into is gone at the end of the
// line.
#include "inferwire/json.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1 {

inline Result<std::string> word() { return std::string("word"); }

inline std::size_t length() {
#if defined(INFERWIRE_DANGLE)
  const std::string* const text = word().operator->();
  return text->size();
#else
  const std::string& text = word().value();
  return text.size() + word()->size();
#endif
}

}  // namespace inferwire::inline v0_1
