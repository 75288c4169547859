// Databricks: shows how it authenticates, and streams an answer of a serving endpoint. Host and credentials
// are looked up as by Databricks' own programs: in the environment, or a profile in ~/.databrickscfg.
// Without DATABRICKS_HOST and DATABRICKS_CONFIG_PROFILE the embedded engine answers.
//
//     DATABRICKS_HOST=https://... DATABRICKS_TOKEN=... databricks "What is a tide?"
//     DATABRICKS_CONFIG_PROFILE=work databricks --model databricks-claude-sonnet-4 "What is a tide?"
//
// Prints where calls go and with which credential, the answer, and the service's id of the request.
#include "example.hpp"

using namespace inferwire;

namespace {
ClientOptions choose(const example::Arguments& arguments) {
  ClientOptions options{
      .provider = Provider::databricks(),
      // Limits are per minute: a policy that waits longer than usual gets the answer.
      .retry = RetryPolicy::rate_limit_patient(),
  };
  if (!arguments.base_url.empty()) {
    options.base_url = arguments.base_url;
  } else if (!std::getenv("DATABRICKS_HOST") && !std::getenv("DATABRICKS_CONFIG_PROFILE")) {
    options.transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>());
    options.environment = Environment::none();
  }
  return options;
}
}  // namespace

int main(int argc, char** argv) {
  const auto arguments =
      example::read(argc, argv, "databricks [question]", "databricks-meta-llama-3-3-70b-instruct");
  const Client client(choose(arguments));

  // The report contains no secret, and nothing is sent to create it.
  const auto who = client.describe_auth();
  if (who.problem) return example::fail(*who.problem);
  std::cout << "Calls go to " << who.base_url << ", authenticated by: " << who.method << '\n';
  for (const auto& setting : who.settings) {
    std::cout << "  " << setting.name << " = " << setting.value << "  (" << setting.source << ")\n";
  }

  auto stream = client.chat.stream({
      .model = arguments.model,
      .messages = {chat::user(arguments.words.empty() ? "What is a tide?" : arguments.words.front())},
      .max_tokens = 60,
  });
  for (const auto& chunk : stream) {
    if (!chunk) return example::fail(chunk.error());
    std::cout << chunk->text() << std::flush;
  }
  std::cout << "\nrequest " << stream.info().request_id << ", attempts: " << stream.info().attempts << '\n';
}
