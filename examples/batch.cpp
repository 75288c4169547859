// Embeds a file of texts, a few requests at a time. A checkpoint records finished results: kill the program
// and start it again, and it resumes where it was.
//
//     batch texts.txt rows.checkpoint          # one text per line
//
// Prints its progress, and at the end how many rows there are.
#include "example.hpp"

#include <inferwire/batch.hpp>

namespace embeddings = inferwire::embeddings;

namespace {

class Teller final : public inferwire::BatchObserver {
 public:
  void on_progress(const inferwire::BatchProgress& progress) override {
    std::cerr << progress.done << " of " << progress.inputs << ", " << progress.in_flight
              << " requests under way\n";
  }
};

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "batch [file of texts [checkpoint]]", "inferwire-embed");
  std::vector<std::string> texts{"a river",    "a stream", "a tax return",
                                 "a mountain", "a hill",   "a loaf of bread"};
  if (!arguments.words.empty()) texts = example::lines_of(arguments.words[0]);
  const inferwire::Client client(example::options(arguments));

  Teller teller;
  inferwire::BatchOptions options{.max_in_flight = 4, .observer = &teller};
  if (arguments.words.size() > 1) options.checkpoint = arguments.words[1];
  if (texts.size() < 100) options.max_request_inputs = 2;  // the provider would take them all at once
  const auto rows = embeddings::create_all(client, texts, {.model = arguments.model}, options);

  for (const auto& failure : rows.failures) {
    std::cerr << "texts " << failure.first << " to " << failure.first + failure.count - 1 << ": "
              << failure.error.message() << '\n';
  }
  std::cout << rows.inputs << " texts, " << rows.dimensions << " numbers each, "
            << rows.usage.total().value_or(0) << " tokens\n";
  return rows.failures.empty() ? 0 : 1;
}
