/// \file
/// Standard output and error of the program.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::cli {

/// Writes to standard output and flushes; false when nobody reads it any more.
bool print(std::string_view text) noexcept;

/// JSON without the line ends that a service may have put between its members.
std::string one_line(std::string json);

/// Writes "inferwire: text" and a line's end to standard error.
void complain(std::string_view text) noexcept;

/// From here on a reader that has left shows as a failed `print` instead of a signal.
void ignore_broken_pipes() noexcept;

}  // namespace inferwire::inline v0_1::cli
