// The `inferwire` program.
#include "cli/commands/auth_command.hpp"
#include "cli/commands/batch_command.hpp"
#include "cli/commands/cassette_commands.hpp"
#include "cli/commands/chat_command.hpp"
#include "cli/commands/complete_command.hpp"
#include "cli/commands/embed_command.hpp"
#include "cli/commands/models_command.hpp"
#include "cli/commands/respond_command.hpp"
#include "cli/commands/serve_command.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/terminal.hpp"
#include "inferwire/version.hpp"

#include <CLI/CLI.hpp>

#include <exception>
#include <ios>
#include <iostream>
#include <string>

namespace {

using namespace inferwire::cli;

int run_program(int argc, char** argv) {
  CLI::App program("Client and reference engine for model-serving APIs", "inferwire");
  program.set_version_flag("--version", "inferwire " + std::string(inferwire::version()));
  program.require_subcommand(1);
  AuthArguments auth;
  BatchArguments batch;
  ChatArguments chat;
  CompleteArguments complete;
  EmbedArguments embed;
  ModelsArguments models;
  RespondArguments respond;
  RecordArguments record;
  ReplayArguments replay;
  ServeArguments serve;
  const auto* auth_command = auth.declare(program);
  const auto* batch_command = batch.declare(program);
  const auto* chat_command = chat.declare(program);
  const auto* complete_command = complete.declare(program);
  const auto* embed_command = embed.declare(program);
  const auto* models_command = models.declare(program);
  const auto* respond_command = respond.declare(program);
  const auto* record_command = record.declare(program);
  const auto* replay_command = replay.declare(program);
  serve.declare(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const auto unknown = program.remaining();
    if (program.get_subcommands().empty() && !unknown.empty() && !unknown.front().starts_with('-')) {
      complain("there is no command '" + unknown.front() + "': see inferwire --help");
      return usage_error;
    }
    const bool is_wrong = program.exit(error) != 0;  // prints help, the version, or what is wrong
    if (!std::cout.flush()) return output_lost();
    return is_wrong ? usage_error : success;
  }
  if (auth_command->parsed()) return run(auth);
  if (batch_command->parsed()) return run(batch);
  if (chat_command->parsed()) return run(chat);
  if (complete_command->parsed()) return run(complete);
  if (embed_command->parsed()) return run(embed);
  if (respond_command->parsed()) return run(respond);
  if (record_command->parsed()) return run(record);
  if (replay_command->parsed()) return run(replay);
  return models_command->parsed() ? run(models) : run(serve);
}

}  // namespace

int main(int argc, char** argv) {
  fill_standard_streams();
  // If synchronized with stdio, an unreadable input looks like an empty one.
  std::ios::sync_with_stdio(false);
  try {
    return run_program(argc, argv);
  } catch (const std::exception& error) {
    complain(error.what());
    return transport_error;
  }
}
