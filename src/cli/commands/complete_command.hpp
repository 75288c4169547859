/// \file
/// `inferwire complete`: continues a text.
#pragma once

#include "cli/answer_arguments.hpp"
#include "cli/connection.hpp"
#include "cli/exit_code.hpp"

#include <optional>
#include <string>

namespace inferwire::inline v0_1::cli {

struct CompleteArguments {
  Connection connection{};
  AnswerArguments answer{};
  std::string prompt{};  ///< "-" reads standard input
  std::optional<std::string> suffix{};
  bool echo{false};
  bool raw{false};  ///< no template around the prompt

  /// Adds the command to the program; its arguments are stored in this object, which must outlive the
  /// parsing.
  CLI::App* declare(CLI::App& program);
};

/// Makes the call and prints the answer.
ExitCode run(const CompleteArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
