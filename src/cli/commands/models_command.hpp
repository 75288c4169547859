/// \file
/// `inferwire models`: what a service serves.
#pragma once

#include <string>

#include "cli/connection.hpp"
#include "cli/exit_code.hpp"

namespace inferwire::inline v0_1::cli {

struct ModelsArguments {
  Connection connection{};
  std::string name{};  ///< one model; empty: all
  bool json{false};    ///< print the documents instead of names

  /// Adds the command to the program's; its arguments land in this object, which has to outlive the parsing.
  CLI::App* declare(CLI::App& program);
};

/// Makes the call and prints what comes.
ExitCode run(const ModelsArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
