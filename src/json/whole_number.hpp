/// \file
/// Which integer a number of JSON is.
#pragma once

#include <optional>
#include <string_view>

#include "inferwire/shape.hpp"

namespace inferwire::inline v0_1::json {

/// The integer that a number is, in whatever way it is written: 1200, 1.2e3. Nothing where it is none, or its
/// magnitude has more than 64 bits. `token` is a number of JSON, or another value, which is no integer.
std::optional<inferwire::detail::WholeNumber> whole_number(std::string_view token);

}  // namespace inferwire::inline v0_1::json
