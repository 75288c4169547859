#include "engine/auth.hpp"

#include "base/ascii.hpp"
#include "json/base64.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {
namespace {

/// The rest of `value` after the scheme; std::nullopt if it has a different one.
std::optional<std::string_view> credentials(std::string_view value, std::string_view scheme) {
  if (!ascii::starts_with_ignoring_case(value, scheme)) return std::nullopt;
  value.remove_prefix(scheme.size());
  return value.starts_with(' ') ? std::optional(ascii::trim(value)) : std::nullopt;
}

}  // namespace

bool same_in_constant_time(std::string_view given, std::string_view expected) {
  unsigned difference = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char other = expected.empty() ? '\0' : expected[i % expected.size()];
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(other);
  }
  return difference == 0;
}

std::optional<Refusal> check_key(const std::vector<Header>& headers, const Optional<Secret>& key,
                                 bool wants_bearer) {
  const auto header = find_header(headers, "authorization").value_or("");
  const auto bearer = credentials(header, "bearer");
  if (wants_bearer && bearer.value_or("").empty()) return refuse::no_key();
  if (!key) return std::nullopt;
  if (header.empty()) return refuse::no_key();
  bool right = false;
  if (bearer) {
    right = same_in_constant_time(*bearer, key->reveal());
  } else if (const auto encoded = credentials(header, "basic")) {
    const Secret pair(json::base64_decode(*encoded).value_or(""));
    constexpr std::string_view user = "token:";
    right = pair.reveal().starts_with(user) &&
            same_in_constant_time(pair.reveal().substr(user.size()), key->reveal());
  }
  return right ? std::nullopt : std::optional(refuse::wrong_key());
}

}  // namespace inferwire::inline v0_1::engine
