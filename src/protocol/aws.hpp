/// \file
/// The host names of AWS services.
#pragma once

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::protocol {

/// The suffix of service host names in a region, as in AWS's own clients (botocore, partitions.json).
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

/// Placeholder for the region in a URL.
inline constexpr std::string_view region_mark = "{region}";

/// Whether a region can be one label of a host name. Other text could change the host.
inline bool is_region(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return ascii::is_letter(c) || ascii::is_digit(c) || c == '-';
  });
}

/// Replaces the placeholder by the region, and "amazonaws.com" after it by the region's suffix. A text
/// without the placeholder, or a `region` that cannot be one, leaves the text unchanged.
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
