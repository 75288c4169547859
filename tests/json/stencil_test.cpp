// A decoder that reads only the new parts of similar documents must give the same results as any other
// decoder.
#include "json/stencil.hpp"

#include "json/codec.hpp"
#include "support/catch.hpp"
#include "support/sanitized.hpp"
#include "wire/documents.hpp"
#include "wire/vectors.hpp"

#include <random>

namespace {

using namespace inferwire;

/// The documents of every recorded stream, in order.
const std::vector<std::vector<std::string>>& streams() {
  static const auto out = [] {
    std::vector<std::vector<std::string>> all;
    for (const auto& vector : inferwire_test::wire_index().at("vectors")) {
      if (vector.at("mode") == "sse")
        all.push_back(inferwire_test::stream_data(inferwire_test::wire_file(vector)));
    }
    return all;
  }();
  return out;
}

std::string padded(std::string_view text) { return std::string(text) + std::string(json::padding, '"'); }

/// Decodes documents one after the other over one value, and each also over a new value; both must agree.
template <class T>
struct Twin {
  void decode(const std::string& text) {
    INFO(text);
    const auto block = padded(text);
    const std::string_view document(block.data(), text.size());
    Error error;
    Error plain_error;
    T alone{};
    const bool decoded = alike.decode(document, value, json::Reading::tolerant, error);
    REQUIRE(decoded == plain.decode(document, alone, json::Reading::tolerant, plain_error));
    REQUIRE(error.detail == plain_error.detail);
    REQUIRE(error.path == plain_error.path);
    if (decoded) REQUIRE(value == alone);
  }

  json::Decoder alike{json::Series::alike};
  json::Decoder plain{};
  T value{};
};

struct Twins {
  void decode(const std::string& text) {
    chat.decode(text);
    completions.decode(text);
    responses.decode(text);
  }
  Twin<chat::Chunk> chat{};
  Twin<completions::Chunk> completions{};
  Twin<responses::Event> responses{};
};

/// Changes `text`: replaces the inside of a string or a number, or makes any change at all.
std::string changed(std::string text, std::mt19937& random) {
  constexpr std::string_view pieces[] = {
      "",     "a",    "hello",        "\\n", "\\u00fc", "\\x",  "\xC3\xBC",
      "\"",   "7",    "-3",           "007", "1e2",     "2.5",  "12345678901234567890",
      "\x01", "null", "\xED\xA0\x80", ",",   "}",       "type", "response.completed"};
  const auto piece = pieces[random() % std::size(pieces)];
  std::vector<std::size_t> marks;
  const auto mark = random() % 2 == 0 ? '"' : ':';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == mark) marks.push_back(i + 1);
  }
  if (marks.empty()) return text;
  const auto begin = marks[random() % marks.size()];
  auto end = begin;
  while (end < text.size() && text[end] != '"' && text[end] != ',' && text[end] != '}') ++end;
  switch (random() % 4) {
    case 0: return text.insert(begin, piece);
    case 1: return text.insert(begin - 1, text.substr(begin - 1, random() % 30));
    default: return text.replace(begin, end - begin, piece);
  }
}

TEST_CASE("decoding with a stencil gives the same for the chunks of recorded streams") {
  for (const auto& stream : streams()) {
    Twins twins;
    for (const auto& text : stream) twins.decode(text);
  }
}

TEST_CASE("decoding with a stencil gives the same for mutated documents") {
  std::mt19937 random(7);
  Twins twins;
  constexpr int rounds = inferwire_test::sanitized ? 2'000 : 20'000;
  for (int round = 0; round < rounds; ++round) {
    const auto& stream = streams()[random() % streams().size()];
    if (stream.empty()) continue;
    auto text = stream[random() % stream.size()];
    if (text.size() > 3000) continue;
    twins.decode(text);
    for (auto times = 1 + random() % 4; times > 0; --times) {
      text = changed(std::move(text), random);
      twins.decode(text);
    }
  }
}

