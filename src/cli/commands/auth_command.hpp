/// \file
/// `inferwire auth describe`: how calls authenticate, without secrets.
#pragma once

#include "cli/connection.hpp"
#include "cli/exit_code.hpp"

namespace inferwire::inline v0_1::cli {

struct AuthArguments {
  Connection connection{};
  bool json{false};

  /// Adds the command to the program; its arguments are stored in this object, which must outlive the
  /// parsing.
  CLI::App* declare(CLI::App& program);
};

/// Reads the environment and its files, makes no call, and prints what it finds.
ExitCode run(const AuthArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
