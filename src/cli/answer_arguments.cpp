#include "cli/answer_arguments.hpp"

#include "cli/checks.hpp"

#include <CLI/CLI.hpp>

namespace inferwire::inline v0_1::cli {

void AnswerArguments::declare(CLI::App& command, const std::string& limit) {
  command.add_flag("--stream,!--no-stream", stream,
                   "Print the answer as it comes (the default), or when it is whole");
  command.add_option(limit, max_tokens, "The longest answer, in tokens")->check(&decimal<std::int64_t>);
  command.add_option("--temperature", temperature, "Randomness, 0 to 2");
  command.add_flag("--json", json, "Print the answer's JSON: the response, or one chunk or event a line");
}

void AnswerArguments::declare_seed(CLI::App& command) {
  command.add_option("--seed", seed, "Seed of the randomness, where the provider takes one")
      ->check(&decimal<std::int64_t>);
}

}  // namespace inferwire::inline v0_1::cli
