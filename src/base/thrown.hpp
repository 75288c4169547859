/// \file
/// Describes exceptions from user code that should have returned an error.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1 {

/// Text saying that `who` threw the exception that is being handled, with its message.
std::string thrown_by(std::string_view who);

}  // namespace inferwire::inline v0_1
