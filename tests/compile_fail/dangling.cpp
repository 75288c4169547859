// Compiles as it is. Must not compile with -DINFERWIRE_DANGLE or -DINFERWIRE_DANGLE_BODY, which point into a
// temporary that is gone at the end of the line.
#include "inferwire/json.hpp"
#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

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

inline std::size_t length_of_body(const HttpRequest& request) {
#if defined(INFERWIRE_DANGLE_BODY)
  const std::string_view text = HttpRequest(request).body;
#else
  const std::string_view text = request.body;
#endif
  return text.size();
}

}  // namespace inferwire::inline v0_1
