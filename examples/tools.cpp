// Lets the model call functions of the program. A struct describes the parameters of a function, the model
// decides when to call it and with which arguments, and results are sent back until the model answers in
// text.
//
//     tools "How warm is it in Oslo?"
//     tools --base-url http://localhost:11434/v1 --model llama3.2
//
// Prints each call with its arguments and its result, then the answer.
#include "example.hpp"

#include <inferwire/tools.hpp>

namespace chat = inferwire::chat;
using inferwire::ToolLoopState;

namespace {

enum class City { Oslo, Lima, Perth };
INFERWIRE_DESCRIBE_WORDS(City, Oslo, Lima, Perth)

struct Place {
  City city{};
};
INFERWIRE_DESCRIBE(Place, city)

inferwire::Result<int> temperature(const Place& place) {
  if (place.city == City::Oslo) return -4;
  if (place.city == City::Lima) return 21;
  return inferwire::Error{.kind = inferwire::ErrorKind::tool, .detail = "no thermometer there"};
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "tools [question]", "inferwire-toy");
  const inferwire::Client client(example::options(arguments));
  const auto& words = arguments.words;

  inferwire::Toolbox tools;
  tools.add<Place>("temperature", "How warm it is in a city, in degrees Celsius", &temperature);
  chat::ToolLoop loop(
      {
          .model = arguments.model,
          .messages = {chat::user(words.empty() ? "How warm is it in the city of Oslo?" : words[0])},
          .max_tokens = 100,
      },
      tools, 5);
  // `loop.run(client)` would do all of this.
  while (loop.state() == ToolLoopState::asking) {
    loop.take(client.chat.create(loop.request()));
    for (const auto& call : loop.calls()) {
      std::cout << call.name << call.arguments << " = " << call.result << '\n';
    }
  }
  if (loop.error()) return example::fail(*loop.error());  // also if the model was asked five times
  std::cout << loop.response().text() << '\n';
}
