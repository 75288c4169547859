// The reference engine inside the program: tests and offline work need neither a key nor a network. The
// client exchanges the same data with it as with a real service, only without sockets.
//
// Prints the engine's models, an answer, and whether a second engine gives the same one. With --base-url the
// second answer comes from there: `inferwire serve --seed 7` gives the same text.
#include "example.hpp"

using namespace inferwire;

int main(int argc, char** argv) {
  const auto arguments =
      example::read(argc, argv, "embedded_engine", "databricks-meta-llama-3-3-70b-instruct");
  // An engine with a seed always answers the same question with the same text.
  auto engine = std::make_shared<engine::Engine>(engine::EngineOptions{.seed = 7});
  std::cout << "This engine serves:\n";
  for (const auto& name : engine->endpoint_names()) std::cout << "  " << name << '\n';

  ClientOptions options{
      .provider = Provider::databricks(),
      .base_url = "http://localhost",
      .credential = Credential::none(),
      .transport = std::make_shared<engine::EngineTransport>(engine),
  };
  const Client client(options);
  if (!arguments.base_url.empty()) {
    options.base_url = arguments.base_url;
    options.transport = nullptr;  // over the network
  }
  const Client other(options);

  const chat::Request request{
      .model = arguments.model,
      .messages = {chat::user("What is a tide?")},
      .max_tokens = 40,
  };
  const auto first = client.chat.create(request);
  const auto second = other.chat.create(request);
  if (!first || !second) {
    std::cerr << (first ? second : first).error().message() << '\n';
    return 1;
  }
  std::cout << '\n' << first->text() << '\n';
  std::cout << (first->text() == second->text() ? "\nThe second answer is the same.\n"
                                                : "\nThe second answer differs.\n");
}
