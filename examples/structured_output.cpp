// An answer that is a JSON document: a schema says what it has to hold, and the program reads its members.
//
//     structured_output "The Rhine is 1,230 km long."
//     OPENAI_API_KEY=... structured_output --base-url https://api.openai.com/v1 --model gpt-4o-mini
//
// Prints the document, then what the program took from it.
#include "example.hpp"

namespace chat = inferwire::chat;
using inferwire::Json;

namespace {

// OpenAI's strict schemas want every member required and no others allowed.
constexpr const char* river = R"({
  "type": "object",
  "properties": {
    "name": {"type": "string", "maxLength": 30},
    "km": {"type": "integer", "minimum": 1, "maximum": 7000},
    "ends_in": {"enum": ["sea", "lake", "river"]}
  },
  "required": ["name", "km", "ends_in"],
  "additionalProperties": false
})";

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
      .response_format =
          chat::ResponseFormat{
              .type = "json_schema",
              .json_schema = chat::JsonSchema{.name = "river", .schema = Json::raw(river), .strict = true}},
  });
  if (!reply) return example::fail(reply.error());

  // Three things may stand in the document's place: what came before it was cut, a refusal, nothing.
  if (reply->finish() == chat::Finish::length) {
    std::cerr << "cut at max_tokens\n";
    return 1;
  }
  if (const auto& refusal = reply->choices.at(0).message.refusal) {
    std::cerr << "refused: " << *refusal << '\n';
    return 1;
  }
  const auto document = Json::parse(reply->text());
  if (!document) return example::fail(document.error());

  std::cout << document->text() << '\n';
  const auto name = document->find("/name");
  const auto km = document->find("/km");
  if (!name || !km) return 1;  // a service without `strict` may leave members out
  std::cout << name->as_string().value_or("?") << " is " << km->as_int().value_or(0) << " km long\n";
}
