/// \file
/// The commands of the program. The options of a command are declared in its own file; record and replay
/// share one.
#pragma once

#include "cli/exit_code.hpp"

#include <functional>
#include <memory>

namespace CLI {
class App;
}

namespace inferwire::inline v0_1::cli {

struct Command {
  const CLI::App* parser;  ///< knows whether it was given
  std::function<ExitCode()> run;
};

/// Makes a command of a struct, whose member `declare` adds the command to the program and which holds its
/// arguments, and of the function `run`, which does what they say.
template <class Arguments>
Command add(CLI::App& program) {
  const auto arguments = std::make_shared<Arguments>();  // shared because std::function is copyable
  return {arguments->declare(program), [arguments] { return run(*arguments); }};
}

/// Add one command each; what they return must outlive the parsing.
Command auth_command(CLI::App& program);
Command batch_command(CLI::App& program);
Command chat_command(CLI::App& program);
Command complete_command(CLI::App& program);
Command embed_command(CLI::App& program);
Command models_command(CLI::App& program);
Command record_command(CLI::App& program);
Command replay_command(CLI::App& program);
Command respond_command(CLI::App& program);
Command serve_command(CLI::App& program);

}  // namespace inferwire::inline v0_1::cli
