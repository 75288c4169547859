// Asks one of AI21's Jamba models, with documents to base the answer on. The key comes from AI21_API_KEY.
// Without it the embedded engine answers, which has jamba-1.5-mini and jamba-1.5-large too.
//
//     AI21_API_KEY=... ai21 "When does the ferry leave?"
//
// Prints the answer and its tokens, then why a request that breaks AI21's rules was not sent.
#include "example.hpp"

using namespace inferwire;

namespace {
ClientOptions choose(const example::Arguments& arguments) {
  ClientOptions options{.provider = Provider::ai21()};
  if (!arguments.base_url.empty()) options.base_url = arguments.base_url;
  if (std::getenv("AI21_API_KEY")) return options;
  options.api_key = "any";  // AI21's paths need a key, even when the engine answers
  if (arguments.base_url.empty()) {
    options.base_url = "http://localhost/studio/v1";
    options.transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>());
  }
  return options;
}
}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "ai21 [question]", "jamba-1.5-mini");
  const Client client(choose(arguments));

  const chat::Request request{
      .model = arguments.model,
      .messages = {chat::system("Answer from the documents only."),
                   chat::user(arguments.words.empty() ? "When does the ferry leave?"
                                                      : arguments.words.front())},
      .max_tokens = 60,
      .temperature = 0.4,
      .documents = {{.id = "timetable",
                     .content = "The ferry leaves at nine in the morning and at four in the afternoon.",
                     .metadata = std::vector<chat::KeyValue>{{.key = "season", .value = "winter"}}},
                    {.id = "notice", .content = "No ferry leaves on the first of January."}},
  };
  const auto reply = client.chat.create(request);
  if (!reply) return example::fail(reply.error());
  std::cout << reply->text() << '\n';
  if (reply->usage) std::cout << "(" << reply->usage->total().value_or(0) << " tokens)\n";

  // Preflight::reject makes the client refuse, before sending, what AI21's documentation rules out.
  auto strict = choose(arguments);
  strict.preflight = Preflight::reject;
  auto too_many = request;
  too_many.n = 17;
  const auto refused = Client(strict).chat.create(too_many);
  if (refused) return 1;
  std::cout << "Not sent: " << refused.error().message() << '\n';
}
