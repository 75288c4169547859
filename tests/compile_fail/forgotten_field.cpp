// Compiles as it is. Must not compile with -DINFERWIRE_FORGET, where the table lacks a member of the struct,
// nor with -DINFERWIRE_DOUBLE, where it has another member twice instead.
#include "json/table.hpp"

namespace inferwire::inline v0_1 {

struct Tide {
  std::string harbour{};
  std::int64_t minutes{};
  std::vector<std::string> notes{};
  Extra extra{};
};

namespace json {

template <>
struct Fields<Tide> {
  using Self = Tide;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(harbour, required),
#if !defined(INFERWIRE_FORGET)
      INFERWIRE_FIELD(minutes),
#endif
#if defined(INFERWIRE_DOUBLE)
      INFERWIRE_FIELD(minutes),
#else
      INFERWIRE_FIELD(notes),
#endif
  };
};

constexpr const Type& tide = type_of<Tide>;
static_assert(tide.kind == Kind::object);

}  // namespace json
}  // namespace inferwire::inline v0_1
