// Finds the texts in a folder that are nearest to a question, with BGE on Databricks, which needs an
// instruction before the question, and none before the passages. Without DATABRICKS_HOST the embedded engine
// is used instead.
//
//     embeddings_search examples/texts "Where does the river rise?"
//
// Prints the three nearest files, each with the cosine of the angle between its vector and the question's.
#include "example.hpp"

#include <inferwire/batch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <span>

namespace {

struct Passage {
  std::string name{};
  double nearness{};
};

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The cosine of the angle between two vectors, which need not be of length 1.
double cosine(std::span<const float> a, std::span<const float> b) {
  const auto product = [](auto x, auto y) { return std::inner_product(x.begin(), x.end(), y.begin(), 0.0); };
  return product(a, b) / std::sqrt(product(a, a) * product(b, b));
}

}  // namespace

int main(int argc, char** argv) {
  using namespace inferwire;
  const auto arguments =
      example::read(argc, argv, "embeddings_search <folder> <question>", "databricks-bge-large-en");
  if (arguments.words.size() != 2) return std::cerr << "a folder and a question are needed\n", 2;
  const bool workspace = arguments.base_url.empty() && std::getenv("DATABRICKS_HOST");
  auto options = workspace ? ClientOptions{} : example::options(arguments);
  options.provider = Provider::databricks();
  if (options.transport) options.base_url = "http://localhost";
  const Client client(options);

  std::vector<Passage> passages;
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(arguments.words[0])) {
    if (entry.path().extension() != ".txt") continue;
    passages.push_back({entry.path().filename().string()});
    texts.push_back(content_of(entry.path()));
  }

  // A request may have 150 texts here: create_all sends as many requests as the folder needs.
  const auto rows = embeddings::create_all(client, texts, {.model = arguments.model});
  if (!rows.failures.empty()) return example::fail(rows.failures.front().error);
  const auto asked =
      client.embeddings.create({.model = arguments.model,
                                .input = arguments.words[1],
                                .instruction = "Represent this sentence for searching relevant passages:"});
  if (!asked) return example::fail(asked.error());

  const auto& question = asked->data.at(0).embedding;
  for (std::size_t i = 0; i < passages.size(); ++i) passages[i].nearness = cosine(rows.row(i), question);
  std::sort(passages.begin(), passages.end(),
            [](const Passage& a, const Passage& b) { return a.nearness > b.nearness; });
  passages.resize(std::min<std::size_t>(3, passages.size()));
  for (const auto& [name, nearness] : passages) std::cout << nearness << "  " << name << '\n';
}
