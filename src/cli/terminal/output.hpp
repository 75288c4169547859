/// \file
/// Standard output and error of the program.
#pragma once

#include <string>
#include <string_view>

#include "cli/exit_code.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::cli {

/// Writes to standard output and flushes; false when that cannot be done: see `output_lost`.
bool print(std::string_view text) noexcept;

/// The exit status behind a `print` that failed: nobody reads the output any more, or, with a complaint, it
/// cannot be written (a full disk).
ExitCode output_lost() noexcept;

/// All of a file. Errors: config, naming it.
Result<std::string> contents_of(const std::string& path);

/// Writes "inferwire: text" and a line's end to standard error.
void complain(std::string_view text) noexcept;

/// From here on a reader that has left shows as a failed `print` instead of a signal.
void ignore_broken_pipes() noexcept;

}  // namespace inferwire::inline v0_1::cli
