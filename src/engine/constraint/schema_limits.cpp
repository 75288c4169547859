#include "engine/constraint/schema_limits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace inferwire::inline v0_1::engine {
namespace {

/// Of what numbers are multiples of.
constexpr double most_units = 1e15;
constexpr int most_decimals = 9;

}  // namespace

bool limit_to_multiples(NumberBounds& bounds, double of) {
  std::int64_t unit = 1;
  for (int decimals = 0; decimals <= most_decimals; ++decimals, unit *= 10) {
    const double units = std::round(of * static_cast<double>(unit));
    if (units < 1 || units > most_units || units / static_cast<double>(unit) != of) continue;
    bounds.step = static_cast<std::int64_t>(units);
    // Of integers every fifth is a multiple of 2.5.
    if (bounds.decimals) bounds.step /= std::gcd(bounds.step, unit);
    if (!bounds.decimals) bounds.decimals = decimals;
    return true;
  }
  return false;
}

void require_at_least(Object& object, std::size_t least, const Schema& properties) {
  auto count = static_cast<std::size_t>(std::ranges::count(object.properties, true, &Property::required));
  for (const bool references : {false, true}) {
    std::size_t at = 0;
    for (const auto& value : properties) {
      auto& property = object.properties[at++];
      if (count >= least) return;
      if (property.required || value == false || value.contains("$ref") != references) continue;
      property.required = true;
      ++count;
    }
  }
}

bool limit_to(Object& object, std::size_t most) {
  const auto required =
      static_cast<std::size_t>(std::ranges::count(object.properties, true, &Property::required));
  if (required > most) return false;
  auto spare = most - required;
  std::erase_if(object.properties, [&spare](const Property& property) {
    if (property.required) return false;
    return spare == 0 || (--spare, false);
  });
  return true;
}

}  // namespace inferwire::inline v0_1::engine
