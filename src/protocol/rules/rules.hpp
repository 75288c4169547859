/// \file
/// The providers' documented rules for request parameters, as data. The engine refuses violations. The rules
/// apply to the document, in which an absent member and a null are distinct.
#pragma once

#include "inferwire/provider.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// The providers whose documents contain a rule. A set: combine values with `|`.
enum class Speaker : std::uint8_t {
  databricks_preview = 1,  ///< Databricks' private preview
  databricks = 2,
  openai = 4,
  ai21 = 8,
  lmi = 16,
  all_databricks = databricks_preview | databricks,
  current = databricks | openai,
  everyone = databricks_preview | databricks | openai | ai21 | lmi,
};
constexpr Speaker operator|(Speaker a, Speaker b) {
  return static_cast<Speaker>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool contains(Speaker set, Speaker one) {
  return (static_cast<std::uint8_t>(set) & static_cast<std::uint8_t>(one)) != 0;
}

/// The JSON kinds that a member may have.
enum class ValueForm : std::uint8_t {
  any,
  boolean,
  integer,  ///< written without a fraction or exponent
  number,
  string,
  string_or_list,   ///< a string, or a list of strings
  string_or_parts,  ///< a string, or a list of objects
  string_or_object,
  object,
  objects,         ///< a list of objects
  strings,         ///< a list of strings
  text_or_tokens,  ///< a string, a list of strings, a list of token numbers, or a list of such lists
};

/// The range of a number; both ends are included, unless `above` excludes the lower one. Ends are numbers
/// that a float holds exactly.
struct Range {
  float from{-std::numeric_limits<float>::infinity()};
  float to{std::numeric_limits<float>::infinity()};
  bool above{false};

  constexpr bool contains(double value) const {
    return (above ? value > from : value >= from) && value <= to;
  }
};

/// The allowed number of elements in a list, of members of an object, or of characters in a string.
struct Length {
  std::uint32_t least{0};
  std::uint32_t most{std::numeric_limits<std::uint32_t>::max()};
};

/// Elements of a table. Their type need not be complete, which libc++ 16 asks of a std::span's.
template <class T>
class ListOf {
 public:
  constexpr ListOf() = default;
  template <std::size_t size>
  constexpr ListOf(const T (&table)[size]) noexcept : begin_(table), size_(size) {}

  constexpr const T* begin() const noexcept { return begin_; }
  constexpr const T* end() const noexcept { return begin_ + size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr const T& front() const noexcept { return *begin_; }

 private:
  const T* begin_{};
  std::size_t size_{};
};

/// States of a member that conflicts name. Null is the same as absent.
enum class State : std::uint8_t {
  present,
  is_true,
  not_true,
  zero,
  several,      ///< a number above 1
  empty,        ///< absent, or without elements
  filled,       ///< has elements
  forces_tool,  ///< a choice of tools with which one has to be called
};

/// A state in which a member is refused beside a state of another one.
struct Conflict {
  State own{};
  std::string_view other{};
  State others{};
  std::string_view problem{};
};

struct Variant;

/// A member of an object: its constraints, and the providers that know it.
struct Rule {
  std::string_view name{};
  ValueForm form{ValueForm::any};
  Speaker speakers{Speaker::everyone};
  bool required{false};  ///< may not be null either; for all others null is the same as absent
  bool refused{false};   ///< known, but answered with 400 for any value
  bool plain{false};     ///< a string has only ASCII letters and digits, '_' and '-'
  bool open{false};      ///< the object may have other members, even if the provider refuses unknown ones
  /// Members that can replace a required one: any of them suffices.
  std::span<const std::string_view> unless{};
  Range range{};         ///< the allowed values of a number
  Length length{};       ///< the allowed sizes of a list or an object
  Length text_length{};  ///< the allowed lengths of a string, and of each string in a list
  std::span<const std::string_view> words{};  ///< the allowed values of a string; empty: any text
  std::span<const Conflict> conflicts{};      ///< other members of the same object that rule it out
  ListOf<Rule> members{};  ///< members of an object, or of each object in a list; empty: not checked
  /// The members if they depend on the object's `type`: the first variant also applies to objects without
  /// one.
  ListOf<Variant> variants{};
};

/// The members of an object with this `type`.
struct Variant {
  std::string_view type{};
  ListOf<Rule> members{};
};

/// The parameters of a chat completion request.
std::span<const Rule> chat_rules() noexcept;
/// The parameters of a text completion request.
std::span<const Rule> completion_rules() noexcept;
/// The parameters of an embedding request.
std::span<const Rule> embedding_rules() noexcept;
/// The parameters of a request of the Responses API.
std::span<const Rule> responses_rules() noexcept;

/// The Speaker whose rules apply to requests to a provider; nothing if none are known.
std::optional<Speaker> speaker_of(RuleSet rules) noexcept;

/// Whether servers with these rules decode strictly: they answer unknown members with 400.
constexpr bool refuses_unknown_members(Speaker speaker) noexcept {
  return contains(Speaker::all_databricks, speaker);
}

/// The maximum number of rules of an object: a walk keeps a bit for each in one word.
inline constexpr std::size_t most_rules = 64;

/// Whether an endpoint called `endpoint` was observed to refuse a member of chat requests, contrary to the
/// documents. The engine does not refuse it, so that no documented parameter is lost; a client may warn.
bool was_refused(Speaker speaker, std::string_view endpoint, std::string_view member) noexcept;

/// The rule of `speaker` for the member `name`; nullptr if it does not know the member.
const Rule* find_rule(std::span<const Rule> rules, Speaker speaker, std::string_view name) noexcept;

}  // namespace inferwire::inline v0_1::protocol
