/// \file
/// Checks a request's document: against the rules of its provider, and what plans check besides in common.
#pragma once

#include "engine/document.hpp"
#include "engine/refusal.hpp"
#include "protocol/rules/rules.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// The first offence of a whole body, which is a well-formed object, in this order: unknown members (if the
/// speaker refuses them), missing members, wrong types, values out of range.
std::optional<Refusal> check_rules(std::string_view body, std::span<const protocol::Rule> rules,
                                   protocol::Speaker speaker);

/// Checks that the object at `place` has a member that is a string.
std::optional<Refusal> need_text(const Document& object, std::string_view name, const Place& place);

/// Checks that the `arguments` of the function at `place` are a JSON object or empty.
std::optional<Refusal> check_arguments(const Document& function, const Place& place);

}  // namespace inferwire::inline v0_1::engine
