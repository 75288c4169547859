/// \file
/// Offences of a request against the rules, and the choice of the one to report.
#pragma once

#include "json/place.hpp"
#include "protocol/rules/rules.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::protocol {

using json::Place;

/// The kind of a value in a document.
enum class NodeKind : std::uint8_t { null, boolean, integer, fraction, string, list, object };

/// The name of a kind with its article: "an integer".
constexpr std::string_view name_of(NodeKind kind) noexcept {
  constexpr std::string_view names[] = {"null",     "a boolean", "an integer", "a number with a fraction",
                                        "a string", "a list",    "an object"};
  return names[static_cast<std::size_t>(kind)];
}

/// Kinds of offences, in the order in which they are reported (see WorstOffence).
enum class Fault : std::uint8_t { unknown_member, missing, wrong_type, unsupported, invalid_value };

struct Offence {
  Fault fault{};
  std::string place{};
  std::string expected{};  ///< the right type, with its article
  std::string got{};       ///< the wrong type, with its article; or the name of an unknown member
  std::string problem{};   ///< the problem with an invalid value: "expected a number in [0, 2], but got 3"
};

/// The gravest offence found so far. Except for wrong types, which are compared here, callers check `matters`
/// before reporting an offence.
class WorstOffence {
 public:
  /// Whether an offence of this kind would replace the current one.
  bool matters(Fault fault) const noexcept { return !worst_ || rank(fault) < rank(worst_->fault); }

  void unknown_member(const Place& place, std::string_view name);
  void missing(const Place& place);
  void unsupported(const Place& place);
  void wrong_type(const Place& place, std::string_view expected, NodeKind got);
  void wrong_type(const Place& place, ValueForm expected, NodeKind got);
  void unlisted(const Place& place, std::span<const std::string_view> known, std::string_view word);
  /// Reports a string that is not plain (Rule::plain).
  void not_plain(const Place& place, std::string_view text);
  /// `number`: as written in the document.
  void out_of_range(const Place& place, const Rule& rule, std::string_view number);
  /// `integer`: as written in the document.
  void too_long(const Place& place, std::string_view integer);
  /// Reports a member that another one rules out.
  void conflict(const Place& place, std::string_view problem) { invalid(place, std::string(problem)); }
  /// Reports a size that is not allowed; `unit` is the name of one element.
  void check_size(const Place& place, std::size_t size, const Length& allowed, std::string_view unit);

  std::optional<Offence> take() && { return std::move(worst_); }

 private:
  static int rank(Fault fault) noexcept { return fault == Fault::unsupported ? 2 : static_cast<int>(fault); }
  void invalid(const Place& place, std::string problem);

  std::optional<Offence> worst_;
};

}  // namespace inferwire::inline v0_1::protocol
