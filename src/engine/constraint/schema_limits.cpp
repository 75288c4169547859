#include "engine/constraint/schema_limits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

namespace inferwire::inline v0_1::engine {
namespace {

/// The most units in a multipleOf.
constexpr double most_units = [] {
  double units = 1;
  for (int digits = 0; digits < most_digits; ++digits) units *= 10;
  return units;
}();

/// The most references to references that are followed.
constexpr int most_references = 64;

/// The values that a node lists, directly or through references; null for other nodes.
const Literals* listed_at(NodeId id, const Grammar& grammar) {
  for (int steps = 0; steps < most_references; ++steps) {
    const auto* choice = std::get_if<Alternatives>(&grammar[id]);
    if (choice == nullptr) return std::get_if<Literals>(&grammar[id]);
    if (choice->of.size() != 1) break;
    id = choice->of.front();
  }
  return nullptr;
}

}  // namespace

bool limit_to_multiples(NumberBounds& bounds, double of) {
  std::int64_t unit = 1;
  for (int decimals = 0; decimals <= most_decimals; ++decimals, unit *= 10) {
    const double units = std::round(of * static_cast<double>(unit));
    if (units < 1 || units > most_units || units / static_cast<double>(unit) != of) continue;
    bounds.step = static_cast<std::int64_t>(units);
    // Every fifth integer is a multiple of 2.5.
    if (bounds.decimals) bounds.step /= std::gcd(bounds.step, unit);
    if (!bounds.decimals) bounds.decimals = decimals;
    return true;
  }
  return false;
}

void make_unique(Array& array, GrammarDraft& draft) {
  const bool is_list = array.first.empty() && array.rest != no_node;
  const auto* listed = is_list ? listed_at(array.rest, draft.grammar) : nullptr;
  if (listed == nullptr || listed->texts.size() < array.least) {
    if (array.least > 1 && array.most > 1)
      draft.report.refuse("uniqueItems", "only of values that are listed");
    if (array.least <= 1) array.most = std::min(array.most, 1U);
    return;
  }
  std::size_t characters = 0;
  for (const auto& [text, left] : listed->texts) characters += text.size();
  if (!draft.afford(draft.budget.characters, characters)) return;
  const auto texts = listed->texts;  // a copy: adding nodes moves the others
  array.most = std::min(array.most, static_cast<std::uint32_t>(texts.size()));
  for (std::size_t at = 0; at < array.most; ++at) {
    Literals own;
    for (auto place = at; place < texts.size(); place += array.most) own.texts.push_back(texts[place]);
    array.first.push_back(draft.add(std::move(own)));
  }
  array.rest = no_node;
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
