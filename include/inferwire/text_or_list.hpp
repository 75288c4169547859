/// \file
/// What the wire takes as a text or as a list.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "inferwire/export.hpp"

namespace inferwire::inline v0_1 {

/// A text, a list of elements, or one of `Others`: a std::variant that braces fill with a list.
///
///     .stop = "END"
///     .stop = {"END", "\n\n"}
///
/// Read with std::get_if, std::holds_alternative and std::visit, as any variant is. Empty braces are an empty
/// text.
template <class Element, class... Others>
class TextOrList : public std::variant<std::string, std::vector<Element>, Others...> {
 public:
  using list_element = Element;  ///< what braces hold

  using std::variant<std::string, std::vector<Element>, Others...>::variant;
  TextOrList() = default;
  /// The list.
  TextOrList(std::initializer_list<Element> list)
      : std::variant<std::string, std::vector<Element>, Others...>(std::vector<Element>(list)) {}
};

}  // namespace inferwire::inline v0_1