TEST_CASE("a stencil does not fill in values that were or become empty") {
  Twin<chat::Chunk> twin;
  for (const auto* id : {"", "a", "b", "", "c", "\\u0041", ""}) {
    twin.decode(std::string(R"({"id":")") + id + R"(","object":"chat.completion.chunk","choices":[]})");
  }
}

TEST_CASE("a stencil takes the last of two members of a name") {
  Twin<chat::Chunk> twin;
  for (const auto* rest : {R"(","model":"m","id":"last"})", R"(","id":null})", R"(","id":7})"}) {
    for (const auto* id : {"one", "two", "three"}) twin.decode(std::string(R"({"id":")") + id + rest);
  }
  for (const auto* id : {"one", "two", "three"}) {
    twin.decode(std::string(R"({"id":"first","model":"m","id":")") + id + R"("})");
  }
}

TEST_CASE("a document that is too long for a stencil leaves none behind") {
  Twin<chat::Chunk> twin;
  const auto document = [](const std::string& id) { return R"({"id":")" + id + R"(","choices":[]})"; };
  for (const auto& id : {std::string("a"), std::string(json::Stencil::most_bytes, 'b'), std::string("a")})
    twin.decode(document(id));
}

TEST_CASE("a stencil finds the members of a list that grew") {
  Twin<chat::Chunk> twin;
  std::string choices;
  for (int i = 0; i < 9; ++i) {
    choices += std::string(i == 0 ? "" : ",") + R"({"index":)" + std::to_string(i) +
               R"(,"delta":{"content":"at )" + std::to_string(i) + R"("}})";
    for (const auto* id : {"a", "bc", "def"}) {
      auto text = std::string(R"({"id":")") + id + R"(","choices":[)" + choices + "]}";
      twin.decode(text);
      twin.decode(text.replace(text.find("at "), 2, id));
    }
  }
}

TEST_CASE("a stencil finds the members of an extra that grew") {
  Twin<chat::Chunk> twin;
  for (const auto* text : {"a", "b"}) {
    twin.decode(std::string(R"({"choices":[],"one":")") + text + R"(","two":")" + text + R"("})");
  }
}

TEST_CASE("a stencil does not fill in a text where a number stood for one") {
  Twin<chat::Chunk> twin;
  for (const auto* content : {"123", "\"text\"", "456"}) {
    twin.decode(std::string(R"({"choices":[{"index":0,"delta":{"content":)") + content + "}}]}");
  }
}

TEST_CASE("a stencil does not fill in the type of an event") {
  Twin<responses::Event> twin;
  for (const auto* type : {"response.output_text.delta", "response.refusal.delta", "response.in_progress",
                           "response.completed", "response.web_search_call.searching", "what.is.this"}) {
    for (const auto* order : {"first", "last"}) {
      const auto tag = std::string(R"("type": ")") + type + '"';
      const auto rest =
          std::string(R"("item_id":"i","delta":"d","response":{"id":"r","status":"completed"})");
      const bool first = std::string_view(order) == "first";
      twin.decode('{' + (first ? tag + ',' + rest : rest + ',' + tag) + '}');
    }
  }
}

TEST_CASE("Stencil::fill takes a document that differs in its holes only") {
  json::Stencil stencil;
  const std::string text = R"({"a":"one","b":12,"c":true})";
  std::string a;
  std::int64_t b = 0;
  const std::string_view view = text;
  stencil.begin(view);
  stencil.string(view.substr(6, 3), a);
  stencil.integer(view.substr(15, 2), b);

  REQUIRE(stencil.fill(R"({"a":"another","b":12,"c":true})"));
  CHECK(a == "another");
  REQUIRE(stencil.fill(R"({"a":"a \"third\"","b":-7,"c":true})"));
  CHECK(a == "a \"third\"");
  CHECK(b == -7);
  REQUIRE(stencil.fill(R"({"a":"one","b":12,"c":true})"));
  CHECK(a == "one");
  CHECK(b == 12);

  for (const auto* other :
       {R"({"a":"one","b":12,"c":false})", R"({"a":"","b":12,"c":true})", R"({"a":null,"b":12,"c":true})",
        R"({"a":"one","b":1.2,"c":true})", R"({"a":"one","b":012,"c":true})",
        R"({"a":"one","b":12,"c":true}})", R"({"a":"one","b":12,"c":true)", R"({"a":"one)", "",
        R"({"a":"one\q","b":12,"c":true})", "{\"a\":\"one\n\",\"b\":12,\"c\":true}",
        "{\"a\":\"\xFF\",\"b\":12,\"c\":true}", R"({"a":"one","b":1234567890123456789,"c":true})",
        R"({"z":"one","b":12,"c":true})"}) {
    INFO(other);
    CHECK_FALSE(stencil.fill(other));
  }
  stencil.spoil();
  CHECK_FALSE(stencil.fill(text));
}

TEST_CASE("Stencil::fill refuses documents longer than most_bytes") {
  json::Stencil stencil;
  stencil.begin(std::string(json::Stencil::most_bytes + 1, ' '));
  CHECK_FALSE(stencil.fill(std::string(json::Stencil::most_bytes + 1, ' ')));
}

}  // namespace
