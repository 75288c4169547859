#include "cli/commands/models_command.hpp"

#include "cli/answer.hpp"
#include "cli/checks.hpp"
#include "inferwire/models.hpp"

#include <CLI/CLI.hpp>

namespace inferwire::inline v0_1::cli {
namespace {

/// A name as requests use it, and the task if the service gives one.
std::string line_of(const models::Model& model) {
  auto line = model.request_name();
  if (model.task) line += '\t' + model.task->str();
  return line += '\n';
}

}  // namespace

CLI::App* ModelsArguments::declare(CLI::App& program) {
  auto* command = program.add_subcommand("models", "List the models of a service, or one of them");
  connection.declare(*command);
  command->add_flag("--json", json, "Print the answer's JSON");
  command->add_option("name", name, "One model; on Databricks one serving endpoint")->check(&not_empty);
  return command;
}

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

}  // namespace inferwire::inline v0_1::cli
