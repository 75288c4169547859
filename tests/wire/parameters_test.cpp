// The tables of the five documents: each documented parameter has its own member, so that none needs `extra`.
// The test examines the codec's tables, which are used for sending and reading.
#include "inferwire/chat.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/responses.hpp"
#include "json/type.hpp"
#include "support/catch.hpp"
#include "support/fixtures.hpp"
#include "wire/documents.hpp"

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace inferwire;

namespace {

const json::Type* document(std::string_view name) {
  if (name == "chat.Request") return &json::describe<chat::Request>();
  if (name == "chat.Response") return &json::describe<chat::Response>();
  if (name == "chat.Chunk") return &json::describe<chat::Chunk>();
  if (name == "completions.Request") return &json::describe<completions::Request>();
  if (name == "completions.Response") return &json::describe<completions::Response>();
  if (name == "embeddings.Request") return &json::describe<embeddings::Request>();
  if (name == "embeddings.Response") return &json::describe<embeddings::Response>();
  if (name == "responses.Request") return &json::describe<responses::Request>();
  if (name == "responses.Response") return &json::describe<responses::Response>();
  return nullptr;
}

/// Whether a value of this type can have the member named by `path`: "", "name...", "[]...", "(tag)...".
bool has(const json::Type& type, std::string_view path) {
  if (path.empty()) return true;
  if (type.kind == json::Kind::optional) return has(*type.inner, path);
  if (type.alternatives != nullptr) {
    std::string_view tag;
    if (path.front() == '(') {
      const auto end = path.find(')');
      tag = path.substr(1, end - 1);
      path.remove_prefix(end + 1);
    }
    const json::Union& choices = *type.alternatives;
    if (!tag.empty()) {
      const auto found = choices.index.find(tag, choices.tags);
      return found != json::Index::nothing &&
             has(*choices.alternatives[choices.tags[found].alternative].type, path);
    }
    for (unsigned i = 0; i < choices.count; ++i) {
      if (has(*choices.alternatives[i].type, path)) return true;
    }
    return false;
  }
  if (path.front() == '.') path.remove_prefix(1);
  if (path.starts_with("[]")) {
    return type.kind == json::Kind::array && has(*type.inner, path.substr(2));
  }
  if (type.kind != json::Kind::object) return false;
  const auto end = path.find_first_of(".[(");
  const auto name = path.substr(0, end);
  const auto rest = end == path.npos ? std::string_view() : path.substr(end);
  if (name == "type" && !type.object->tag.empty()) return rest.empty();
  for (unsigned i = 0; i < type.object->count; ++i) {
    const auto& entry = type.object->entries[i];
    if (entry.name.view() == name) return has(*entry.type, rest);
  }
  return false;
}

}  // namespace

TEST_CASE("every parameter of parameters.tsv is a typed member") {
  std::istringstream file(inferwire_test::fixture("documents/parameters.tsv"));
  std::size_t parameters = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> columns;
    std::istringstream fields(line);
    for (std::string column; std::getline(fields, column, '\t');) columns.push_back(column);
    INFO(line);
    REQUIRE(columns.size() == 5);
    const auto* type = document(columns[3]);
    REQUIRE(type != nullptr);
    CHECK(has(*type, columns[4]));
    ++parameters;
  }
  CHECK(parameters > 300);
}

TEST_CASE("unknown parameters have no member") {
  CHECK_FALSE(has(json::describe<chat::Request>(), "colour"));
  CHECK_FALSE(has(json::describe<chat::Request>(), "messages[].colour"));
  CHECK_FALSE(has(json::describe<chat::Request>(), "messages[].content[](novelty).type"));
  CHECK_FALSE(has(json::describe<chat::Request>(), "model.name"));
}
