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

/// Error{config} that names a file.
Error file_error(const std::string& path, const std::string& why);

/// The contents of a file. Errors: config, with its name and the reason of the system.
Result<std::string> contents_of(const std::string& path);

/// Writes "inferwire: text" and a line end to standard error.
void complain(std::string_view text) noexcept;

/// Complains, and returns the exit status of wrong usage.
ExitCode fail(std::string_view text) noexcept;

/// The reason in errno, in words.
std::string reason_in_errno();

/// Complain that a file cannot be written, or read, for the reason in errno; return the exit status.
ExitCode not_written(const std::string& path);
ExitCode not_read(const std::string& path);

/// After this call, writing to a reader that has left fails `print` instead of raising a signal.
void ignore_broken_pipes() noexcept;

}  // namespace inferwire::inline v0_1::cli
