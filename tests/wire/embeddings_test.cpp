// Answers of embedding services: forms, encodings, order.
#include "wire/embeddings.hpp"

#include "base/little_endian.hpp"
#include "json/base64.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstring>
#include <limits>
#include <sstream>

namespace {

using namespace inferwire;
using nlohmann::json;
using Rows = std::vector<std::vector<float>>;

Result<embeddings::Response> read(std::string text) {
  const auto size = text.size();
  text.append(inferwire::json::padding, '1');  // text after the document must be ignored
  embeddings::Response out;
  Error error;
  const std::string_view document(text.data(), size);
  if (!wire::decode_embeddings(inferwire::json::thread_decoder(), document, out, error)) return error;
  return out;
}

Rows rows_of(const embeddings::Response& response) {
  Rows rows;
  for (const auto& item : response.data) rows.push_back(item.embedding);
  return rows;
}

Rows rows_of(const std::string& text) {
  auto response = read(text);
  if (!response) FAIL(response.error().message());
  for (std::size_t i = 0; i < response->data.size(); ++i) {
    CHECK(response->data[i].index == static_cast<std::int64_t>(i));
  }
  return rows_of(*response);
}

std::string base64_of(const std::vector<float>& row) {
  std::string bytes;
  inferwire::append_little_endian(bytes, row);
  std::string out;
  inferwire::json::append_base64(out, bytes);
  return out;
}

std::string item(const std::string& index, const std::string& row) {
  return R"({"object":"embedding","index":)" + index + R"(,"embedding":)" + row + "}";
}
std::string answer(const std::string& data) { return R"({"object":"list","data":)" + data + "}"; }

TEST_CASE("embeddings are read from numbers and base64, in any order and shape") {
  const Rows expected{{0.25F, -0.5F}, {1, 0}};
  const std::string first = base64_of(expected[0]), second = base64_of(expected[1]);
  CHECK(rows_of(answer("[" + item("0", "[0.25,-0.5]") + "," + item("1", "[1,0]") + "]")) == expected);
  CHECK(rows_of(answer("[" + item("1", "[1, 0.0 ]") + " , " + item("0", "[ 25e-2,-0.5]") + "]")) == expected);
  CHECK(rows_of(answer("[" + item("1", '"' + second + '"') + "," + item("0", '"' + first + '"') + "]")) ==
        expected);
  CHECK(rows_of(answer("[" + item("0", '"' + first + '"') + "," + item("1", "[1,0]") + "]")) == expected);
  CHECK(rows_of("[[0.25,-0.5],[1,0]]") == expected);
  CHECK(rows_of(" [ [0.25,-0.5] , [1,0] ] ") == expected);
}

TEST_CASE("a single embedding may be a bare list or a bare object") {
  CHECK(rows_of("[0.25,-0.5]") == Rows{{0.25F, -0.5F}});
  CHECK(rows_of(answer(item("0", "[0.25,-0.5]"))) == Rows{{0.25F, -0.5F}});
  CHECK(rows_of(answer(R"({"embedding":[1]})")) == Rows{{1}});
}

TEST_CASE("an embeddings answer may have no rows, and rows no numbers") {
  CHECK(rows_of(answer("[]")).empty());
  CHECK(rows_of("[]").empty());
  CHECK(rows_of(answer("[" + item("0", "[]") + "]")) == Rows{{}});
  CHECK(rows_of(answer("[" + item("0", "\"\"") + "]")) == Rows{{}});
  const auto document = to_json(read("[[]]").value()).value();
  CHECK(from_json<embeddings::Response>(document) == read("[[]]"));
}

TEST_CASE("an embedding's index that is missing, comes twice or is negative is an error") {
  const std::pair<const char*, const char*> cases[] = {
      {"0 0 1", "0 comes twice"},   {"1 1", "0 is missing"},          {"0 2", "1 is missing"},
      {"1", "0 is missing"},        {"-1", "-1 is that of no input"}, {"2 0 2", "1 is missing"},
      {"0 1 1 2", "1 comes twice"}, {"3 1 0", "2 is missing"},        {"-2 0", "-2 is that of no input"}};
  for (const auto& [indices, problem] : cases) {
    INFO(indices);
    std::string data;
    std::istringstream words(indices);
    for (std::string index; words >> index;) data += (data.empty() ? "" : ",") + item(index, "[1]");
    const auto response = read(answer("[" + data + "]"));
    REQUIRE_FALSE(response);
    CHECK(response.error().kind == ErrorKind::decode);
    CHECK_THAT(response.error().detail, inferwire_test::contains(problem));
  }
}

TEST_CASE("embeddings that all have index 0 or none keep their order") {
  CHECK(rows_of(answer("[" + item("0", "[1]") + "," + item("0", "[2]") + "]")) == Rows{{1}, {2}});
  CHECK(rows_of(answer(R"([{"embedding":[1]},{"embedding":[2]},{"index":null,"embedding":[3]}])")) ==
        Rows{{1}, {2}, {3}});
}

TEST_CASE("an embedding's index may be a number in a string") {
  const auto text = answer("[" + item("\"1\"", "[1]") + "," + item("\"0\"", "[2]") + "]");
  CHECK(rows_of(text) == Rows{{2}, {1}});
  CHECK(inferwire::json::encode(read(text).value()));
  for (const auto* const index : {"\"a\"", "0.5", "true", "[0]"}) {
    const auto response = read(answer("[" + item(index, "[1]") + "]"));
    REQUIRE_FALSE(response);
    CHECK_THAT(response.error().detail, inferwire_test::contains("is no number"));
  }
}

TEST_CASE("a number that an embedding cannot hold is refused as one") {
  for (const std::string number : {"1e999", "-1e999", "1e39"}) {
    CAPTURE(number);
    const auto response = read(answer("[" + item("0", "[1," + number + "]") + "]"));
    REQUIRE_FALSE(response);
    CHECK(response.error().path == "data[0].embedding[1]");
    CHECK_THAT(response.error().detail, inferwire_test::contains("can hold"));
  }
}

TEST_CASE("null in an embedding is refused as no number") {
  for (const std::string row : {"[null]", "[null,1]"}) {
    const auto response = read(answer("[" + item("0", row) + "]"));
    REQUIRE_FALSE(response);
    CHECK(response.error().path == "data[0].embedding[0]");
    CHECK_THAT(response.error().detail, inferwire_test::contains("expected number"));
  }
}

TEST_CASE("an embedding that is no list of floats is refused with its path") {
  const std::pair<const char*, const char*> cases[] = {
      {"null", "data[0].embedding"},         {"7", "data[0].embedding"},
      {"{}", "data[0].embedding"},           {"[1,\"a\"]", "data[0].embedding[1]"},
      {"[null]", "data[0].embedding[0]"},    {"[1,[2]]", "data[0].embedding[1]"},
      {"[1e39]", "data[0].embedding[0]"},    {"[1,2,1e400]", "data[0].embedding[2]"},
      {"\"AAA=\"", "data[0].embedding"},     {"\"AACAPg\"", "data[0].embedding"},
      {"\"AACA*g==\"", "data[0].embedding"}, {"\"AACAPwA=\"", "data[0].embedding"}};
  for (const auto& [row, path] : cases) {
    INFO(row);
    const auto response = read(answer("[" + item("0", row) + "]"));
    REQUIRE_FALSE(response);
    CHECK(response.error().kind == ErrorKind::decode);
    CHECK(response.error().path == path);
    CHECK_THAT(response.error().detail, !inferwire_test::contains(" at byte "));
  }
}

TEST_CASE("an embeddings answer that is cut or followed by something is an error") {
  for (const std::string& text :
       {answer("[" + item("0", "[0.25,-0.5]") + "]"), answer("[" + item("0", "\"AACAPgAAAL8=\"") + "]"),
        std::string("[[1,2],[3,4]]"), std::string("[0.5,-1]")}) {
    for (std::size_t size = 0; size < text.size(); ++size) {
      INFO(text.substr(0, size));
      const auto response = read(text.substr(0, size));
      REQUIRE_FALSE(response);
      CHECK(response.error().kind == ErrorKind::decode);
    }
    for (const auto* rest : {"]", "}", ",", "1", "[]"}) CHECK_FALSE(read(text + rest));
    CHECK(read(text + " \n"));
  }
}

TEST_CASE("every float survives as number and in base64") {
  const std::vector<float> row{0.0F,
                               -0.0F,
                               0.1F,
                               1.0F / 3,
                               -1e-38F,
                               1e-45F,
                               std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::min(),
                               16777217.0F,
                               -2.5e-7F};
  const embeddings::Response response{.object = "list", .data = {{.object = "embedding", .embedding = row}}};
  const auto same_bits = [&row](const std::vector<float>& other) {
    return row.size() == other.size() &&
           std::memcmp(row.data(), other.data(), row.size() * sizeof(float)) == 0;
  };
  CHECK(same_bits(rows_of(*inferwire::json::encode(response)).at(0)));
  CHECK(same_bits(rows_of(answer("[" + item("0", '"' + base64_of(row) + '"') + "]")).at(0)));
  std::string widened = "[";
  for (const float number : row) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.17g", static_cast<double>(number));
    widened += (widened.size() > 1 ? "," : "") + std::string(digits);
  }
  CHECK(same_bits(rows_of(answer("[" + item("0", widened + "]") + "]")).at(0)));
}

