// Texts that go on, several in one request, from the engine inside the program: no network, no key.
//
//     completions "The weather in the" "Bread is"
#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/engine_transport.hpp>
#include <inferwire/inferwire.hpp>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace completions = inferwire::completions;
namespace engine = inferwire::engine;

int main(int argc, char** argv) {
  const inferwire::Client client(
      {.base_url = "http://localhost/v1",
       .credential = inferwire::Credential::none(),
       .transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>())});

  std::vector<std::string> prompts(argv + 1, argv + argc);
  if (prompts.empty()) prompts = {"The weather in the", "Bread is"};
  const completions::Request request{.model = "inferwire-toy", .prompt = prompts, .max_tokens = 24, .n = 2};

  const auto reply = client.completions.create(request);
  if (!reply) {
    std::cerr << reply.error().message() << '\n';
    return 1;
  }
  for (std::size_t i = 0; i < reply->choices.size(); ++i) {
    const auto prompt = static_cast<std::size_t>(reply->prompt_index(request, i));
    std::cout << reply->choice_index(request, i) << ": " << prompts[prompt] << reply->choices[i].text << '\n';
  }
}
