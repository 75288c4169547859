/// \file
/// The table of StreamOptions, which several kinds of requests hold.
#pragma once

#include "inferwire/stream_options.hpp"
#include "json/table.hpp"

namespace inferwire::inline v0_1::json {

template <>
struct Fields<StreamOptions> {
  using Self = StreamOptions;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(include_usage),
      INFERWIRE_FIELD(include_obfuscation),
      INFERWIRE_FIELD(continuous_usage_stats),
  };
};

}  // namespace inferwire::inline v0_1::json