TEST_CASE("NaN and infinity are refused in base64") {
  using Limits = std::numeric_limits<float>;
  for (const float none : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    std::vector<float> row(9, Limits::max());
    row[6] = none;
    const auto response = read(answer("[" + item("0", '"' + base64_of(row) + '"') + "]"));
    REQUIRE_FALSE(response);
    CHECK(response.error().kind == ErrorKind::decode);
    CHECK(response.error().path == "data[0].embedding[6]");
  }
}

TEST_CASE("a slash in base64 may be escaped") {
  const std::vector<float> row{-1.5F, 3.25F, 1e20F, 7e-12F, -0.75F};
  std::string digits = base64_of({std::vector<float>(6, -std::numeric_limits<float>::max())});
  REQUIRE(digits.find('/') != std::string::npos);
  std::string escaped;
  for (const char c : digits) escaped += c == '/' ? "\\/" : std::string(1, c);
  CHECK(rows_of(answer("[" + item("0", '"' + escaped + '"') + "]")) ==
        rows_of(answer("[" + item("0", '"' + digits + '"') + "]")));
}

TEST_CASE("an embeddings answer keeps its unknown members") {
  const std::string text =
      R"({"id":"e","object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[0.5],"x":1}],)"
      R"("usage":{"prompt_tokens":4,"total_tokens":4},"y":[1.10]})";
  const auto response = read(text);
  REQUIRE(response);
  CHECK(response->usage->total() == 4);
  CHECK(response->data[0].extra.find("x")->text() == "1");
  CHECK(response->extra.find("y")->text() == "[1.10]");
  CHECK(json::parse(*inferwire::json::encode(*response)) == json::parse(text));
}

