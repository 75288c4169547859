/// \file
/// What the program's exit status says.
#pragma once

#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::cli {

enum ExitCode : int {
  success = 0,
  usage_error = 2,  ///< arguments, options or environment that make no call, or output that cannot be written
  api_error = 3,    ///< the service refused the request or reported an error
  transport_error = 4,    ///< no answer came, or none that could be understood
  incomplete_stream = 5,  ///< the answer began and broke off
  reader_left = 141,      ///< nobody reads the output any more: as if SIGPIPE had ended the program
};

/// The exit status for a call that ended with `error`.
ExitCode exit_code(const Error& error) noexcept;

}  // namespace inferwire::inline v0_1::cli
