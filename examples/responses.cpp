// A conversation by the Responses API: the first answer comes in events, and goes back with the second
// question.
//
//     OPENAI_API_KEY=... responses
//     DATABRICKS_HOST=https://... DATABRICKS_TOKEN=... responses
//     responses                                       # neither: the embedded engine answers
#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/engine_transport.hpp>
#include <inferwire/inferwire.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>

namespace responses = inferwire::responses;

namespace {
struct Service {
  inferwire::ClientOptions options{};
  std::string model{};
};

Service choose() {
  using namespace inferwire;
  if (std::getenv("DATABRICKS_HOST")) return {{.provider = Provider::databricks()}, "databricks-gpt-5"};
  if (std::getenv("OPENAI_API_KEY")) return {{}, "gpt-5-mini"};
  auto transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>());
  return {{.base_url = "http://localhost/v1", .transport = std::move(transport)}, "inferwire-toy"};
}

int report(const inferwire::Error& error) {
  std::cerr << error.message() << '\n';
  return 1;
}
}  // namespace

int main() {
  const Service service = choose();
  const inferwire::Client client(service.options);
  std::vector<responses::Item> conversation{responses::user("Tell me about rivers.")};

  responses::Accumulator first;
  for (const auto& event : client.responses.stream({.model = service.model, .input = conversation})) {
    if (!event) return report(event.error());
    std::cout << event->text() << std::flush;
    first.add(*event);
  }
  std::cout << '\n';

  for (auto& item : first.take(true).to_input_items()) conversation.push_back(std::move(item));
  conversation.push_back(responses::user("And about the sea?"));
  const auto second = client.responses.create(
      {.model = service.model, .input = conversation, .instructions = "Be brief.", .max_output_tokens = 64});
  if (!second) return report(second.error());
  std::cout << second->output_text() << '\n';
  if (second->finish() == inferwire::Finish::length) std::cout << "(cut at max_output_tokens)\n";
}
