/// \file
/// JSON values that may be a string or a list.
#pragma once

#include "inferwire/export.hpp"

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1 {

/// A string, a list of elements, or one of `Others`: a std::variant that can be initialised with a list in
/// braces.
///
///     .stop = "END"
///     .stop = {"END", "\n\n"}
///     .input = responses::user("Hello")
///
/// A single element that is not a string becomes a list of one. Read it with std::get_if,
/// std::holds_alternative and std::visit, like any variant. Empty braces make an empty string.
template <class Element, class... Others>
class TextOrList : public std::variant<std::string, std::vector<Element>, Others...> {
  using Base = std::variant<std::string, std::vector<Element>, Others...>;

 public:
  using list_element = Element;  ///< the type of the elements in braces

  using Base::Base;
  TextOrList() = default;
  // Defined below, so that headers can declare them `extern`: for a list of unions, files would otherwise
  // instantiate the copying and destruction of all alternatives.
  TextOrList(const TextOrList& other);
  TextOrList(TextOrList&& other) = default;
  TextOrList& operator=(const TextOrList& other) = default;
  TextOrList& operator=(TextOrList&& other) = default;
  ~TextOrList();
  /// The text.
  template <std::same_as<std::string_view> View>
  TextOrList(View text) : Base(std::string(text)) {}
  /// The list.
  TextOrList(std::initializer_list<Element> list) : Base(std::vector<Element>(list)) {}
  /// Braces in braces: `{{"a", "b"}}` would make one string, between two pointers. A std::string in them is
  /// safe.
  template <class Inner>
    requires(std::is_same_v<Element, std::string> && !std::is_same_v<Inner, std::string>)
  TextOrList(std::initializer_list<std::initializer_list<Inner>>) = delete;
  /// The list of this one.
  // By value: Clang 15 takes a constructor from One&& to hide the variant's from T&&.
  template <class One>
    requires(!std::derived_from<One, TextOrList> && !std::is_constructible_v<Base, One> &&
             std::convertible_to<One, Element>)
  TextOrList(One one) : TextOrList({Element(std::move(one))}) {}
};

template <class Element, class... Others>
TextOrList<Element, Others...>::TextOrList(const TextOrList& other) : TextOrList() {
  // If a variant's own copy constructor runs out of memory, libstdc++ destroys an alternative that was not
  // made.
  *this = other;
}
template <class Element, class... Others>
TextOrList<Element, Others...>::~TextOrList() {}

}  // namespace inferwire::inline v0_1
