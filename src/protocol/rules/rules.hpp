/// \file
/// What each provider says about the parameters of its requests, as data. The engine refuses what breaks
/// these rules; they hold on the document, where an absent member and a null can be told apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "inferwire/provider.hpp"

namespace inferwire::inline v0_1::protocol {

/// The providers whose documents a rule comes from. A set: values are joined with `|`.
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
  integer,  ///< written without fraction and exponent
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

/// The values that a number may have; both ends belong to it unless `above` leaves the lower one out.
struct Range {
  double from{-std::numeric_limits<double>::infinity()};
  double to{std::numeric_limits<double>::infinity()};
  bool above{false};

  constexpr bool bounded() const {
    return from > -std::numeric_limits<double>::infinity() || to < std::numeric_limits<double>::infinity();
  }
  constexpr bool contains(double value) const {
    return (above ? value > from : value >= from) && value <= to;
  }
};

/// How many elements a list or characters a string may have.
struct Length {
  std::size_t least{0};
  std::size_t most{std::numeric_limits<std::size_t>::max()};
};

struct Variant;

/// A member of an object: what is known about it, and who knows it.
struct Rule {
  std::string_view name{};
  ValueForm form{ValueForm::any};
  Speaker speakers{Speaker::everyone};
  bool required{false};  ///< it may not be null either; null is as good as absent for all others
  bool refused{false};   ///< known, and answered with 400 whatever its value
  /// Members of which any stands for one that is required.
  std::span<const std::string_view> unless{};
  Range range{};                              ///< the values that a number may have
  Length length{};                            ///< the lengths that a list may have
  Length text_length{};                       ///< the lengths of a string, and of every string in a list
  std::span<const std::string_view> words{};  ///< the words that a string may be; empty: any text
  std::span<const Rule> members{};  ///< those of an object, or of each one in a list; empty: not looked into
  /// The members if they depend on the object's `type`: the first one also stands for objects without.
  std::span<const Variant> variants{};
};

/// What an object is by its `type`.
struct Variant {
  std::string_view type{};
  std::span<const Rule> members{};
};

/// The parameters of a chat completion request.
std::span<const Rule> chat_rules() noexcept;
/// The parameters of a text completion request.
std::span<const Rule> completion_rules() noexcept;
/// The parameters of an embedding request.
std::span<const Rule> embedding_rules() noexcept;
/// The parameters of a request of the Responses API.
std::span<const Rule> responses_rules() noexcept;

/// The one whose rules requests to a provider keep; nothing when none are known.
std::optional<Speaker> speaker_of(RuleSet rules) noexcept;

/// Whether servers of these documents decode strictly: a member that they do not know is a 400.
constexpr bool refuses_unknown_members(Speaker speaker) noexcept {
  return contains(Speaker::all_databricks, speaker);
}

/// How many rules an object may have: whoever walks over them keeps those that it has met in a word.
inline constexpr std::size_t most_rules = 64;

/// Whether an endpoint called `endpoint` was seen to refuse a member of chat requests, whatever the documents
/// say. The engine refuses nothing for it, so that no documented parameter is lost; a client may warn.
bool was_refused(Speaker speaker, std::string_view endpoint, std::string_view member) noexcept;

/// The rule of `speaker` for the member `name`; nullptr when it does not know the member.
const Rule* find_rule(std::span<const Rule> rules, Speaker speaker, std::string_view name) noexcept;

}  // namespace inferwire::inline v0_1::protocol
