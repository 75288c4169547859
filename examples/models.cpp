// Lists the models of a service: the endpoints of a Databricks workspace if DATABRICKS_HOST is set, else
// those of the embedded engine, requested in the same way.
//
// Prints a line for each endpoint: what it does, if the service says so, and the name that requests use.
#include "example.hpp"

namespace models = inferwire::models;

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "models", "nothing");
  const bool workspace = arguments.base_url.empty() && std::getenv("DATABRICKS_HOST");
  auto options = workspace ? inferwire::ClientOptions{} : example::options(arguments);
  options.provider = inferwire::Provider::databricks();
  if (options.transport) options.base_url = "http://localhost";
  const inferwire::Client client(options);

  const auto list = client.models.list();
  if (!list) return example::fail(list.error());
  for (const auto& model : list->data) {
    if (model.task == models::Task::chat) std::cout << "chats:     ";
    if (model.task == models::Task::completions) std::cout << "completes: ";
    if (model.task == models::Task::embeddings) std::cout << "embeds:    ";
    std::cout << model.request_name() << '\n';
  }
}
