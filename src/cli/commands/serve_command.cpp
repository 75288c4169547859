// `inferwire serve`: the engine behind an HTTP port.
#include "cli/checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/our_words.hpp"
#include "cli/serving/gguf.hpp"
#include "cli/serving/serving.hpp"
#include "cli/terminal/output.hpp"
#include "inferwire/engine/engine.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::cli {
namespace {

struct ServeArguments {
  Address address{};
  std::string api_key_variable{};  ///< empty: INFERWIRE_API_KEY, if it is set
  std::uint64_t seed{0};
  std::string api_key{};  ///< takes precedence over the variable
  std::int64_t ttft_ms{0};
  double tokens_per_second{0};  ///< 0: unlimited
  double jitter{0};
  std::string rules{};                ///< the file of a script; empty: none
  std::vector<std::string> models{};  ///< further ones: "NAME" or "NAME=ENDPOINT"
  std::string gguf{};                 ///< the file of a real model; empty: none
  std::int64_t deadline_ms{0};        ///< 0: none
  std::uint64_t max_body{0};          ///< in bytes; 0: each mount's own
  std::string v1{};                   ///< empty: each endpoint's own
  std::string lmi_profile{};          ///< "0.29"; empty: the documented one
  bool literal_defaults{false};
  bool ai21_422{false};
  bool sigv4{false};

  CLI::App* declare(CLI::App& program);
};

constexpr const char* default_variable = "INFERWIRE_API_KEY";
/// The longest time that anything waits, short enough not to overflow a clock.
constexpr int seconds_of_a_day = 24 * 60 * 60;

CLI::App* ServeArguments::declare(CLI::App& program) {
  auto* command =
      program.add_subcommand("serve", "Serve the bundled engine over HTTP until SIGINT or SIGTERM");
  address.declare(*command);
  command
      ->add_option(
          "--api-key-env", api_key_variable,
          "Environment variable with the key that requests need; by default INFERWIRE_API_KEY, if set")
      ->check(&not_empty);
  command->add_option("--seed", seed, "Seed of requests that have none")
      ->check(&decimal<std::uint64_t>)
      ->capture_default_str();
  command
      ->add_option("--api-key", api_key,
                   "The key itself; other users of this machine can see it, so prefer --api-key-env")
      ->check(&not_empty);
  command->add_flag(
      "--sigv4", sigv4,
      "Check signatures at SageMaker's paths, by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of "
      "the environment");
  command->add_option("--ttft", ttft_ms, "Time to the first token of an answer, in milliseconds")
      ->check(&decimal<std::int64_t>)
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{seconds_of_a_day} * 1000));
  command->add_option("--tokens-per-second", tokens_per_second, "Pace of the tokens after the first")
      ->check(&finite_number)
      ->check(CLI::Range(1.0 / seconds_of_a_day, 1e9));
  command->add_option("--jitter", jitter, "How much the time between tokens varies: 0.2 is up to a fifth")
      ->check(&finite_number)
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--rules", rules, "File with a script of replies and faults, in JSON")
      ->check(CLI::ExistingFile);
  command->add_option("--gguf", gguf, "GGUF file of a real model, which is served under its name (llama.cpp)")
      ->check(CLI::ExistingFile);
  command
      ->add_option("--model", models,
                   "Serve a model under an additional name: NAME for inferwire-toy, or NAME=ENDPOINT; can be "
                   "repeated")
      ->type_name("NAME[=ENDPOINT]")
      ->allow_extra_args(false);
  command
      ->add_option("--deadline", deadline_ms,
                   "Time limit of an answer, in milliseconds; then it fails with 504")
      ->check(&decimal<std::int64_t>)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{seconds_of_a_day} * 1000));
  command
      ->add_option("--max-body", max_body, "Largest request body in bytes; by default the provider's limit")
      ->check(&decimal<std::uint64_t>)
      ->check(&not_zero);
  command->add_option("--v1", v1, "Form of the chat API of all models below /v1; by default each model's own")
      ->check(CLI::IsMember({"openai", "ai21", "lmi"}));
  command->add_option("--lmi-profile", lmi_profile, "Reproduce the defects of this version at LMI's paths")
      ->check(CLI::IsMember({"0.29"}));
  command->add_flag(
      "--literal-defaults", literal_defaults,
      "Follow Databricks' newest documentation to the letter: stream unless the request says otherwise");
  command->add_flag("--ai21-422", ai21_422, "Refuse with 422 at AI21's paths, as its live service does");
  return command;
}

