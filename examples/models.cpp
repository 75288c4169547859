// What a service serves: the endpoints of a Databricks workspace when DATABRICKS_HOST is there, else those of
// the engine inside the program, asked in the same way.
#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/engine_transport.hpp>
#include <inferwire/inferwire.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>

namespace engine = inferwire::engine;
namespace models = inferwire::models;

int main() {
  inferwire::ClientOptions options{.provider = inferwire::Provider::databricks()};
  if (std::getenv("DATABRICKS_HOST") == nullptr) {
    options.transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>());
  }
  const inferwire::Client client(options);

  const auto list = client.models.list();
  if (!list) {
    std::cerr << list.error().message() << '\n';
    return 1;
  }
  for (const auto& model : list->data) {
    if (model.task == models::Task::chat) std::cout << "chats:     ";
    if (model.task == models::Task::completions) std::cout << "completes: ";
    if (model.task == models::Task::embeddings) std::cout << "embeds:    ";
    std::cout << model.request_name() << '\n';
  }
}
