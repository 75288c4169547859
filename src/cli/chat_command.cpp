#include "cli/chat_command.hpp"

#include "cli/output.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/engine_transport.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::cli {
namespace {

/// A provider as the program knows it.
struct Known {
  const char* name;
  Provider (*row)();
  const char* embedded_url;    ///< where the embedded engine answers as this provider
  const char* embedded_model;  ///< asked there when no model is named
};

constexpr std::array known_providers{
    Known{"databricks", &Provider::databricks, "http://localhost", "databricks-meta-llama-3-3-70b-instruct"},
    Known{"databricks-openai", &Provider::databricks_openai, "http://localhost",
          "databricks-meta-llama-3-3-70b-instruct"},
    Known{"openai", &Provider::openai, "http://localhost/v1", "inferwire-toy"},
};

const Known& find_provider(std::string_view name) {
  for (const auto& known : known_providers) {
    if (name == known.name) return known;
  }
  return known_providers.back();  // the parser lets no other names through
}

std::string_view environment(const std::string& variable) {
  const char* value = variable.empty() ? nullptr : std::getenv(variable.c_str());
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool is_local(std::string_view url) {
  return url.starts_with("http://127.0.0.1") || url.starts_with("http://localhost") ||
         url.starts_with("http://[::1]");
}

bool uses_embedded_engine(const ChatArguments& arguments, const Provider& row) {
  return arguments.base_url.empty() && environment(row.auth.base_url_variable).empty();
}

ClientOptions client_options(const ChatArguments& arguments, const Known& known) {
  ClientOptions options{.provider = known.row(), .user_agent = "inferwire-cli"};
  const auto& auth = options.provider.auth;
  if (uses_embedded_engine(arguments, options.provider)) {
    options.base_url = known.embedded_url;
    options.credential = Credential::none();
    options.transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>());
    return options;
  }
  if (!arguments.base_url.empty()) options.base_url = arguments.base_url;
  // A server on this machine often wants no key; where one is wanted, the server says so.
  const auto url =
      options.base_url ? std::string_view(*options.base_url) : environment(auth.base_url_variable);
  if (environment(auth.key_variable).empty() && is_local(url)) options.credential = Credential::none();
  return options;
}

chat::Request chat_request(const ChatArguments& arguments, std::string model, std::string prompt) {
  chat::Request request{.model = std::move(model),
                        .max_tokens = arguments.max_tokens,
                        .temperature = arguments.temperature,
                        .seed = arguments.seed};
  if (!arguments.system.empty()) request.messages.push_back(chat::system(arguments.system));
  request.messages.push_back(chat::user(std::move(prompt)));
  return request;
}

ExitCode fail(const Error& error) {
  complain(error.message());
  return exit_code(error);
}

ExitCode answer_whole(const Client& client, const chat::Request& request, bool json) {
  const auto response = client.chat.create(request);
  if (!response) return fail(response.error());
  if (!json) return print(response->text() + "\n") ? success : reader_left;
  const auto document = chat::to_json(*response);
  if (!document) return fail(document.error());
  return print(document->text() + "\n") ? success : reader_left;
}

ExitCode answer_streamed(const Client& client, const chat::Request& request, bool json) {
  bool line_is_open = false;
  auto stream = client.chat.stream(request);
  for (auto& chunk : stream) {
    if (!chunk) {
      if (line_is_open) print("\n");
      return fail(chunk.error());
    }
    std::string text = chunk->text();
    if (json) {
      const auto document = chat::to_json(*chunk);
      if (!document) return fail(document.error());
      text = document->text() + "\n";
    }
    if (text.empty()) continue;
    line_is_open = text.back() != '\n';
    if (!print(text)) return reader_left;
  }
  return !line_is_open || print("\n") ? success : reader_left;
}

}  // namespace

CLI::App* ChatArguments::declare(CLI::App& program) {
  std::vector<std::string> names;
  for (const auto& known : known_providers) names.emplace_back(known.name);

  auto* command = program.add_subcommand("chat", "Ask a model and print its answer as it comes");
  command->footer(
      "Keys come from the environment only: DATABRICKS_TOKEN, OPENAI_API_KEY. Without --base-url and "
      "without\n"
      "DATABRICKS_HOST or OPENAI_BASE_URL the embedded engine answers, offline.\n"
      "Exit status: 0 answered, 2 usage, 3 refused by the service, 4 no answer, 5 the answer broke off.");
  command->add_option("--provider", provider, "Who is asked")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  command->add_option("--base-url", base_url, "Where the service is, for example http://127.0.0.1:8080/v1");
  command->add_option("--model,--endpoint", model, "The model, on Databricks the serving endpoint");
  command->add_flag("--stream,!--no-stream", stream,
                    "Print the answer as it comes (the default), or when it is whole");
  command->add_option("--system", system, "The system message");
  command->add_option("--max-tokens", max_tokens, "The longest answer, in tokens");
  command->add_option("--temperature", temperature, "Randomness, 0 to 2");
  command->add_option("--seed", seed, "Seed of the randomness, where the provider takes one");
  command->add_flag("--json", json, "Print the answer's JSON: the response, or one chunk a line");
  command->add_option("prompt", prompt, "What to ask; - reads it from standard input")->required();
  return command;
}

ExitCode run(const ChatArguments& arguments) {
  const auto& known = find_provider(arguments.provider);
  const auto embedded = uses_embedded_engine(arguments, known.row());
  if (arguments.model.empty() && !embedded) {
    complain("--model is required: only the embedded engine has one to choose");
    return usage_error;
  }
  auto prompt = arguments.prompt;
  if (prompt == "-") prompt.assign(std::istreambuf_iterator<char>(std::cin), {});

  ignore_broken_pipes();
  const Client client(client_options(arguments, known));
  const auto model = arguments.model.empty() ? known.embedded_model : arguments.model;
  const auto request = chat_request(arguments, model, std::move(prompt));
  return arguments.stream ? answer_streamed(client, request, arguments.json)
                          : answer_whole(client, request, arguments.json);
}

}  // namespace inferwire::inline v0_1::cli
