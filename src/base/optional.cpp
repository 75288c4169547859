#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1 {

template struct detail::Lifetime<std::string>;

}  // namespace inferwire::inline v0_1
