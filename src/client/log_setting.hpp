/// \file
/// The log's setting in the environment.
#pragma once

#include "inferwire/log.hpp"
#include "inferwire/visibility.hpp"

#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// Parses INFERWIRE_LOG: a level, then what else to show, separated by commas ("debug,bodies"). std::nullopt
/// if it contains any other word.
std::optional<LogLevel> level_of(std::string_view words, Visibility& visibility);

}  // namespace inferwire::inline v0_1::client
