#include "cli/commands/respond_command.hpp"

#include "cli/answer.hpp"
#include "cli/checks.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace inferwire::inline v0_1::cli {

CLI::App* RespondArguments::declare(CLI::App& program) {
  auto* command = program.add_subcommand("respond", "Ask a model by the Responses API and print its answer");
  connection.declare(*command);
  connection.declare_model(*command);
  command->add_flag("--stream,!--no-stream", stream,
                    "Print the answer as it comes (the default), or when it is whole");
  command->add_option("--instructions", instructions,
                      "What goes before the prompt, as a system message does");
  command->add_option("--previous", previous, "The id of the kept response that this goes on from");
  command->add_option("--max-output-tokens", max_output_tokens, "The longest answer, in tokens")
      ->check(&decimal<std::int64_t>);
  command->add_option("--temperature", temperature, "Randomness, 0 to 2");
  command->add_option("--effort", effort, "How much a reasoning model thinks: low, medium or high");
  command->add_flag("--json", json, "Print the answer's JSON: the response, or one event a line");
  command->add_option("prompt", prompt, "What to ask; - reads it from standard input")->required();
  return command;
}

ExitCode run(const RespondArguments& arguments) {
  auto model = arguments.connection.model_for(Resource::responses);
  auto prompt = text_or_input(arguments.prompt);
  if (!model || !prompt) return usage_error;
  responses::Request request{.model = *std::move(model),
                             .input = *std::move(prompt),
                             .instructions = arguments.instructions,
                             .max_output_tokens = arguments.max_output_tokens,
                             .temperature = arguments.temperature,
                             .previous_response_id = arguments.previous};
  if (arguments.effort) request.reasoning = responses::ReasoningConfig{.effort = *arguments.effort};

  const auto client = arguments.connection.client();
  return arguments.stream ? answer_streamed(client.responses, request, arguments.json)
                          : answer_whole(client.responses, request, arguments.json);
}

}  // namespace inferwire::inline v0_1::cli
