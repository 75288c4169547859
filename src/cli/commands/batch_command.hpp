/// \file
/// `inferwire batch`: a file of requests in, a file of answers out, both in the format of OpenAI's Batch API.
#pragma once

#include <cstddef>
#include <string>

#include "cli/connection.hpp"
#include "cli/exit_code.hpp"

namespace inferwire::inline v0_1::cli {

struct BatchArguments {
  Connection connection{};
  std::string in{};   ///< JSON lines; "-" reads standard input
  std::string out{};  ///< appended to; what stands in it is not asked again
  std::size_t in_flight{8};
  bool json{};

  /// Adds the command to the program's; its arguments land in this object, which has to outlive the parsing.
  CLI::App* declare(CLI::App& program);
};

/// Makes the requests of the one file, as it is read, and writes their answers to the other, as they come.
ExitCode run(const BatchArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
