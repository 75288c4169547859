/// \file
/// An answer that lacks elements.
#pragma once

#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::client {

/// The error of an answer that lacks elements because they were read from its stream before.
Error partly_read();

}  // namespace inferwire::inline v0_1::client
