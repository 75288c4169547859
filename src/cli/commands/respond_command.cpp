// `inferwire respond`: one prompt, one answer, by the Responses API.
#include "cli/answer.hpp"
#include "cli/answer_arguments.hpp"
#include "cli/checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/connection.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

struct RespondArguments {
  Connection connection{};
  AnswerArguments answer{};
  std::string prompt{};  ///< "-" reads standard input
  std::optional<std::string> instructions{};
  std::optional<std::string> previous{};  ///< the id of the response that this continues
  std::optional<std::string> effort{};    ///< how much reasoning models think

  CLI::App* declare(CLI::App& program);
};

CLI::App* RespondArguments::declare(CLI::App& program) {
  auto* command =
      program.add_subcommand("respond", "Ask a model through the Responses API and print its answer");
  connection.declare(*command);
  connection.declare_model(*command);
  answer.declare(*command, "--max-output-tokens");
  command->add_option("--instructions", instructions, "Instructions for the model, like a system message");
  command->add_option("--previous", previous, "The id of the kept response to continue");
  command->add_option("--effort", effort, "How much a reasoning model reasons: low, medium or high");
  command->add_option("prompt", prompt, "The prompt; - reads it from standard input")
      ->required()
      ->check(&not_empty);
  return command;
}

/// Makes the call and prints the answer.
ExitCode run(const RespondArguments& arguments) {
  auto model = arguments.connection.model_for(Resource::responses);
  auto prompt = text_or_input(arguments.prompt);
  if (!model || !prompt) return usage_error;
  responses::Request request{.model = *std::move(model),
                             .input = *std::move(prompt),
                             .instructions = arguments.instructions,
                             .max_output_tokens = arguments.answer.max_tokens,
                             .temperature = arguments.answer.temperature,
                             .previous_response_id = arguments.previous};
  if (arguments.effort) request.reasoning = responses::ReasoningConfig{.effort = *arguments.effort};

  return print_answer(arguments.connection.client().responses, request, arguments.answer);
}

}  // namespace

Command respond_command(CLI::App& program) { return add<RespondArguments>(program); }

}  // namespace inferwire::inline v0_1::cli
