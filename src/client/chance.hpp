/// \file
/// What is left to chance.
#pragma once

#include <string>

namespace inferwire::inline v0_1::client {

/// At random, from 0 to below 1.
double chance();

/// A random UUID (RFC 9562, version 4).
std::string random_uuid();

}  // namespace inferwire::inline v0_1::client