TEST_CASE("every member of an embedding request is written under its name") {
  embeddings::Request request{.model = "m",
                              .input = {"a", "b"},
                              .instruction = "Represent this",
                              .dimensions = 64,
                              .encoding_format = embeddings::EncodingFormat::floats,
                              .user = "u",
                              .client_request_id = "c",
                              .usage_context = {{"team", "tide"}}};
  const json wire = json::parse(R"({"model":"m","input":["a","b"],"instruction":"Represent this",
    "dimensions":64,"encoding_format":"float","user":"u","client_request_id":"c",
    "usage_context":{"team":"tide"}})");
  CHECK(json::parse(*inferwire::json::encode(request)) == wire);
  CHECK(inferwire::json::decode<embeddings::Request>(wire.dump()).value() == request);
  CHECK(request.inputs() == 2);
  request.input = std::vector<std::int64_t>{3, 4, 5};
  CHECK(request.inputs() == 1);
  CHECK(json::parse(*inferwire::json::encode(request))["input"] == json{3, 4, 5});
}

TEST_CASE("recorded embeddings give the facts that their vectors state") {
  std::size_t visited = 0;
  for (const json& vector : inferwire_test::wire_index().at("vectors")) {
    if (vector.at("endpoint") != "embeddings" || vector.at("mode") != "json") continue;
    INFO(vector.at("id").get<std::string>());
    const auto response = read(inferwire_test::wire_file(vector));
    REQUIRE(response);
    const auto& expected = vector.at("expect");
    CHECK(response->data.size() == expected.at("vectors").get<std::size_t>());
    const auto& row = response->data.front().embedding;
    CHECK(row.size() == expected.at("dims").get<std::size_t>());
    CHECK(row == expected.at("first").get<std::vector<float>>());
    if (!expected.at("usage").is_null()) CHECK(response->usage->total() == expected["usage"]["total"]);
    ++visited;
  }
  CHECK(visited > 3);
}

}  // namespace
