// One question, one answer, from a real service.
//
//     OPENAI_API_KEY=... chat "A fun fact about llamas?"
//     DATABRICKS_HOST=https://... DATABRICKS_TOKEN=... chat "A fun fact about llamas?"
#include <inferwire/inferwire.hpp>

#include <cstdlib>
#include <iostream>

namespace chat = inferwire::chat;

namespace {
struct Service {
  inferwire::Provider provider{};
  std::string model{};
};

Service choose() {
  if (std::getenv("DATABRICKS_HOST")) {
    return {inferwire::Provider::databricks(), "databricks-meta-llama-3-3-70b-instruct"};
  }
  return {inferwire::Provider::openai(), "gpt-4o-mini"};
}
}  // namespace

int main(int argc, char** argv) {
  const Service service = choose();
  const inferwire::Client client({.provider = service.provider});

  const auto reply = client.chat.create({
      .model = service.model,
      .messages = {chat::system("Be brief."), chat::user(argc > 1 ? argv[1] : "A fun fact about llamas?")},
      .max_tokens = 128,
      .temperature = 0.7,
  });
  if (!reply) {
    std::cerr << reply.error().message() << '\n';
    return 1;
  }

  std::cout << reply->text() << '\n';
  if (reply->finish() == chat::Finish::length) std::cout << "(cut at max_tokens)\n";
  if (reply->usage) {
    std::cout << reply->usage->prompt().value_or(0) << " tokens asked, "
              << reply->usage->completion().value_or(0) << " answered by " << reply->model << '\n';
  }
}
