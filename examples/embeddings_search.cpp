// Finds the texts of a folder that are nearest to a question, with BGE on Databricks: its authors want an
// instruction before the question, and none before the passages. Without DATABRICKS_HOST the embedded engine
// stands in.
//
//     embeddings_search examples/texts "Where does the river rise?"
//
// Prints the three nearest files, each with the cosine of the angle between its row and that of the question.
#include "example.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

namespace {

struct Passage {
  std::string name{};
  float nearness{};
};

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  using namespace inferwire;
  const auto arguments =
      example::read(argc, argv, "embeddings_search <folder> <question>", "databricks-bge-large-en");
  if (arguments.words.size() != 2) return std::cerr << "a folder and a question are needed\n", 2;
  auto options = std::getenv("DATABRICKS_HOST") != nullptr ? ClientOptions{} : example::options(arguments);
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

  const auto rows = client.embeddings.create({.model = arguments.model, .input = texts});
  if (!rows) return example::fail(rows.error());
  const auto asked =
      client.embeddings.create({.model = arguments.model,
                                .input = arguments.words[1],
                                .instruction = "Represent this sentence for searching relevant passages:"});
  if (!asked) return example::fail(asked.error());

  // Rows are of length 1, so their inner product is the cosine of the angle between them.
  const auto& question = asked->data.at(0).embedding;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const auto& row = rows->data.at(i).embedding;
    passages[i].nearness = std::inner_product(row.begin(), row.end(), question.begin(), 0.0F);
  }
  std::sort(passages.begin(), passages.end(),
            [](const Passage& a, const Passage& b) { return a.nearness > b.nearness; });
  passages.resize(std::min<std::size_t>(3, passages.size()));
  for (const auto& [name, nearness] : passages) std::cout << nearness << "  " << name << '\n';
}
