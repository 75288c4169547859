/// \file
/// How the beginning of a prompt is cached.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"

#include <string>

namespace inferwire::inline v0_1 {

/// How the beginning of a prompt is cached (OpenAI, from GPT-5.6 on). A part whose `extra` has
/// `"prompt_cache_breakpoint": {"mode": "explicit"}` is the end of a prefix that is cached.
struct PromptCacheOptions {
  /// "implicit" (default): the service chooses a prefix too; "explicit": only those that parts end.
  Optional<std::string> mode{};
  Optional<std::string> ttl{};  ///< kept at least this long: "30m" (default); Responses API also "12h"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const PromptCacheOptions&, const PromptCacheOptions&);
};

}  // namespace inferwire::inline v0_1
