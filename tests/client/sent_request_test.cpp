// The requests that a client sends, and those that it does not send.
#include "client/one_call.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "support/answered_client.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

using namespace inferwire;
using namespace inferwire_test;
using inferwire::testing::Reply;

TEST_CASE("a prompt that is not UTF-8 is refused with its path") {
  const auto error =
      error_of(answering(Reply::json(whole_answer)), {.model = "m", .messages = {chat::user("a\xFF")}});
  CHECK(error.kind == ErrorKind::invalid_request);
  CHECK(error.path == "messages[0].content");
}

TEST_CASE("NaN and infinity are refused with their path") {
  auto request = hello;
  for (const auto bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    request.temperature = bad;
    const auto error = error_of(answering(Reply::json(whole_answer)), request);
    CHECK(error.kind == ErrorKind::invalid_request);
    CHECK(error.path == "temperature");
    CHECK(error.provider == "openai");
  }
}

TEST_CASE("the query of the base URL is sent with every request") {
  const AnsweredClient at(
      Reply::error(500), {.base_url = "https://example.test/openai/?api-version=2024-10-21", .api_key = key});
  const auto url_of = [&](const auto& call) {
    CHECK_FALSE(call());
    return at.sent().url;
  };
  const std::string asked = "https://example.test/openai/chat/completions?api-version=2024-10-21";
  CHECK(url_of([&] { return at.client.chat.create(hello); }) == asked);
  CHECK(url_of([&] { return at.client.chat.create(hello, {.query = {{"a", "b"}}}); }) == asked + "&a=b");
  CHECK(url_of([&] { return at.client.request("GET", "/things?x=1"); }) ==
        "https://example.test/openai/things?x=1&api-version=2024-10-21");
}

TEST_CASE("chat.create sends the members that are set, and 'stream'") {
  const AnsweredClient at(Reply::error(500),
                          {.api_key = key, .headers = {{"X-Team", "a"}}, .user_agent = "app/1"});
  CHECK_FALSE(at.client.chat.create(hello, {.headers = {{"x-team", "b"}}}));
  const auto sent = at.sent();
  CHECK(sent.body == R"({"model":"m","messages":[{"role":"user","content":"Hello"}],"stream":false})");
  CHECK(sent.url == "https://api.openai.com/v1/chat/completions");
  CHECK(inferwire::find_header(sent.headers, "X-Team") == "b");
  CHECK(inferwire::find_header(sent.headers, "authorization") == std::string("Bearer ") + key);
  CHECK_THAT(std::string(inferwire::find_header(sent.headers, "user-agent").value()), contains("app/1"));
}

TEST_CASE("a stream asks for the media types of its provider's row") {
  const AnsweredClient openai(Reply::error(500));
  CHECK_FALSE(openai.client.chat.stream(hello).collect());
  CHECK(find_header(openai.sent().headers, "accept") == "text/event-stream, application/json;q=0.9");
  CHECK_THAT(openai.sent().body.text(), contains("\"stream\":true"));
  CHECK_FALSE(openai.client.completions.stream({.model = "m", .prompt = "Hello"}).collect());
  CHECK(find_header(openai.sent().headers, "accept") == "text/event-stream, application/json;q=0.9");
  const AnsweredClient container(Reply::error(500), {.provider = Provider::lmi()});
  CHECK_FALSE(container.client.chat.stream(hello).collect());
  CHECK(find_header(container.sent().headers, "accept") ==
        "application/jsonlines, text/event-stream, application/json;q=0.9");
}

TEST_CASE("a row whose explicit_stream is false sends 'stream' only if the request has it") {
  auto row = Provider::openai();
  row.explicit_stream = false;
  const AnsweredClient at(Reply::error(500), {.provider = row, .api_key = key});
  CHECK_FALSE(at.client.chat.create(hello));
  CHECK(at.sent().body == R"({"model":"m","messages":[{"role":"user","content":"Hello"}]})");
}

