/// \file
/// `inferwire models`: what a service serves.
#pragma once

#include "cli/connection.hpp"
#include "cli/exit_code.hpp"

#include <string>

namespace inferwire::inline v0_1::cli {

struct ModelsArguments {
  Connection connection{};
  std::string name{};  ///< one model; empty: all
  bool json{false};    ///< print the documents instead of names

  /// Adds the command to the program; its arguments are stored in this object, which must outlive the
  /// parsing.
  CLI::App* declare(CLI::App& program);
};

/// Makes the call and prints the answer.
ExitCode run(const ModelsArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
