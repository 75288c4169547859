// Checks that the documents' curl examples, with other texts, host and token, are answered as the documents
// show.
#include "json/base64.hpp"
#include "provider_documents/doors.hpp"
#include "support/catch.hpp"
#include "support/fixtures.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace inferwire_test;
using Document = nlohmann::json;

namespace {

/// Splits a command into words as a shell does, with quotes and continued lines.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      begun = true;
    } else if (c == '\\' && i + 1 < command.size() && command[i + 1] == '\n') {
      ++i;
    } else if (c == ' ' || c == '\n') {
      if (begun || !word.empty()) words.push_back(std::exchange(word, {}));
      begun = false;
    } else {
      word += c;
    }
  }
  if (begun || !word.empty()) words.push_back(word);
  return words;
}

/// The request that curl would send. Its URL is the path alone.
HttpRequest request_of(const std::string& command) {
  HttpRequest request{.method = "GET"};
  const auto words = words_of(command);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word == "-X") {
      request.method = words.at(++i);
    } else if (word == "-d") {
      request.body = words.at(++i);
    } else if (word == "-H") {
      const auto header = words.at(++i);
      const auto colon = header.find(": ");
      request.headers.push_back({header.substr(0, colon), header.substr(colon + 2)});
    } else if (word == "-u") {
      std::string basic = "Basic ";
      json::append_base64(basic, words.at(++i));
      request.headers.push_back({"Authorization", std::move(basic)});
    } else {
      request.url = word.substr(word.find('/', word.find("://") + 3));
    }
  }
  return request;
}

}  // namespace

TEMPLATE_TEST_CASE("the curl examples of the documents are answered", "[curl]", InProcess, OverHttp) {
  const auto ask = [](const std::string& name, const std::string& make = "") -> Document {
    const auto answer = door<TestType>(make).ask(request_of(fixture("documents/curl/" + name)));
    INFO(answer.body.substr(0, 500));
    REQUIRE(answer.head);
    REQUIRE(answer.head->status == 200);
    return Document::parse(answer.body);
  };
  SECTION("S0, chat") {
    const Document answer = ask("S0_chat.sh");
    CHECK(answer["object"] == "chat.completion");
    CHECK(answer["choices"][0]["message"]["role"] == "assistant");
    CHECK(answer["usage"]["completion_tokens"] <= 128);
  }
  SECTION("S0, completion") {
    const Document answer = ask("S0_completion.sh");
    CHECK(answer["object"] == "text_completion");
    CHECK(answer["choices"][0]["text"].is_string());
  }
  SECTION("S0, embedding") {
    const Document answer = ask("S0_embedding.sh");
    CHECK(answer["object"] == "list");
    CHECK(answer["data"][0]["embedding"].size() == 1024);
  }
  SECTION("S4, chat at its own path") {
    const Document answer = ask("S4_chat.sh", "v1-lmi");
    CHECK_THAT(std::string(answer["id"]), contains("chatcmpl-"));
    CHECK(answer["object"] == "chat.completion");
    CHECK(answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"].size() == 1);
    CHECK(answer["usage"]["completion_tokens"] <= 256);
  }
}
