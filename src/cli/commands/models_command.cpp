// `inferwire models`: what a service serves.
#include "cli/answer.hpp"
#include "cli/checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/connection.hpp"
#include "inferwire/models.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace inferwire::inline v0_1::cli {
namespace {

struct ModelsArguments {
  Connection connection{};
  std::string name{};  ///< one model; empty: all
  bool json{false};    ///< print the documents instead of names

  CLI::App* declare(CLI::App& program);
};

/// A name as requests use it, and the task if the service gives one.
std::string line_of(const models::Model& model) {
  auto line = model.request_name();
  if (model.task) line += '\t' + model.task->str();
  return line += '\n';
}

CLI::App* ModelsArguments::declare(CLI::App& program) {
  auto* command = program.add_subcommand("models", "List the models of a service, or one of them");
  connection.declare(*command);
  command->add_flag("--json", json, "Print the answer's JSON");
  command->add_option("name", name, "One model; on Databricks one serving endpoint")->check(&not_empty);
  return command;
}

/// Makes the call and prints the answer.
ExitCode run(const ModelsArguments& arguments) {
  const auto client = arguments.connection.client();
  if (!arguments.name.empty()) {
    const auto model = client.models.retrieve(arguments.name);
    if (!model) return fail(model.error());
    if (arguments.json) return print_json(*model);
    return print(shown(line_of(*model))) ? success : output_lost();
  }
  const auto list = client.models.list();
  if (!list) return fail(list.error());
  if (arguments.json) return print_json(*list);
  std::string lines;
  for (const auto& model : list->data) lines += line_of(model);
  return print(shown(lines)) ? success : output_lost();
}

}  // namespace

Command models_command(CLI::App& program) { return add<ModelsArguments>(program); }

}  // namespace inferwire::inline v0_1::cli
