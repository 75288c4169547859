#include "engine/constraint/schema_work.hpp"

#include <vector>

namespace inferwire::inline v0_1::engine {

std::size_t count_values(const Schema& value) {
  std::size_t count = 0;
  std::vector<const Schema*> open{&value};
  while (!open.empty()) {
    const auto* const next = open.back();
    open.pop_back();
    ++count;
    if (!next->is_structured()) continue;
    for (const auto& inner : *next) open.push_back(&inner);
  }
  return count;
}

std::size_t work_of_merging(const Schema& a, const Schema& b) {
  auto work = count_values(a) + count_values(b);
  if (!a.is_object() || !b.is_object()) return work;
  work += a.size() * b.size();
  for (const auto& [keyword, value] : a.items()) {
    const auto other = b.find(keyword);
    if (other != b.end() && value.is_structured()) {
      work += value.size() * other->size();
    }
  }
  return work;
}

}  // namespace inferwire::inline v0_1::engine
