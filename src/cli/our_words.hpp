/// \file
/// The library's messages, with the program's options in place of the library's.
#pragma once

#include "cli/exit_code.hpp"
#include "inferwire/error.hpp"

#include <string>

namespace inferwire::inline v0_1::cli {

std::string in_our_words(std::string text);

/// The message of an error; one that a service wrote is kept as it is.
std::string in_our_words(const Error& error);

/// Complains about an error, and returns the exit status.
ExitCode fail(const Error& error);

}  // namespace inferwire::inline v0_1::cli
