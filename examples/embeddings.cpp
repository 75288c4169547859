// Which of a few texts is nearest to a question? Embedded by the engine inside the program, or by OpenAI when
// OPENAI_API_KEY is there.
//
//     embeddings "How do I reset my password?"
#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/engine_transport.hpp>
#include <inferwire/inferwire.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace engine = inferwire::engine;

int main(int argc, char** argv) {
  inferwire::ClientOptions options;
  const bool real = std::getenv("OPENAI_API_KEY") != nullptr;
  if (!real) {
    options.base_url = "http://localhost/v1";
    options.transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>());
  }
  const inferwire::Client client(options);

  // The question comes last.
  std::vector<std::string> texts{"Choose 'forgotten password' to get a new password by mail.",
                                 "Invoices are sent on the first of each month.",
                                 "The office in Cork is closed on Mondays."};
  texts.push_back(argc > 1 ? argv[1] : "How do I reset my password?");

  const auto reply = client.embeddings.create(
      {.model = real ? "text-embedding-3-small" : "inferwire-embed", .input = texts});
  if (!reply) {
    std::cerr << reply.error().message() << '\n';
    return 1;
  }
  // Rows are of length 1, so that the inner product is the cosine of their angle.
  const auto& question = reply->data.back().embedding;
  for (std::size_t i = 0; i + 1 < texts.size(); ++i) {
    const auto& row = reply->data[i].embedding;
    std::cout << std::inner_product(row.begin(), row.end(), question.begin(), 0.0F) << "  " << texts[i]
              << '\n';
  }
}