std::optional<engine::Api> api_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return name == "ai21" ? engine::Api::ai21 : name == "lmi" ? engine::Api::lmi : engine::Api::openai;
}

engine::Pacing pacing_of(const ServeArguments& arguments) {
  engine::Pacing pacing{.first_token = Duration(arguments.ttft_ms), .jitter = arguments.jitter};
  if (arguments.tokens_per_second > 0) {
    pacing.per_token = std::chrono::nanoseconds(std::llround(1e9 / arguments.tokens_per_second));
  }
  return pacing;
}

/// The script in a file, or nullopt, after printing an error.
std::optional<engine::Script> script_of(const std::string& path) {
  if (path.empty()) return engine::Script();
  const auto text = contents_of(path);
  if (!text) {
    complain(text.error().detail);
    return std::nullopt;
  }
  auto script = engine::parse_script(*text);
  if (script) return *std::move(script);
  const auto& error = script.error();
  complain(path + ": " + (error.path.empty() ? "" : error.path + ": ") + error.detail);
  return std::nullopt;
}

/// The model for a further name, or nullopt, after printing an error.
std::optional<engine::Endpoint> endpoint_of(const std::string& model,
                                            const std::vector<engine::Endpoint>& known) {
  const auto equals = model.find('=');
  const auto name = model.substr(0, equals);
  const auto of = equals == model.npos ? "inferwire-toy" : model.substr(equals + 1);
  const auto found = std::ranges::find(known, of, &engine::Endpoint::name);
  if (name.empty() || found == known.end()) {
    complain("--model " + model + ": " + (name.empty() ? "there is no name" : "no endpoint is called " + of));
    return std::nullopt;
  }
  auto endpoint = *found;
  endpoint.name = endpoint.served_model = name;
  return endpoint;
}

/// The keys of the environment, or nullopt, after printing an error.
std::optional<engine::AwsKeys> aws_keys() {
  const char* id = std::getenv("AWS_ACCESS_KEY_ID");
  const char* secret = std::getenv("AWS_SECRET_ACCESS_KEY");
  if (id == nullptr || secret == nullptr) {
    complain("--sigv4 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    return std::nullopt;
  }
  return engine::AwsKeys{id, Secret(secret)};
}

/// Serves until SIGINT or SIGTERM.
ExitCode run(const ServeArguments& arguments) {
  const bool named = !arguments.api_key_variable.empty();
  const char* key = std::getenv(named ? arguments.api_key_variable.c_str() : default_variable);
  const bool has_key = key != nullptr && *key != '\0';
  if (named && !has_key) {
    return fail("the environment variable " + arguments.api_key_variable + " is not set");
  }

  auto script = script_of(arguments.rules);
  if (!script) return usage_error;
  engine::EngineOptions options{.seed = arguments.seed,
                                .pacing = pacing_of(arguments),
                                .literal_defaults = arguments.literal_defaults,
                                .v1 = api_of(arguments.v1),
                                .ai21_422 = arguments.ai21_422,
                                .lmi_0_29 = !arguments.lmi_profile.empty(),
                                .script = *std::move(script)};
  if (!arguments.gguf.empty()) {
    auto endpoints = gguf_endpoints(arguments.gguf);
    if (!endpoints) return fail(in_our_words(endpoints.error()));
    options.endpoints = *std::move(endpoints);
  }
  auto known = options.endpoints;
  for (auto& endpoint : engine::bundled_endpoints()) known.push_back(std::move(endpoint));
  for (const auto& model : arguments.models) {
    auto endpoint = endpoint_of(model, known);
    if (!endpoint) return usage_error;
    options.endpoints.push_back(*std::move(endpoint));
  }
  if (has_key) options.api_key = Secret(key);
  if (!arguments.api_key.empty()) options.api_key = Secret(arguments.api_key);
  if (arguments.deadline_ms > 0) options.deadline = Duration(arguments.deadline_ms);
  if (arguments.max_body > 0) options.max_request_bytes = arguments.max_body;
  if (arguments.sigv4 && !(options.aws_keys = aws_keys())) return usage_error;

  return serve_until_signal(std::make_shared<engine::Engine>(std::move(options)), arguments.address);
}

}  // namespace

Command serve_command(CLI::App& program) { return add<ServeArguments>(program); }

}  // namespace inferwire::inline v0_1::cli
