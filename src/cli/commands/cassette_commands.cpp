// `inferwire record` and `inferwire replay`: a real service in front, and then its recording.
#include "cli/checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/our_words.hpp"
#include "cli/serving/serving.hpp"
#include "cli/terminal/output.hpp"
#include "inferwire/engine/cassette.hpp"
#include "inferwire/network.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::cli {
namespace {

struct RecordArguments {
  Address address{};
  std::string base_url{};
  std::string cassette{};
  bool allow_plain_http_key{};  ///< keys may go to another machine over plain http

  CLI::App* declare(CLI::App& program);
};

struct ReplayArguments {
  Address address{};
  std::string cassette{};
  double speed{1};
  std::vector<std::string> ignore{};

  CLI::App* declare(CLI::App& program);
};

ExitCode complain_of(const Error& error) { return fail(in_our_words(error.detail)); }

CLI::App* RecordArguments::declare(CLI::App& program) {
  auto* command = program.add_subcommand(
      "record", "Forward requests to a service and record its answers, until SIGINT or SIGTERM");
  address.declare(*command);
  command->add_option("--base-url", base_url, "The URL that is put before the path of every request")
      ->required();
  command->add_option("--cassette", cassette, "File to append the recording to; known secrets are left out")
      ->required();
  command->add_flag("--allow-plain-http-key", allow_plain_http_key,
                    "Allow keys to be sent to another machine over plain http");
  return command;
}

CLI::App* ReplayArguments::declare(CLI::App& program) {
  auto* command =
      program.add_subcommand("replay", "Answer requests from a recording, until SIGINT or SIGTERM");
  address.declare(*command);
  command->add_option("--cassette", cassette, "File that `inferwire record` wrote")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--speed", speed, "How many times as fast as recorded; 0: at once")
      ->check(&finite_number)
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  command->add_option("--ignore", ignore,
                      "JSON pointers to members in which requests may differ, such as /user");
  return command;
}

/// Forwards requests until SIGINT or SIGTERM.
ExitCode run(const RecordArguments& arguments) {
  auto recorder = engine::Recorder::open(arguments.cassette, network_transport());
  if (!recorder) return complain_of(recorder.error());
  auto proxy = engine::Proxy::open(*recorder, arguments.base_url,
                                   {.allow_plain_http_key = arguments.allow_plain_http_key,
                                    .allowed_by = "--allow-plain-http-key of inferwire record"});
  if (!proxy) return complain_of(proxy.error());
  const auto served = serve_until_signal(*std::move(proxy), arguments.address);
  if (const auto problem = (*recorder)->problem()) return complain_of(*problem);
  return served;
}

/// Answers requests until SIGINT or SIGTERM.
ExitCode run(const ReplayArguments& arguments) {
  auto player = engine::CassettePlayer::open(arguments.cassette,
                                             {.speed = arguments.speed, .ignore = arguments.ignore});
  if (!player) return complain_of(player.error());
  return serve_until_signal(*std::move(player), arguments.address);
}

}  // namespace

Command record_command(CLI::App& program) { return add<RecordArguments>(program); }
Command replay_command(CLI::App& program) { return add<ReplayArguments>(program); }

}  // namespace inferwire::inline v0_1::cli
