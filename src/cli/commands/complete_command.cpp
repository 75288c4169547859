#include "cli/commands/complete_command.hpp"

#include "cli/answer.hpp"
#include "cli/checks.hpp"
#include "inferwire/completions.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace inferwire::inline v0_1::cli {

CLI::App* CompleteArguments::declare(CLI::App& program) {
  auto* command = program.add_subcommand("complete", "Let a model go on with a text and print what comes");
  connection.declare(*command);
  connection.declare_model(*command);
  command->add_flag("--stream,!--no-stream", stream,
                    "Print the text as it comes (the default), or when it is whole");
  command->add_option("--max-tokens", max_tokens, "The longest completion, in tokens")
      ->check(&decimal<std::int64_t>);
  command->add_option("--temperature", temperature, "Randomness, 0 to 2");
  command->add_option("--seed", seed, "Seed of the randomness, where the provider takes one")
      ->check(&decimal<std::int64_t>);
  command->add_option("--suffix", suffix, "Text after the completion");
  command->add_flag("--echo", echo, "Print the prompt too");
  command->add_flag("--raw", raw, "Databricks: the prompt as it is, without the model's template");
  command->add_flag("--json", json, "Print the answer's JSON: the response, or one chunk a line");
  command->add_option("prompt", prompt, "The text; - reads it from standard input")->required();
  return command;
}

ExitCode run(const CompleteArguments& arguments) {
  auto model = arguments.connection.model_for(Resource::completions);
  auto prompt = text_or_input(arguments.prompt);
  if (!model || !prompt) return usage_error;
  completions::Request request{.model = *std::move(model),
                               .prompt = *std::move(prompt),
                               .max_tokens = arguments.max_tokens,
                               .temperature = arguments.temperature,
                               .suffix = arguments.suffix,
                               .seed = arguments.seed};
  if (arguments.echo) request.echo = true;
  if (arguments.raw) request.use_raw_prompt = true;

  const auto client = arguments.connection.client();
  return arguments.stream ? answer_streamed(client.completions, request, arguments.json)
                          : answer_whole(client.completions, request, arguments.json);
}

}  // namespace inferwire::inline v0_1::cli
