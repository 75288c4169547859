/// \file
/// Checks a request's document against the rules of its provider: the engine refuses offences, the client
/// reports them before it sends anything.
#pragma once

#include "protocol/rules/offence.hpp"
#include "protocol/rules/rules.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// Whether unlisted members and types are refused.
struct Refused {
  bool members{};
  bool types{};  ///< for objects whose members depend on their type
};

/// The gravest offence in a document, a well-formed object; the first of equally grave ones, in this order:
/// unknown members (if they are `refused`), missing members, wrong types, values out of range, of which those
/// in conflict with other members come last. Members of one name are all checked; whether it is missing or in
/// conflict depends on the last one.
std::optional<Offence> find_offence(std::string_view document, std::span<const Rule> rules, Speaker speaker,
                                    Refused refused);

}  // namespace inferwire::inline v0_1::protocol
