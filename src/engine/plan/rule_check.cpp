#include "engine/plan/rule_check.hpp"

#include "protocol/rules/rule_walk.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

Refusal refusal_of(protocol::Offence offence) {
  switch (offence.fault) {
    case protocol::Fault::unknown_member:
      return refuse::unknown_member(std::move(offence.place), offence.got);
    case protocol::Fault::missing: return refuse::missing(std::move(offence.place));
    case protocol::Fault::wrong_type:
      return refuse::wrong_type(std::move(offence.place), offence.expected, offence.got);
    case protocol::Fault::unsupported:
      return refuse::unsupported(std::move(offence.place), "is not supported");
    case protocol::Fault::invalid_value: break;
  }
  return refuse::invalid_value(std::move(offence.place), offence.problem);
}

}  // namespace

std::optional<Refusal> check_rules(std::string_view body, std::span<const protocol::Rule> rules,
                                   protocol::Speaker speaker) {
  auto offence = protocol::find_offence(
      body, rules, speaker, {.members = protocol::refuses_unknown_members(speaker), .types = true});
  if (!offence) return std::nullopt;
  return refusal_of(*std::move(offence));
}

std::optional<Refusal> need_text(const Document& object, std::string_view name, const Place& place) {
  const auto* value = member(object, name);
  const auto here = place.member(name);
  if (value == nullptr) return refuse::missing(here.text());
  if (!value->is_string()) return refuse::wrong_type(here.text(), "a string", kind_of(*value));
  return std::nullopt;
}

std::optional<Refusal> check_arguments(const Document& function, const Place& place) {
  const auto arguments = text(member(function, "arguments"));
  if (arguments.empty() || is_object(arguments)) return std::nullopt;
  return refuse::invalid_value(place.member("arguments").text(), "expected a JSON object as a string");
}

}  // namespace inferwire::inline v0_1::engine
