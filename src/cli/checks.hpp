/// \file
/// What the values of options have to be, where CLI11 takes more.
#pragma once

#include <string>

namespace inferwire::inline v0_1::cli {

/// Complains of an empty value: a variable of the caller's that is not set, say, must not count as an option
/// that was not given.
inline std::string not_empty(const std::string& text) { return text.empty() ? "it is empty" : std::string(); }

}  // namespace inferwire::inline v0_1::cli
