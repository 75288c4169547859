// Compiles as it is. Must not compile when a description puts a limit on a member that no value can keep, or
// when a member has a type that JSON cannot tell apart or that cannot be described, or two the same name.
#include "inferwire/schema.hpp"

#include <limits>
#include <map>

namespace inferwire::inline v0_1 {

enum class Moon { full, half };
#if defined(INFERWIRE_WORD_TWICE)
INFERWIRE_DESCRIBE_WORDS(Moon, full, full)
#else
INFERWIRE_DESCRIBE_WORDS(Moon, full, half)
#endif

struct Harbour {
  std::string name{};
#if defined(INFERWIRE_MAP)
  std::map<std::string, int> berths{};
#else
  int berths{};
#endif
};
#if defined(INFERWIRE_MEMBER_TWICE)
INFERWIRE_DESCRIBE(Harbour, name, berths, name)
#else
INFERWIRE_DESCRIBE(Harbour, name, berths)
#endif

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
static_assert(detail::shape_of<Moon>.count == 2);
static_assert(detail::shape_of<Harbour>.count == 2);

}  // namespace inferwire::inline v0_1
