#include "inferwire/prompt_cache_options.hpp"

namespace inferwire::inline v0_1 {

bool operator==(const PromptCacheOptions&, const PromptCacheOptions&) = default;

}  // namespace inferwire::inline v0_1
