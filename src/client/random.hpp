/// \file
/// Random numbers and names.
#pragma once

#include <string>

namespace inferwire::inline v0_1::client {

/// A random number from 0 to below 1.
double random_fraction();

/// A random UUID (RFC 9562, version 4).
std::string random_uuid();

}  // namespace inferwire::inline v0_1::client
