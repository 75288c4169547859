/// \file
/// Standard output and error of the program.
#pragma once

#include "cli/exit_code.hpp"
#include "inferwire/result.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::cli {

/// Writes to standard output and flushes; false if that fails: see `output_lost`.
bool print(std::string_view text) noexcept;

/// The exit status after a `print` that failed: the reader of the output has left, or, with a message on
/// standard error, it cannot be written (a full disk).
ExitCode output_lost() noexcept;

/// The contents of a file. Errors: config, naming it.
Result<std::string> contents_of(const std::string& path);

/// Writes "inferwire: text" and a line end to standard error.
void complain(std::string_view text) noexcept;

/// Complains that a file cannot be written, for the reason in errno; returns the exit status.
ExitCode not_written(const std::string& path) noexcept;

/// After this call, writing to a reader that has left fails `print` instead of raising a signal.
void ignore_broken_pipes() noexcept;

}  // namespace inferwire::inline v0_1::cli
