// Reads an answer as it arrives, from the embedded engine at the pace of a real service. Then folds the same
// stream into one answer, and cancels another from a second thread.
//
// Prints the answer as it arrives, the size of the folded one, and how much of the cancelled one had arrived.
#include "example.hpp"

#include <chrono>
#include <thread>

using namespace inferwire;
using namespace std::chrono_literals;

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "chat_stream", "inferwire-toy");
  auto options = example::options(arguments);
  if (options.transport) {
    const engine::EngineOptions pace{.pacing = {.first_token = 100ms, .per_token = 20ms}};
    options.transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>(pace));
  }
  const Client client(options);
  const chat::Request request{
      .model = arguments.model, .messages = {chat::user("Tell me about rivers.")}, .max_tokens = 40};

  for (const auto& chunk : client.chat.stream(request)) {
    if (!chunk) return example::fail(chunk.error());  // an error is always the last element
    std::cout << chunk->text() << std::flush;
  }
  std::cout << "\n\n";

  // collect() returns what the call without streaming returns, or as much as arrived before an error.
  const auto whole = client.chat.stream(request).collect();
  std::cout << "complete: " << std::boolalpha << static_cast<bool>(whole) << ", "
            << whole.response.text().size() << " bytes\n";

  CancelSource source;
  std::thread impatient([&source] {
    std::this_thread::sleep_for(300ms);
    source.cancel();
  });
  const auto partial = client.chat.stream(request, {.cancel = source.token()}).collect();
  impatient.join();
  std::cout << "cancelled: " << (partial.error ? partial.error->message() : "too late") << ", "
            << partial.response.text().size() << " bytes had come\n";
}
