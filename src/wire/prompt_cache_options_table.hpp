/// \file
/// The table of PromptCacheOptions, which several kinds of requests hold.
#pragma once

#include "inferwire/prompt_cache_options.hpp"
#include "json/table.hpp"

namespace inferwire::inline v0_1::json {

template <>
struct Fields<PromptCacheOptions> {
  using Self = PromptCacheOptions;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(mode),
      INFERWIRE_FIELD(ttl),
  };
};

}  // namespace inferwire::inline v0_1::json
