/// \file
/// Where the services of AWS are.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"

namespace inferwire::inline v0_1::protocol {

/// What the names of services in a region end in, as AWS's own clients have it (botocore, partitions.json).
constexpr std::string_view dns_suffix(std::string_view region) noexcept {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> partitions{{
      {"cn-", "amazonaws.com.cn"},
      {"eusc-", "amazonaws.eu"},
      {"us-iso-", "c2s.ic.gov"},
      {"us-isob-", "sc2s.sgov.gov"},
      {"us-isof-", "csp.hci.ic.gov"},
      {"eu-isoe-", "cloud.adc-e.uk"},
  }};
  for (const auto& [prefix, suffix] : partitions) {
    if (region.starts_with(prefix)) return suffix;
  }
  return "amazonaws.com";
}

/// Stands for the region in an address.
inline constexpr std::string_view region_mark = "{region}";

/// Whether a region can be one label of a host's name. Anything else could make it another host.
inline bool is_region(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return ascii::is_letter(c) || ascii::is_digit(c) || c == '-';
  });
}

/// Puts the region in the place of the mark, and its own suffix in that of "amazonaws.com" behind it. A text
/// without the mark stays as it is, and so does one for what can be no region.
inline std::string with_region(std::string url, std::string_view region) {
  constexpr std::string_view usual = ".amazonaws.com";
  const auto at = url.find(region_mark);
  if (at == std::string::npos || !is_region(region)) return url;
  std::string place(region);
  auto length = region_mark.size();
  if (std::string_view(url).substr(at + length).starts_with(usual)) {
    (place += '.') += dns_suffix(region);
    length += usual.size();
  }
  return url.replace(at, length, place);
}

}  // namespace inferwire::inline v0_1::protocol
