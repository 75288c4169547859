// Compiles as it is. Must not compile, and must say what is missing, with a tool's function that takes what
// no model can fill in, nor where a struct has no description.
#include "inferwire/structured_output.hpp"
#include "inferwire/tools.hpp"

namespace inferwire::inline v0_1 {

struct Tide {
  std::string harbour{};
};
#if !defined(INFERWIRE_UNDESCRIBED) && !defined(INFERWIRE_UNDESCRIBED_TOOL)
INFERWIRE_DESCRIBE(Tide, harbour)
#endif

inline void add_to([[maybe_unused]] Toolbox& tools) {
#if defined(INFERWIRE_TWO_PARAMETERS)
  tools.add("tide", "The tide",
            [](const Tide& tide, int hours) { return tide.harbour + std::to_string(hours); });
#elif defined(INFERWIRE_TEXT_PARAMETER)
  tools.add("tide", "The tide", [](const std::string& harbour) { return harbour; });
#elif defined(INFERWIRE_ANY_PARAMETER)
  tools.add("tide", "The tide", [](const auto& tide) { return tide.harbour; });
#elif !defined(INFERWIRE_UNDESCRIBED)
  tools.add("tide", "The tide", [](const Tide& tide) { return tide.harbour; });
  tools.add<Tide>("any", "The tide", [](const auto& tide) { return tide.harbour; });
  tools.add("now", "The time", [] { return 12; });
  tools.add("raw", "The tide", Json::raw("{}"), [](const Json& tide) { return tide.text(); });
#endif
}

#if !defined(INFERWIRE_UNDESCRIBED_TOOL)
inline chat::ResponseFormat format() { return chat::format_of<Tide>(); }
#endif

}  // namespace inferwire::inline v0_1
