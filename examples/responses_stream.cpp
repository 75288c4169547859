// Reads the events of a Responses stream: items begin, grow and end, reasoning as well as messages.
//
//     responses_stream "Tell me about rivers."
//     OPENAI_API_KEY=... responses_stream --base-url https://api.openai.com/v1 --model gpt-6-luna
//
// Prints each item on a line of its own, piece by piece as it arrives, then how the response ended and what
// it cost in tokens.
#include "example.hpp"

namespace responses = inferwire::responses;

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "responses_stream [question]", "inferwire-toy");
  const inferwire::Client client(example::options(arguments));
  const auto& words = arguments.words;

  auto stream = client.responses.stream({.model = arguments.model,
                                         .input = words.empty() ? "Tell me about rivers." : words[0],
                                         .max_output_tokens = 60});
  // collect() returns the same response as a call without streaming.
  const auto whole = stream.collect([](const responses::Event& event) {
    if (const auto* added = event.get_if<responses::OutputItemAdded>()) {
      if (std::holds_alternative<responses::Message>(added->item)) std::cout << "message: ";
      if (std::holds_alternative<responses::Reasoning>(added->item)) std::cout << "reasoning: ";
    } else if (const auto* text = event.get_if<responses::TextDelta>()) {
      std::cout << text->delta << std::flush;
    } else if (const auto* thought = event.get_if<responses::ReasoningTextDelta>()) {
      std::cout << thought->delta << std::flush;  // from open models; others send ReasoningSummaryTextDelta
    } else if (event.get_if<responses::OutputItemDone>()) {
      std::cout << '\n';
    }
  });
  if (whole.error) return example::fail(*whole.error);

  const auto& response = whole.response;
  std::cout << (response.status ? response.status->str() : "ended");
  if (response.incomplete_details) std::cout << " (" << response.incomplete_details->reason << ')';
  if (response.usage) std::cout << ", " << response.usage->total().value_or(0) << " tokens";
  std::cout << '\n';
}
