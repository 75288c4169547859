/// \file
/// The integer value of a JSON number.
#pragma once

#include "inferwire/shape.hpp"

#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// The integer value of a number, in any notation: 1200, 1.2e3. Nothing if it is not an integer, or its
/// magnitude needs more than 64 bits. `token` is a JSON number, or another value, which gives nothing.
std::optional<inferwire::detail::WholeNumber> whole_number(std::string_view token);

}  // namespace inferwire::inline v0_1::json
