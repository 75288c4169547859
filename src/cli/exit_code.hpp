/// \file
/// The program's exit status.
#pragma once

#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::cli {

enum ExitCode : int {
  success = 0,
  usage_error = 2,        ///< invalid arguments, options or environment, or output that cannot be written
  api_error = 3,          ///< the service refused the request, reported an error, or filtered the answer
  transport_error = 4,    ///< there was no answer, or it could not be decoded
  incomplete_stream = 5,  ///< the answer broke off, or the service broke it off
  reader_left = 141,      ///< the reader of the output has left: as if SIGPIPE had ended the program
};

/// The exit status for a call that ended with `error`.
ExitCode exit_code(const Error& error) noexcept;

}  // namespace inferwire::inline v0_1::cli
