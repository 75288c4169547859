#include "inferwire/logprobs.hpp"

namespace inferwire::inline v0_1 {

bool operator==(const TopLogprob&, const TopLogprob&) = default;
bool operator==(const TokenLogprob&, const TokenLogprob&) = default;

}  // namespace inferwire::inline v0_1
