/// \file
/// `inferwire respond`: one prompt, one answer, by the Responses API.
#pragma once

#include "cli/answer_arguments.hpp"
#include "cli/connection.hpp"
#include "cli/exit_code.hpp"

#include <optional>
#include <string>

namespace inferwire::inline v0_1::cli {

struct RespondArguments {
  Connection connection{};
  AnswerArguments answer{};
  std::string prompt{};  ///< "-" reads standard input
  std::optional<std::string> instructions{};
  std::optional<std::string> previous{};  ///< the id of the response that this continues
  std::optional<std::string> effort{};    ///< how much reasoning models think

  /// Adds the command to the program; its arguments are stored in this object, which must outlive the
  /// parsing.
  CLI::App* declare(CLI::App& program);
};

/// Makes the call and prints the answer.
ExitCode run(const RespondArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
