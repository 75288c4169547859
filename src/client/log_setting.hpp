/// \file
/// What the environment says of the log.
#pragma once

#include <optional>
#include <string_view>

#include "inferwire/log.hpp"
#include "inferwire/visibility.hpp"

namespace inferwire::inline v0_1::client {

/// What INFERWIRE_LOG wants: a level, and behind commas what is shown besides ("debug,bodies"). Nothing where
/// it holds any other word.
std::optional<LogLevel> level_of(std::string_view words, Visibility& visibility);

}  // namespace inferwire::inline v0_1::client
