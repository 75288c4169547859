/// \file
/// The errors of a stream whose elements are wanted twice.
#pragma once

#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::client {

/// The error of `listen` on a stream that is listened to or collected.
Error listened_to_already() noexcept;
/// The error of `collect` on a stream that somebody reads.
Error read_already() noexcept;
/// The error of an answer that lacks elements because they were read from its stream before.
Error partly_read() noexcept;

}  // namespace inferwire::inline v0_1::client
