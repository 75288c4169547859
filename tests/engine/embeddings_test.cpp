// The engine's embeddings and its lists of models and endpoints, over HTTP.
#include "base/little_endian.hpp"
#include "inferwire/engine/embedding_model.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/language_model.hpp"
#include "shared_engine.hpp"
#include "support/ask.hpp"
#include "support/base64.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

namespace {

const std::string bge = "/serving-endpoints/databricks-bge-large-en/invocations";
const std::string openai = "/v1/embeddings";

Answered embed(const json& body, const std::string& path = openai) {
  return ask(shared_engine(), path, body.dump());
}
json answered(const json& body, const std::string& path = openai) { return good(embed(body, path)); }
json toy(const json& members) {
  json body = {{"model", "inferwire-embed"}};
  body.update(members);
  return body;
}
std::string refusal(const json& body, const std::string& path = openai) {
  const auto answer = embed(body, path);
  CHECK(answer.head.status == 400);
  return answer.body;
}
std::vector<float> row_of(const json& response, std::size_t index = 0) {
  return response["data"][index]["embedding"];
}
/// The row of an answer in base64.
std::vector<float> packed_row_of(const json& response) {
  const auto bytes = from_base64(response["data"][0]["embedding"].get<std::string>());
  REQUIRE(bytes.size() % sizeof(float) == 0);
  std::vector<float> row(bytes.size() / sizeof(float));
  std::memcpy(row.data(), bytes.data(), bytes.size());
  read_little_endian(row);
  return row;
}
json get(const std::string& path) {
  return good(ask(shared_engine(), HttpRequest{.method = "GET", .url = "http://engine" + path}));
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

std::vector<float> vector_of(std::string_view text, std::string_view instruction = "",
                             std::size_t dimensions = 1024) {
  std::vector<float> out(dimensions);
  engine::toy_embedding_model()->embed(text, instruction, out);
  return out;
}

}  // namespace

TEST_CASE("embeddings of paraphrases are nearer than those of other texts") {
  const std::pair<const char*, const char*> paraphrases[] = {
      {"the cat sat on the mat", "a cat is sitting on a mat"},
      {"How do I reset my password?", "I forgot my password and need to reset it"},
      {"The weather in Paris is sunny today", "It is a sunny day in Paris"},
      {"install the package with vcpkg", "installing packages using vcpkg"},
      {"stream tokens as they are generated", "token streaming while generating"},
      {"retry the request after a timeout", "requests are retried when they time out"},
      {"embedding vectors for semantic search", "searching with vector embeddings"}};
  const char* strangers[] = {"Bananas are rich in potassium",     "The treaty was signed in 1648",
                             "He plays the violin every evening", "Turn left at the second traffic light",
                             "She painted the fence green",       "Chess openings for beginners",
                             "Our flight was delayed by fog",     "A short history of the printing press"};
  double nearest_stranger = -1;
  for (const auto* a : strangers) {
    for (const auto* b : strangers) {
      if (a != b) nearest_stranger = std::max(nearest_stranger, cosine(vector_of(a), vector_of(b)));
    }
  }
  CHECK(nearest_stranger < 0.2);
  for (const auto& [a, b] : paraphrases) {
    INFO(a << " | " << b);
    CHECK(cosine(vector_of(a), vector_of(b)) > nearest_stranger);
    CHECK(cosine(vector_of(a, "", 256), vector_of(b, "", 256)) > 0.1);
  }
}

TEST_CASE("a vector has length 1 and is the same for the same text") {
  for (const auto* text : {"", " ", "a", "Hello", "gr\xC3\xBC\xC3\x9F dich", "\xFF\xFE", "12 34"}) {
    for (const std::size_t dimensions : {1U, 3U, 64U, 1024U}) {
      const auto row = vector_of(text, "", dimensions);
      CHECK(std::abs(cosine(row, row) - 1) < 1e-5);
      CHECK(row == vector_of(text, "", dimensions));
    }
  }
  CHECK(vector_of("Hello") == vector_of("hello!"));
  CHECK(vector_of("")[0] == 1.0F);
}

TEST_CASE("an instruction shifts a vector without drowning it") {
  const std::string instruction = "Represent this sentence for searching relevant passages:";
  const auto plain = vector_of("semantic search over documents");
  const auto shifted = vector_of("semantic search over documents", instruction);
  CHECK(shifted != plain);
  CHECK(cosine(plain, shifted) > 0.95);
  const auto near = vector_of("searching documents semantically"), far = vector_of("Bananas are yellow");
  CHECK(cosine(shifted, near) > cosine(shifted, far) + 0.2);
}

TEST_CASE("an embedding answer has everything that the documents name") {
  const auto response = answered({{"input", "Let us generate an embedding!"}}, bge);
  CHECK_FALSE(response["id"].get<std::string>().empty());
  CHECK(response["object"] == "list");
  CHECK(response["model"] == "bge-large-en-v1.5");
  REQUIRE(response["data"].size() == 1);
  CHECK(response["data"][0]["object"] == "embedding");
  CHECK(response["data"][0]["index"] == 0);
  CHECK(row_of(response) == vector_of("Let us generate an embedding!"));
  const auto tokens = engine::toy_model()->tokenize("Let us generate an embedding!", false).size();
  CHECK(response["usage"] == json{{"prompt_tokens", tokens}, {"total_tokens", tokens}});
}

TEST_CASE("the documents' example of an embedding works as it is") {
  const auto answer =
      ask(shared_engine(), HttpRequest{.url = "http://engine" + bge,
                                       .headers = {{"Content-Type", "application/json"},
                                                   {"Authorization", "Basic dG9rZW46ZGFwaQ=="}},
                                       .body = R"({ "input": "Let us generate an embedding!"})"});
  CHECK(answer.head.status == 200);
  CHECK(row_of(json::parse(answer.body)).size() == 1024);
}

TEST_CASE("several inputs are embedded in order, and their tokens added up") {
  const auto both = answered(toy({{"input", {"one stone", "two rivers"}}}));
  REQUIRE(both["data"].size() == 2);
  CHECK(both["data"][1]["index"] == 1);
  CHECK(row_of(both, 0) == vector_of("one stone"));
  CHECK(row_of(both, 1) == vector_of("two rivers"));
  const auto count = [](const char* text) {
    return answered(toy({{"input", text}}))["usage"]["prompt_tokens"].get<int>();
  };
  CHECK(both["usage"]["prompt_tokens"] == count("one stone") + count("two rivers"));
}

TEST_CASE("an input to embed may be token numbers") {
  const auto tokens = engine::toy_model()->tokenize("one stone", false);
  const auto response = answered(toy({{"input", tokens}}));
  CHECK(row_of(response) == vector_of("one stone"));
  CHECK(response["usage"]["prompt_tokens"] == tokens.size());
  CHECK(answered(toy({{"input", {tokens, tokens}}}))["data"].size() == 2);
  CHECK_THAT(refusal(toy({{"input", {0, 1'000'000}}})), contains("input[1]"));
}

TEST_CASE("base64 holds the floats that the numbers say") {
  const auto numbers = answered(toy({{"input", "one stone"}, {"dimensions", 7}}));
  const auto packed =
      answered(toy({{"input", "one stone"}, {"dimensions", 7}, {"encoding_format", "base64"}}));
  CHECK(packed_row_of(packed) == row_of(numbers));
}

TEST_CASE("dimensions choose the length of the rows, up to the model's") {
  CHECK(row_of(answered(toy({{"input", "a"}, {"dimensions", 3}}))).size() == 3);
  CHECK(row_of(answered(toy({{"input", "a"}}))).size() == 1024);
  CHECK_THAT(refusal(toy({{"input", "a"}, {"dimensions", 1025}})), contains("'dimensions'"));
  CHECK_THAT(refusal(toy({{"input", "a"}, {"dimensions", 0}})), contains("'dimensions'"));
}

TEST_CASE("`instruction` of Databricks is counted with every text") {
  const auto count = [](json body) { return answered(body, bge)["usage"]["prompt_tokens"].get<int>(); };
  const int plain = count({{"input", {"a", "b"}}});
  const int instruction = static_cast<int>(engine::toy_model()->tokenize("Find:", false).size());
  CHECK(count({{"input", {"a", "b"}}, {"instruction", "Find:"}}) == plain + 2 * instruction);
  CHECK_THAT(refusal({{"input", "a"}, {"instruction", 7}}, bge), contains("'instruction'"));
}

TEST_CASE("Databricks takes encoding_format, and its embeddings have an id") {
  const json asked{{"model", "databricks-bge-large-en"}, {"input", "one stone"}};
  const std::string path = "/serving-endpoints/embeddings";
  const auto with = [&](const char* format) {
    auto body = asked;
    body["encoding_format"] = format;
    return answered(body, path);
  };
  const auto plain = answered(asked, path);
  CHECK(with("float")["data"] == plain["data"]);
  CHECK(packed_row_of(with("base64")) == row_of(plain));
  CHECK(plain.contains("id"));
  CHECK_FALSE(answered(toy({{"input", "one stone"}})).contains("id"));
}

TEST_CASE("an embedding request that breaks a rule is refused with the parameter") {
  for (const auto* members : {R"({})", R"({"input":null})", R"({"input":[]})", R"({"input":""})",
                              R"({"input":["a",""]})", R"({"input":[1,"a"]})", R"({"input":{}})"}) {
    INFO(members);
    CHECK_THAT(refusal(toy(json::parse(members))), contains("input"));
  }
  CHECK_THAT(refusal(toy({{"input", "a"}, {"encoding_format", "hex"}})), contains("'encoding_format'"));
  CHECK_THAT(refusal(toy({{"input", std::vector<std::string>(2049, "a")}})), contains("2048"));
  CHECK_THAT(refusal({{"input", "a"}, {"encoding_format", "hex"}}, bge), contains("'encoding_format'"));
  CHECK_THAT(refusal({{"input", "a"}, {"stream", true}}, bge), contains("stream"));
  std::string longest;
  for (int i = 0; i < 600; ++i) longest += " stone";
  CHECK_THAT(refusal({{"input", longest}}, bge), contains("context length"));
  CHECK_THAT(refusal(toy({{"model", "inferwire-toy"}, {"input", "a"}})), contains("llm/v1/chat"));
}

TEST_CASE("serving endpoints are listed with their task and found by name") {
  const auto list = get("/api/2.0/serving-endpoints");
  std::map<std::string, std::string> tasks;
  for (const auto& endpoint : list["endpoints"]) tasks[endpoint["name"]] = endpoint["task"];
  CHECK(tasks["databricks-bge-large-en"] == "llm/v1/embeddings");
  CHECK(tasks["databricks-mpt-7b-instruct"] == "llm/v1/completions");
  CHECK(tasks["databricks-llama-2-70b-chat"] == "llm/v1/chat");
  CHECK(tasks.size() == shared_engine().endpoint_names().size());
  const auto one = get("/api/2.0/serving-endpoints/pt-completion");
  CHECK(one["name"] == "pt-completion");
  CHECK(one["state"]["ready"] == "READY");
  CHECK(one["creation_timestamp"] == 1'700'000'000'000);
  CHECK(one["config"]["served_entities"][0]["entity_name"] == "pt-completion-1");
  const auto missing =
      ask(shared_engine(), HttpRequest{.method = "GET", .url = "http://e/api/2.0/serving-endpoints/nobody"});
  CHECK(missing.head.status == 404);
  CHECK(json::parse(missing.body)["error_code"] == "RESOURCE_DOES_NOT_EXIST");
}

TEST_CASE("more than 2,048 inputs to embed are refused where no document sets a limit") {
  const std::vector<std::string> many(2049, "a");
  CHECK_THAT(refusal({{"input", many}}, bge), contains("INVALID_PARAMETER_VALUE"));
  CHECK_THAT(refusal({{"inputs", many}}, "/invocations"), contains("Invalid value for 'inputs'"));
}
