/// \file
/// Lists whose elements are identified by numbers, which are keys and never sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::wire {

template <class T>
using Numbered = std::map<std::int64_t, T>;

/// The element, made by `make` if it is missing; nullptr if there are `most` others.
template <class T, class Make>
T* element_at(Numbered<T>& list, std::int64_t number, const Make& make, std::size_t most = 1024) {
  const auto found = list.find(number);
  if (found != list.end()) return &found->second;
  return list.size() < most ? &list.emplace(number, make()).first->second : nullptr;
}

/// Removes the elements whose numbers are not below `size`.
template <class T>
void shrink(Numbered<T>& list, std::size_t size) {
  std::erase_if(list, [size](const auto& element) {
    return element.first < 0 || element.first >= static_cast<std::int64_t>(size);
  });
}

/// The elements without their numbers.
template <class T>
std::vector<T> values_of(Numbered<T>&& list) {
  std::vector<T> out;
  out.reserve(list.size());
  for (auto& [number, element] : list) out.push_back(std::move(element));
  return out;
}

}  // namespace inferwire::inline v0_1::wire
