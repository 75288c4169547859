#include "cli/answer_arguments.hpp"

#include "cli/checks.hpp"

#include <CLI/CLI.hpp>

namespace inferwire::inline v0_1::cli {

void AnswerArguments::declare(CLI::App& command, const std::string& limit) {
  command.add_flag("--stream,!--no-stream", stream,
                   "Print the answer as it arrives (the default), or when it is complete");
  command.add_option(limit, max_tokens, "Maximum number of tokens in the answer")
      ->check(&decimal<std::int64_t>);
  command.add_option("--temperature", temperature, "Randomness, 0 to 2");
  command.add_flag("--json", json, "Print the answer's JSON: the response, or one chunk or event per line");
}

void AnswerArguments::declare_seed(CLI::App& command) {
  command.add_option("--seed", seed, "Seed of the randomness, if the provider has one")
      ->check(&decimal<std::int64_t>);
}

}  // namespace inferwire::inline v0_1::cli
