/// \file
/// `inferwire auth describe`: how calls prove who makes them, without secrets.
#pragma once

#include "cli/connection.hpp"
#include "cli/exit_code.hpp"

namespace inferwire::inline v0_1::cli {

struct AuthArguments {
  Connection connection{};
  bool json{false};

  /// Adds the command to the program's; its arguments land in this object, which has to outlive the parsing.
  CLI::App* declare(CLI::App& program);
};

/// Looks into the environment and its files, asks nobody, and prints what it finds.
ExitCode run(const AuthArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
