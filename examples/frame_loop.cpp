// A loop that must not wait, such as a game's: several speakers talk at once, and each frame takes the words
// that are there. One of them is interrupted: destroying a stream cancels it.
//
// Prints what each speaker has said, and to stderr how many frames there were.
#include "example.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace inferwire;
using namespace std::chrono_literals;

namespace {

struct Speaker {
  AsyncStream<chat::Chunk> stream;
  std::string said{};
  bool speaking{true};
  bool broken{false};

  /// Takes what is there, without waiting.
  void update() {
    while (speaking && stream.wait_for(0s)) {
      const auto* chunk = stream.get();
      speaking = chunk != nullptr && *chunk;
      if (speaking) said += (*chunk)->text();
      broken = chunk != nullptr && !*chunk;
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "frame_loop", "inferwire-toy");
  const Client client(example::options(arguments));

  std::vector<Speaker> speakers;
  for (const char* question : {"Tell me about rivers.", "How is bread made?", "Why is the sky blue?"}) {
    speakers.push_back({client.chat.open(
        {.model = arguments.model, .messages = {chat::user(question)}, .max_tokens = 24, .seed = 7})});
  }

  int frames = 0;
  for (bool anybody = true; anybody; ++frames) {
    if (frames == 1) speakers.pop_back();  // as when the player walks away
    anybody = false;
    for (auto& speaker : speakers) {
      speaker.update();
      anybody = anybody || speaker.speaking;
    }
    std::this_thread::sleep_for(16ms);  // a game draws here
  }

  bool broken = false;
  for (const auto& speaker : speakers) {
    std::cout << speaker.said << '\n';
    broken = broken || speaker.broken;
  }
  std::cerr << frames << " frames\n";
  return broken ? 1 : 0;
}
