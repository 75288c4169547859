/// \file
/// `inferwire chat`: one prompt, one answer; without a prompt a conversation.
#pragma once

#include "cli/answer_arguments.hpp"
#include "cli/connection.hpp"
#include "cli/exit_code.hpp"

#include <string>

namespace inferwire::inline v0_1::cli {

struct ChatArguments {
  Connection connection{};
  AnswerArguments answer{};
  std::string system{};
  std::string prompt{};  ///< "-" reads standard input; empty: a conversation

  /// Adds the command to the program; its arguments are stored in this object, which must outlive the
  /// parsing.
  CLI::App* declare(CLI::App& program);
};

/// Makes the call and prints the answer.
ExitCode run(const ChatArguments& arguments);

}  // namespace inferwire::inline v0_1::cli
