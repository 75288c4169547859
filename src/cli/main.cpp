// The `inferwire` program.
#include "cli/commands/commands.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/terminal.hpp"
#include "inferwire/version.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <ios>
#include <iostream>
#include <span>
#include <string>
#include <string_view>

namespace {

using namespace inferwire::cli;

/// The text that was read as -h and more flags, if nobody asked for help; empty if somebody did.
std::string_view misread_as_help(std::span<char* const> words) {
  const auto asks = [](std::string_view word) { return word == "-h" || word.starts_with("--help"); };
  if (std::ranges::any_of(words, asks)) return {};
  const auto text = std::ranges::find_if(words, [](std::string_view word) { return word.starts_with("-h"); });
  return text == words.end() ? std::string_view() : *text;
}

/// Whether the word is a text that begins with a hyphen, and no option with its value.
bool is_text(std::string_view word) {
  const auto blank = word.find_first_of(" \t\n");
  return word.starts_with('-') && blank != word.npos && word.find('=') > blank;
}

/// The text that was read as options; empty if there is none, or if `error` is about something else.
std::string_view misread(const CLI::ParseError& error, std::span<char* const> words) {
  if (error.get_name() == "CallForHelp") return misread_as_help(words);
  // By its code: the name of an ExtrasError is the command's.
  const auto is = [&error](CLI::ExitCodes code) { return error.get_exit_code() == static_cast<int>(code); };
  if (!is(CLI::ExitCodes::ExtrasError) && !is(CLI::ExitCodes::RequiredError)) return {};
  const auto text = std::ranges::find_if(words, is_text);
  return text == words.end() ? std::string_view() : *text;
}

int run_program(int argc, char** argv) {
  CLI::App program("Client and reference engine for model-serving APIs", "inferwire");
  program.set_version_flag("--version", "inferwire " + std::string(inferwire::version()));
  program.require_subcommand(1);
  // In the order of --help.
  const Command commands[] = {
      auth_command(program),   batch_command(program),  chat_command(program),    complete_command(program),
      embed_command(program),  models_command(program), respond_command(program), record_command(program),
      replay_command(program), serve_command(program),
  };
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::span<char* const> words(argv, static_cast<std::size_t>(argc));
    if (const auto text = misread(error, words); !text.empty()) {
      const bool marked = std::ranges::any_of(words, [](std::string_view word) { return word == "--"; });
      return fail("'" + std::string(text) + "' is no option" +
                  (marked ? "" : ": put -- before a text that begins with a hyphen"));
    }
    const auto unknown = program.remaining();
    if (program.get_subcommands().empty() && !unknown.empty() && !unknown.front().starts_with('-')) {
      return fail("there is no command '" + unknown.front() + "': see inferwire --help");
    }
    const bool is_wrong = program.exit(error) != 0;  // prints help, the version, or what is wrong
    if (!std::cout.flush()) return output_lost();
    return is_wrong ? usage_error : success;
  }
  for (const auto& command : commands) {
    if (command.parser->parsed()) return command.run();
  }
  return usage_error;  // unreachable: the program requires a command
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