TEST_CASE("an invocations path has the model in place of the body") {
  const AnsweredClient at(Reply::error(500),
                          {.provider = Provider::databricks(), .base_url = "https://adb.test/"});
  CHECK_FALSE(at.client.chat.create({.model = "my model/1", .messages = {chat::user("x")}}));
  CHECK(at.sent().url == "https://adb.test/serving-endpoints/my%20model%2F1/invocations");
  CHECK(at.sent().body.text().find("\"model\"") == std::string::npos);
  CHECK(error_of(at.client, {.messages = {chat::user("x")}}).param == "model");
}

TEST_CASE("an endpoint's path without a slash does not change the host") {
  auto provider = Provider::openai();
  provider.chat = {.path = "chat/completions"};
  const auto captured = [&] {
    return AnsweredClient(Reply::error(500),
                          {.provider = provider, .base_url = "https://api.example.com", .api_key = key});
  };
  const auto whole = captured();
  CHECK(error_of(whole.client).kind == ErrorKind::config);
  CHECK(whole.script->requests().empty());
  provider.chat = {.path = "/chat/completions", .stream_path = ".evil.test/stream"};
  const auto streamed = captured();
  const auto collected = streamed.client.chat.stream(hello).collect();
  REQUIRE(collected.error);
  CHECK(collected.error->kind == ErrorKind::config);
  CHECK(streamed.script->requests().empty());
}

TEST_CASE("CallOptions::without_headers leaves out headers of the client and the library") {
  const AnsweredClient at(Reply::error(500),
                          {.api_key = key, .headers = {{"X-Team", "search"}, {"X-Cost", "1"}}});
  const CallOptions without{.headers = {{"X-Cost", "2"}},
                            .without_headers = {"x-team", "X-Cost", "user-agent", "X-Nobody"}};
  CHECK_FALSE(at.client.chat.create(hello, without));
  const auto headers = at.sent().headers;
  CHECK_FALSE(find_header(headers, "X-Team"));
  CHECK(find_header(headers, "X-Cost") == "2");
  CHECK_FALSE(find_header(headers, "User-Agent"));
  CHECK(find_header(headers, "Authorization"));
  CHECK_FALSE(at.client.chat.create(hello));
  CHECK(find_header(at.sent().headers, "X-Team") == "search");
}

TEST_CASE("an Authorization in CallOptions::headers replaces the client's") {
  const AnsweredClient at(Reply::error(500), {.api_key = key});
  CHECK_FALSE(at.client.chat.create(hello, {.headers = {{"Authorization", "Bearer other"}}}));
  CHECK(inferwire::find_header(at.sent().headers, "authorization") == "Bearer other");
}

TEST_CASE("Credential::basic sends the pair in base64") {
  const AnsweredClient at(Reply::error(500), {.credential = Credential::basic("token", "dapi")});
  CHECK_FALSE(at.client.chat.create(hello));
  CHECK(inferwire::find_header(at.sent().headers, "authorization") == "Basic dG9rZW46ZGFwaQ==");
}

TEST_CASE("Credential::header sends the key in its header, and the call's own header replaces it") {
  const AnsweredClient at(Reply::error(500), {.credential = Credential::header("api-key", "of Azure")});
  CHECK_FALSE(at.client.chat.create(hello));
  CHECK(inferwire::find_header(at.sent().headers, "api-key") == "of Azure");
  CHECK_FALSE(inferwire::find_header(at.sent().headers, "authorization"));

  CHECK_FALSE(at.client.chat.create(hello, {.headers = {{"Api-Key", "of the call"}}}));
  const auto headers = at.sent().headers;
  CHECK(std::ranges::count(headers, "of the call", &inferwire::Header::value) == 1);
  CHECK(std::ranges::count(headers, "of Azure", &inferwire::Header::value) == 0);
}

TEST_CASE("Credential::header with an invalid name or value is refused before anything is sent") {
  for (const auto& [name, value] : {std::pair("api key", "k"), std::pair("api-key", "k\r\nX-Other: v")}) {
    const AnsweredClient at(Reply::error(500), {.credential = Credential::header(name, value)});
    CHECK(error_of(at.client).kind == ErrorKind::config);
    CHECK(at.script->requests().empty());
  }
}
