/// \file
/// What code of the user's throws where an error should be returned.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1 {

/// Says that `who` threw the exception that is being handled, and what that says.
std::string thrown_by(std::string_view who);

}  // namespace inferwire::inline v0_1
