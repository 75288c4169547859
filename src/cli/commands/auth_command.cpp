// `inferwire auth describe`: how calls authenticate, without secrets.
#include "cli/commands/commands.hpp"
#include "cli/connection.hpp"
#include "cli/our_words.hpp"
#include "cli/terminal/output.hpp"
#include "inferwire/auth_report.hpp"
#include "inferwire/client.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

struct AuthArguments {
  Connection connection{};
  bool json{false};

  CLI::App* declare(CLI::App& program);
};

std::string in_json(const AuthReport& report) {
  nlohmann::ordered_json document = {
      {"provider", report.provider},         {"base_url", report.base_url},         {"method", report.method},
      {"settings", nlohmann::json::array()}, {"rejected", nlohmann::json::array()}, {"notes", report.notes}};
  for (const auto& [name, value, source] : report.settings) {
    document["settings"].push_back({{"name", name}, {"value", value}, {"source", source}});
  }
  for (const auto& [method, reason] : report.rejected) {
    document["rejected"].push_back({{"method", method}, {"reason", reason}});
  }
  if (report.problem) {
    document["problem"] = {{"kind", name(report.problem->kind)}, {"message", in_our_words(*report.problem)}};
  }
  // A variable may hold bytes that are not text.
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

/// A name and its value, in two columns.
std::string line_of(const std::string& name, const std::string& text) {
  constexpr std::size_t width = 24;
  return name + std::string(name.size() < width ? width - name.size() : 1, ' ') + text + "\n";
}

std::string in_words(const AuthReport& report) {
  auto text = line_of("provider", report.provider);
  text += line_of("base URL", report.base_url.empty() ? "not known" : report.base_url);
  text += line_of("method", report.method.empty() ? "none can be used" : report.method);
  for (const auto& [name, value, source] : report.settings)
    text += line_of("  " + name, value + "  (" + source + ")");
  for (const auto& [method, reason] : report.rejected) text += line_of("not " + method, reason);
  for (const auto& note : report.notes) text += line_of("note", note);
  return text;
}

CLI::App* AuthArguments::declare(CLI::App& program) {
  auto* command = program.add_subcommand("auth", "Show how requests are authenticated");
  command->require_subcommand(1);
  auto* describe = command->add_subcommand(
      "describe", "Show which key is used, where it comes from, and why others are not");
  connection.declare(*describe);
  describe->remove_option(describe->get_option("--embedded"));  // the engine needs no key
  describe->add_flag("--json", json, "Print JSON");
  return command;
}

/// Reads the environment and its files, makes no call, and prints what it finds.
ExitCode run(const AuthArguments& arguments) {
  auto report = arguments.connection.service().describe_auth();
  for (auto& rejected : report.rejected) rejected.reason = in_our_words(std::move(rejected.reason));
  for (auto& note : report.notes) note = in_our_words(std::move(note));
  if (arguments.connection.nobody_named) {
    report.notes.emplace_back("no service is selected: other commands ask the embedded engine");
  }
  if (!print(arguments.json ? in_json(report) : in_words(report))) return output_lost();
  return report.problem ? fail(*report.problem) : success;
}

}  // namespace

Command auth_command(CLI::App& program) { return add<AuthArguments>(program); }

}  // namespace inferwire::inline v0_1::cli
