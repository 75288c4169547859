#include "engine/constraint/schema_work.hpp"

#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

/// How many characters are as much work as one value.
constexpr std::size_t usual_value_size = 8;

/// The work of copying the schema under `rest`, which applies to members or elements that `schema` does not
/// list, for each one that `other` lists.
std::uint64_t work_of_spreading(const Schema& schema, const char* rest, const Schema& other,
                                const char* list) {
  const auto copied = schema.find(rest), listed = other.find(list);
  if (copied == schema.end() || listed == other.end()) return 0;
  return listed->size() * work_of_copying(*copied);
}

}  // namespace

std::uint64_t work_of_copying(const Schema& value) {
  std::size_t values = 0, characters = 0;
  std::vector<const Schema*> open{&value};
  while (!open.empty()) {
    const auto* const next = open.back();
    open.pop_back();
    ++values;
    if (next->is_string()) characters += next->get_ref<const std::string&>().size();
    if (!next->is_structured()) continue;
    for (const auto& [name, inner] : next->items()) {
      if (next->is_object()) characters += name.size();
      open.push_back(&inner);
    }
  }
  return values + characters / usual_value_size;
}

std::uint64_t work_of_writing(std::size_t characters) { return characters / usual_value_size; }

std::uint64_t work_of_merging(const Schema& a, const Schema& b) {
  auto work = work_of_copying(a) + work_of_copying(b);
  if (!a.is_object() || !b.is_object()) return work;
  work += std::uint64_t{a.size() + b.size()} * b.size();
  for (const auto& [keyword, value] : a.items()) {
    const auto other = b.find(keyword);
    if (other != b.end() && value.is_structured()) work += std::uint64_t{value.size()} * other->size();
  }
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    work += work_of_spreading(*one, "additionalProperties", *other, "properties");
    work += work_of_spreading(*one, "items", *other, "prefixItems");
  }
  return work;
}

}  // namespace inferwire::inline v0_1::engine
