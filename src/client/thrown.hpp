/// \file
/// Errors for exceptions from user code, and for lack of memory.
#pragma once

#include "base/thrown.hpp"
#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::client {

/// The error of an exchange whose transport threw an exception.
Error thrown_by_transport() noexcept;
/// The error of a call whose answer does not fit into memory.
Error thrown_by_reading() noexcept;

}  // namespace inferwire::inline v0_1::client
