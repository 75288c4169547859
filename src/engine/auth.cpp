#include "engine/auth.hpp"

#include "json/base64.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {
namespace {

std::string_view trimmed(std::string_view text, std::string_view what) {
  text.remove_prefix(std::min(text.find_first_not_of(what), text.size()));
  return text.substr(0, text.find_last_not_of(what) + 1);
}

/// The rest of `value` after the scheme; std::nullopt if it has a different one.
std::optional<std::string_view> credentials(std::string_view value, std::string_view lower_scheme) {
  if (value.size() <= lower_scheme.size() || value[lower_scheme.size()] != ' ') return std::nullopt;
  for (std::size_t i = 0; i < lower_scheme.size(); ++i) {
    if ((value[i] | 0x20) != lower_scheme[i]) return std::nullopt;
  }
  return trimmed(value.substr(lower_scheme.size()), " \t");
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
