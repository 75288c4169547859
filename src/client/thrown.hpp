/// \file
/// What code of the user's throws where it should return an error.
#pragma once

#include <string>
#include <string_view>

#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::client {

/// Says that `who` threw the exception that is being handled, and what that says.
std::string thrown_by(std::string_view who);
/// The end of an exchange whose transport threw it.
Error thrown_by_transport();

}  // namespace inferwire::inline v0_1::client
