/// \file
/// A list whose elements are identified by numbers, which are keys and never sizes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::wire {

/// Elements beyond 1024 are dropped.
template <class T>
class Numbered {
 public:
  static constexpr std::size_t most_elements = 1024;

  Numbered() = default;

  bool empty() const noexcept { return elements_.empty(); }

  /// The element, made by `make` if it is missing; nullptr if there are too many.
  template <class Make>
  T* at(std::int64_t number, const Make& make) {
    const auto place = std::lower_bound(elements_.begin(), elements_.end(), number,
                                        [](const Element& e, std::int64_t n) { return e.number < n; });
    if (place != elements_.end() && place->number == number) return &place->value;
    if (elements_.size() == most_elements) return nullptr;
    return &elements_.insert(place, {number, make()})->value;
  }

  /// Removes the elements whose numbers are not below `size`.
  void shrink(std::size_t size) {
    std::erase_if(elements_, [size](const Element& element) {
      return element.number < 0 || element.number >= static_cast<std::int64_t>(size);
    });
  }

  std::vector<T> take() && {
    std::vector<T> out;
    out.reserve(elements_.size());
    for (Element& element : elements_) out.push_back(std::move(element.value));
    return out;
  }

 private:
  struct Element {
    std::int64_t number;
    T value;
  };
  std::vector<Element> elements_;
};

}  // namespace inferwire::inline v0_1::wire
