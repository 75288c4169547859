// Compiles as it is. Must not compile when a description puts a limit on a member that no value can keep, or
// when a member has a type that JSON cannot tell apart.
#include "inferwire/schema.hpp"

#include <limits>

namespace inferwire::inline v0_1 {

struct Tide {
  double metres{};
  std::vector<int> hours{};
#if defined(INFERWIRE_OPTIONAL_TWICE)
  Optional<Optional<int>> moon{};
#else
  Optional<int> moon{};
#endif
};

constexpr auto inferwire_description(const Tide*) {
#if defined(INFERWIRE_ENDLESS)
  constexpr MemberFacts metres{.maximum = std::numeric_limits<double>::infinity()};
#else
  constexpr MemberFacts metres{.maximum = 20};
#endif
#if defined(INFERWIRE_BOUNDED_LIST)
  constexpr MemberFacts hours{.minimum = 1};
#else
  constexpr MemberFacts hours{.min_items = 1};
#endif
  return describe("Tide", member("metres", &Tide::metres, metres), member("hours", &Tide::hours, hours),
                  member("moon", &Tide::moon, {.minimum = 0}));
}

static_assert(detail::shape_of<Tide>.count == 3);

}  // namespace inferwire::inline v0_1
