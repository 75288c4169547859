// Functions of the program that the model may call: a schema says what they take, the model says when and
// with what, and what they give goes back until the model answers in words.
//
//     tools "How warm is it in Oslo?"
//     OPENAI_API_KEY=... tools --base-url https://api.openai.com/v1 --model gpt-4o-mini
//
// Prints each call with its arguments and what came of it, then the answer.
#include "example.hpp"

namespace chat = inferwire::chat;
using inferwire::Json;

namespace {

constexpr const char* parameters = R"({
  "type": "object",
  "properties": {"city": {"type": "string", "enum": ["Oslo", "Lima", "Perth"]}},
  "required": ["city"],
  "additionalProperties": false
})";

/// What the tool answers. The arguments are the model's: they are checked, and it is told what is wrong.
std::string run(const chat::ToolCall& call) {
  const auto arguments = call.parsed_arguments();
  if (!arguments) return arguments.error().message();
  const auto city = arguments->find("/city");
  const auto name = city ? city->as_string().value_or("") : "";
  if (name == "Oslo") return "-4";
  if (name == "Lima") return "21";
  return "no thermometer there";
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "tools [question]", "inferwire-toy");
  const inferwire::Client client(example::options(arguments));
  const auto& words = arguments.words;
  chat::Request request{
      .model = arguments.model,
      .messages = {chat::user(words.empty() ? "How warm is it in the city of Oslo?" : words[0])},
      .max_tokens = 100,
      .tools = {{.function =
                     chat::FunctionDefinition{.name = "temperature",
                                              .description = "How warm it is in a city, in degrees Celsius",
                                              .parameters = Json::raw(parameters)}}},
  };

  for (int turn = 0; turn < 5; ++turn) {  // a model may ask for ever
    const auto reply = client.chat.create(request);
    if (!reply) return example::fail(reply.error());
    const chat::Message& message = reply->choices.at(0).message;
    if (message.tool_calls.empty()) {
      std::cout << message.text() << '\n';
      return 0;
    }
    request.messages.push_back(message.as_request());
    for (const auto& call : message.tool_calls) {
      const auto result = run(call);
      if (call.function)
        std::cout << call.function->name << call.function->arguments << " = " << result << '\n';
      request.messages.push_back(chat::tool(call.id, result));
    }
  }
  std::cerr << "no answer after five turns\n";
  return 1;
}
