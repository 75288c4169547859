// `inferwire complete`: continues a text.
#include "cli/answer.hpp"
#include "cli/answer_arguments.hpp"
#include "cli/checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/connection.hpp"
#include "inferwire/completions.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

struct CompleteArguments {
  Connection connection{};
  AnswerArguments answer{};
  std::string prompt{};  ///< "-" reads standard input
  std::optional<std::string> suffix{};
  bool echo{false};
  bool raw{false};  ///< no template around the prompt

  CLI::App* declare(CLI::App& program);
};

CLI::App* CompleteArguments::declare(CLI::App& program) {
  auto* command =
      program.add_subcommand("complete", "Let a model continue a text and print the continuation");
  connection.declare(*command);
  connection.declare_model(*command);
  answer.declare(*command);
  answer.declare_seed(*command);
  command->add_option("--suffix", suffix, "Text after the completion");
  command->add_flag("--echo", echo, "Print the prompt too");
  command->add_flag("--raw", raw, "Databricks: use the prompt as it is, without the model's template");
  command->add_option("prompt", prompt, "The text; - reads it from standard input")
      ->required()
      ->check(&not_empty);
  return command;
}

/// Makes the call and prints the answer.
ExitCode run(const CompleteArguments& arguments) {
  auto model = arguments.connection.model_for(Resource::completions);
  auto prompt = text_or_input(arguments.prompt);
  if (!model || !prompt) return usage_error;
  completions::Request request{.model = *std::move(model),
                               .prompt = *std::move(prompt),
                               .max_tokens = arguments.answer.max_tokens,
                               .temperature = arguments.answer.temperature,
                               .suffix = arguments.suffix,
                               .seed = arguments.answer.seed};
  if (arguments.echo) request.echo = true;
  if (arguments.raw) request.use_raw_prompt = true;

  return print_answer(arguments.connection.client().completions, request, arguments.answer);
}

}  // namespace

Command complete_command(CLI::App& program) { return add<CompleteArguments>(program); }

}  // namespace inferwire::inline v0_1::cli
