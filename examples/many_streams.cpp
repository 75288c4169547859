// Reads many streams on one thread: five hundred answers at once, each as it arrives.
//
// Prints how many streams failed and how many pieces of text arrived, and to stderr how long it took.
#include "example.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

using namespace inferwire;
using namespace std::chrono_literals;

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "many_streams", "inferwire-toy");
  auto options = example::options(arguments);
  if (options.transport) {
    const engine::EngineOptions pace{.pacing = {.first_token = 100ms, .per_token = 10ms}};
    options.transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>(pace));
  }
  const Client client(options);

  constexpr std::size_t count = 500;
  std::size_t tokens = 0;  // only the loop's thread writes these two
  std::size_t failed = 0;
  std::atomic<std::size_t> left{count};
  std::vector<AsyncStream<chat::Chunk>> streams;
  streams.reserve(count);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    streams.push_back(client.chat.open({.model = arguments.model,
                                        .messages = {chat::user("Tell me about rivers.")},
                                        .max_tokens = 16,
                                        .seed = static_cast<std::int64_t>(i)}));
    streams.back().listen([&](const chat::Chunk& chunk) { tokens += chunk.text().empty() ? 0 : 1; },
                          [&](Result<void> outcome) {
                            failed += outcome ? 0 : 1;
                            --left;
                            left.notify_one();
                          });
  }
  for (auto now = left.load(); now != 0; now = left.load()) left.wait(now);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::cout << count << " streams, " << failed << " failed, " << tokens << " pieces of text on one thread\n";
  std::cerr << took.count() << " s\n";
  return failed == 0 ? 0 : 1;
}
