// Gets an answer that is a struct of the program: the struct's description becomes the schema, and the answer
// is read into it.
//
//     structured_output "The Rhine is 1,230 km long."
//     structured_output --base-url http://localhost:11434/v1 --model llama3.2
//
// Prints the document, then what the program took from it.
#include "example.hpp"

#include <inferwire/structured_output.hpp>

namespace chat = inferwire::chat;

namespace {

enum class End { sea, lake, river };
INFERWIRE_DESCRIBE_WORDS(End, sea, lake, river)

struct River {
  std::string name{};
  int km{};
  End ends_in{};
};
INFERWIRE_DESCRIBE(River, (name, "In English"), (km, "Its length", .minimum = 1, .maximum = 7000), ends_in)

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "structured_output [text]", "inferwire-toy");
  const inferwire::Client client(example::options(arguments));
  const auto& words = arguments.words;
  const auto reply = client.chat.create({
      .model = arguments.model,
      .messages = {chat::system("Which river is the text about?"),
                   chat::user(words.empty() ? "The Rhine is 1,230 km long." : words[0])},
      .max_tokens = 200,
      .response_format = chat::format_of<River>(),
  });
  if (!reply) return example::fail(reply.error());

  // An answer that was cut off or filtered, a refusal, and a document that is not a river are errors; the
  // text is in their `body`.
  const auto river = inferwire::parse<River>(*reply);
  if (!river) return example::fail(river.error());
  std::cout << inferwire::to_json(*river).value().text() << '\n';
  std::cout << river->name << " is " << river->km << " km long"
            << (river->ends_in == End::sea ? ", down to the sea\n" : "\n");
}
