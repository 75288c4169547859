#include "inferwire/stream_options.hpp"

namespace inferwire::inline v0_1 {

bool operator==(const StreamOptions&, const StreamOptions&) = default;

}  // namespace inferwire::inline v0_1
