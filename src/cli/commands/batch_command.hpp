/// \file
/// `inferwire batch`: a file of requests in, a file of answers out, both in the format of OpenAI's Batch API.
#pragma once

#include "cli/connection.hpp"
#include "cli/exit_code.hpp"

#include <cstddef>
#include <string>

namespace inferwire::inline v0_1::cli {

struct BatchArguments {
  Connection connection{};
  std::string in{};   ///< JSON lines; "-" reads standard input
  std::string out{};  ///< appended to; requests with an answer in it are not sent again
  std::size_t in_flight{8};
  bool json{};

  /// Adds the command to the program; its arguments are stored in this object, which must outlive the
  /// parsing.
  CLI::App* declare(CLI::App& program);
};

/// Sends the requests of one file as it is read, and writes their answers to the other as they arrive.
ExitCode run(const BatchArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
