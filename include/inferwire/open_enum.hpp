/// \file
/// Enumerations that servers may extend: known words can be compared, unknown words are kept.
#pragma once

#include "inferwire/export.hpp"

#include <compare>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1 {

/// A word of an enumeration that servers may extend. `Words` names the known words as constants:
///
///     if (choice.finish_reason == FinishReason::length) ...
///
/// An unknown word is kept and sent again unchanged.
template <class Words>
class OpenEnum : public Words {
 public:
  OpenEnum() = default;
  OpenEnum(std::string_view word) : word_(word) {}
  OpenEnum(std::string word) : word_(std::move(word)) {}
  /// Empty for a null pointer; nullptr itself is rejected.
  OpenEnum(const char* word) : word_(word != nullptr ? word : "") {}
  OpenEnum(std::nullptr_t) = delete;

  const std::string& str() const noexcept INFERWIRE_LIFETIMEBOUND { return word_; }
  operator std::string_view() const noexcept INFERWIRE_LIFETIMEBOUND { return word_; }
  bool empty() const noexcept { return word_.empty(); }

  friend bool operator==(const OpenEnum& a, const OpenEnum& b) noexcept { return a.word_ == b.word_; }
  friend bool operator==(const OpenEnum& a, std::string_view b) noexcept { return a.word_ == b; }
  friend bool operator==(const OpenEnum& a, const std::string& b) noexcept { return a.word_ == b; }
  friend bool operator==(const OpenEnum& a, const char* b) noexcept { return a.word_ == b; }
  /// Orders words as strings.
  template <class Text>
    requires std::is_convertible_v<const Text&, std::string_view>
  friend std::strong_ordering operator<=>(const OpenEnum& a, const Text& b) noexcept {
    return std::string_view(a) <=> std::string_view(b);
  }
  /// Writes the word.
  template <class Traits>
  friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                                      const OpenEnum& word) {
    return out << word.word_;
  }

 private:
  std::string word_;
};

}  // namespace inferwire::inline v0_1

/// Hashes words, so that they can be the keys of unordered maps.
template <class Words>
struct std::hash<inferwire::OpenEnum<Words>> {  // NOLINT(bugprone-std-namespace-modification): its own type
  /// The hash of the word as a string.
  std::size_t operator()(const inferwire::OpenEnum<Words>& word) const noexcept {
    return std::hash<std::string>()(word.str());
  }
};
