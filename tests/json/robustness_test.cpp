// For any input, the decoder and the check must agree on whether it is JSON.
#include "json/codec.hpp"
#include "support/catch.hpp"
#include "support/sanitized.hpp"
#include "wire/documents.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>

namespace {

using namespace inferwire;

/// Documents from real providers.
const std::vector<std::string>& documents() {
  static const std::vector<std::string> out = [] {
    std::vector<std::string> texts;
    for (const auto& vector : inferwire_test::wire_index().at("vectors")) {
      if (vector.at("mode") == "json") {
        auto text = inferwire_test::wire_file(vector);
        if (text.starts_with('{')) texts.push_back(std::move(text));
      }
      if (vector.at("mode") != "sse") continue;
      for (const std::string& data : inferwire_test::stream_data(inferwire_test::wire_file(vector))) {
        if (data.starts_with('{') && data.size() < 2000) texts.push_back(data);
      }
    }
    for (const auto& request : inferwire_test::wire_index().at("requests")) {
      texts.push_back(inferwire_test::wire_file(request));
    }
    return texts;
  }();
  return out;
}

/// Decodes `text` from a block that holds exactly the text and its padding, so that ASan sees a read beyond
/// them.
template <class T>
void decode_and_compare(json::Decoder& decoder, T& out, const std::string& text, json::Reading reading) {
  std::vector<char> block(text.size() + json::padding, '"');
  std::copy(text.begin(), text.end(), block.begin());
  Error error;
  const bool decoded = decoder.decode(std::string_view(block.data(), text.size()), out, reading, error);
  const bool well_formed = json::check(text).has_value();
  if (decoded) {
    REQUIRE(well_formed);
    const auto encoded = json::encode(out);
    REQUIRE(encoded);
    T again{};
    REQUIRE(decoder.decode_copy(*encoded, &again, json::describe<T>(), reading, error));
    REQUIRE(again == out);
  } else {
    REQUIRE(error.kind == ErrorKind::decode);
    const bool says_malformed = error.detail.find(" at byte ") != std::string::npos;
    REQUIRE(says_malformed != well_formed);
  }
}

TEST_CASE("decoding a document cut at any byte is an error") {
  json::Decoder decoder;
  for (const std::string& text : documents()) {
    const std::size_t end = text.find_last_of('}');
    for (std::size_t size = 0; size < end; size += text.size() > 1000 ? 7 : 1) {
      chat::Chunk chunk;
      Error error;
      REQUIRE_FALSE(decoder.decode_copy(text.substr(0, size), &chunk, json::describe<chat::Chunk>(),
                                        json::Reading::tolerant, error));
      REQUIRE(error.detail.find(" at byte ") != std::string::npos);
    }
  }
}

TEST_CASE("json::Decoder and json::check agree on mutated documents, which survive a round trip") {
  std::mt19937 random(42);
  json::Decoder decoder;
  chat::Chunk chunk;
  chat::Response response;
  chat::Request request;
  completions::Request completion;
  constexpr std::string_view tokens[] = {"{",  "}",     "[",        "]",           ",",           ":",
                                         "\"", "\\",    "null",     "true",        "-1",          "1e5",
                                         " ",  "\"a\"", "\"type\"", "\"choices\"", "\"x\":",      "[]",
                                         "{}", "01",    "\\u",      "\xC3",        "\xED\xA0\x80"};
  const auto& texts = documents();
  constexpr int rounds = inferwire_test::sanitized ? 10'000 : 60'000;
  for (int round = 0; round < rounds; ++round) {
    std::string text = texts[random() % texts.size()];
    if (text.size() > 3000) continue;
    for (auto change = 1 + random() % 3; change > 0; --change) {
      const std::size_t place = random() % (text.size() + 1);
      const auto token = tokens[random() % std::size(tokens)];
      switch (random() % 4) {
        case 0: text.insert(place, token); break;
        case 1: text.erase(place, random() % 8); break;
        case 2: text.replace(place, std::min(token.size(), text.size() - place), token); break;
        default: {
          const std::size_t other = random() % (text.size() + 1);
          text.insert(place, text.substr(other, random() % 40));
        }
      }
    }
    INFO(text);
    const auto reading = random() % 2 == 0 ? json::Reading::tolerant : json::Reading::strict;
    decode_and_compare(decoder, chunk, text, reading);
    decode_and_compare(decoder, response, text, reading);
    decode_and_compare(decoder, request, text, reading);
    decode_and_compare(decoder, completion, text, reading);
  }
}

TEST_CASE("strings and names of every length at the end of a document are decoded") {
  json::Decoder decoder;
  for (std::size_t size = 0; size < 80; ++size) {
    const std::string text = "{\"" + std::string(size, 'n') + "\":\"" + std::string(size, 'v') + "\"}";
    std::vector<char> block(text.size() + json::padding, 'x');
    std::copy(text.begin(), text.end(), block.begin());
    chat::Chunk chunk;
    Error error;
    REQUIRE(
        decoder.decode(std::string_view(block.data(), text.size()), chunk, json::Reading::tolerant, error));
    REQUIRE(chunk.extra.begin()->name == std::string(size, 'n'));
    REQUIRE(chunk.extra.begin()->value.as_string() == std::string(size, 'v'));
  }
}

/// A document with `element`, `count` times, between `begin` and `end`.
std::string document_of(std::string_view begin, std::string_view element, std::size_t count,
                        std::string_view end) {
  std::string text(begin);
  for (std::size_t i = 0; i < count; ++i) (text += i == 0 ? "" : ",") += element;
  return text.append(end);
}

TEST_CASE("lists whose elements would take many times the document's size are refused") {
  for (const auto reading : {json::Reading::strict, json::Reading::tolerant}) {
    json::Decoder decoder;
    Error error;
    const auto refused = [&](const std::string& text, auto document) {
      CHECK_FALSE(decoder.decode_copy(text, &document, json::describe<decltype(document)>(), reading, error));
      CHECK(error.kind == ErrorKind::decode);
      CHECK(error.detail == "too many elements for the size of the document");
    };
    refused(document_of("{\"choices\":[", "{}", 100'000, "]}"), chat::Chunk());
    CHECK(error.path.starts_with("choices"));
    refused(document_of(R"({"choices":[{"delta":{"tool_calls":[)", "{}", 100'000, "]}}]}"), chat::Chunk());
    // A list that has just grown has room for twice as many.
    refused(document_of("{\"choices\":[", R"({"index":12345})", (1U << 17U) + 1, "]}"), chat::Chunk());
    // Unknown members take memory too. A choice takes 560 bytes, and 356 or a few more on 32-bit machines.
    const auto count = sizeof(void*) == 4 ? 1U << 15U : 1U << 14U;
    const auto choices = document_of("{\"choices\":[", "{}", count, "],");
    refused(document_of(choices, "\"\":1", 40'000, "}"), chat::Chunk());
  }
}

TEST_CASE("lists of many short elements are decoded") {
  const auto chunk = json::decode<chat::Chunk>(document_of("{\"choices\":[", "{}", 1000, "]}"));
  REQUIRE(chunk);
  CHECK(chunk->choices.size() == 1000);
  const auto request = json::decode<chat::Request>(
      document_of("{\"model\":\"m\",\"messages\":[", R"({"role":"user","content":"Hi"})", 8193, "]}"));
  REQUIRE(request);
  CHECK(request->messages.size() == 8193);
  const auto tokens =
      json::decode<completions::Request>(document_of("{\"model\":\"m\",\"prompt\":[", "1", 500'000, "]}"));
  CHECK(tokens);
  const auto texts =
      json::decode<completions::Request>(document_of("{\"model\":\"m\",\"prompt\":[", "\"\"", 500'000, "]}"));
  CHECK(texts);
}

}  // namespace
