/// \file
/// Checks that no secret is shown: every row of tests/vectors/redaction.json, with a listener in every place.

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/network.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "protocol/redact.hpp"
#include "support/catch.hpp"
#include "support/listeners.hpp"
#include "support/shortest.hpp"
#include "support/vectors.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

/// Replaces each "{secret}" in `text` with `secret`.
std::string filled(std::string text, const std::string& secret) {
  constexpr std::string_view place = "{secret}";
  for (std::size_t at = 0; (at = text.find(place, at)) != text.npos; at += secret.size()) {
    text.replace(at, place.size(), secret);
  }
  return text;
}

std::shared_ptr<Credential> credential_of(const json& row, const std::string& secret) {
  const auto kind = row.value("credential", "none");
  if (kind == "bearer") return Credential::bearer(secret);
  if (kind == "basic") return Credential::basic("user", secret);
  if (kind == "header") return Credential::header("Api-Key", secret);
  if (kind == "sigv4") {
    return Credential::sigv4({.access_key_id = "AKID",
                              .secret_access_key = "another-secret",
                              .session_token = secret,
                              .region = "eu-west-1"});
  }
  return Credential::none();
}

Reply reply_of(const json& step) {
  inferwire_test::refuse_others(step, {"failure", "status", "headers", "body"});
  if (step.contains("failure")) {
    return Reply::fails({.kind = ErrorKind::connection, .detail = step.at("failure").get<std::string>()});
  }
  auto reply = Reply::json(step.at("body").get<std::string>(), step.at("status").get<int>());
  for (const auto& header : inferwire_test::headers_of(step)) {
    if (header.name == "content-type") reply.headers.clear();
    reply.headers.push_back(header);
  }
  return reply;
}

/// All strings in the error of a failed call.
std::vector<std::string> told_by(const Error& error) {
  // Names every member: adding one breaks the build here.
  const auto& [kind, cause, detail, status, code, type, param, path, timer, provider, url, request_id,
               request_id_header, retry_after, retryable, original_status, original_code, body, attempts] =
      error;
  std::vector<std::string> told{error.message(),
                                detail,
                                code,
                                type,
                                param,
                                path,
                                timer,
                                provider,
                                url,
                                request_id,
                                request_id_header,
                                original_code,
                                body,
                                inferwire::Exception(error).what()};
  for (const auto& [its_kind, its_status, failure, id, elapsed, waited] : attempts) {
    told.push_back(failure);
    told.push_back(id);
  }
  return told;
}

/// One row: its call is made once as a whole and once as a stream.
class Play {
 public:
  explicit Play(const json& row)
      : secret_(row.at("secret").get<std::string>()),
        row_(json::parse(filled(row.dump(), secret_))),
        clock_(std::make_shared<ManualClock>()) {}

  void run() {
    const auto client = make_client();
    CallOptions options{.headers = headers("call_headers")};
    for (const auto& pair : row_.value("query", json::array())) options.query.push_back({pair[0], pair[1]});
    const auto members = row_.value("members", json::object());
    for (const auto& [name, value] : members.items()) {
      options.body.push_back(inferwire::BodyEdit::set("/" + name, inferwire::Json::raw(value.dump())));
    }
    const chat::Request request{.model = "m", .messages = {chat::user(row_.value("prompt", "Hello"))}};
    load();
    if (const auto reply = client.chat.create(request, options); !reply)
      tell("error", told_by(reply.error()));
    load();
    if (const auto collected = client.chat.stream(request, options).collect(); !collected) {
      tell("error", told_by(*collected.error));
    }
    tell("log", log_->lines());
    tell("hooks", watcher_->texts());
    CHECK_FALSE(log_->lines().empty());
    CHECK_FALSE(watcher_->texts().empty());
  }

 private:
  Client make_client() {
    ClientOptions options{.base_url = row_.value("base_url", "http://localhost/v1"),
                          .credential = credential_of(row_, secret_)};
    options.headers = headers("client_headers");
    options.log = log_;
    options.observer = watcher_;
    options.visibility.bodies = row_.value("bodies", false);
    options.transport = script_ = std::make_shared<ScriptTransport>(clock_);
    options.clock = clock_;
    return Client(std::move(options));
  }

  std::vector<inferwire::Header> headers(const char* member) const {
    return inferwire_test::headers_of({{"headers", row_.value(member, json::array())}});
  }

  void load() {
    for (const auto& step : row_.at("answers")) script_->push(reply_of(step));
  }

  void tell(const std::string& where, const std::vector<std::string>& texts) {
    const auto hidden = row_.value("hidden_from", json::array({"error", "log", "hooks"}));
    if (std::find(hidden.begin(), hidden.end(), where) == hidden.end()) return;
    for (const auto& text : texts) {
      INFO(where << ": " << text);
      CHECK(text.find(secret_) == text.npos);
      if (row_.contains("secret_sent")) CHECK(text.find(row_["secret_sent"].get<std::string>()) == text.npos);
    }
  }

  std::string secret_;
  json row_;
  std::shared_ptr<ManualClock> clock_;
  std::shared_ptr<ScriptTransport> script_;
  std::shared_ptr<Lines> log_ = std::make_shared<Lines>(LogLevel::debug);
  std::shared_ptr<Transcript> watcher_ = std::make_shared<Transcript>();
};

}  // namespace

TEST_CASE("no secret of redaction.json shows in errors, exceptions, logs and hooks", "[redaction]") {
  const auto rows = inferwire_test::vectors(
      "redaction.json", {"name", "secret", "secret_sent", "credential", "base_url", "client_headers",
                         "call_headers", "query", "members", "prompt", "bodies", "hidden_from", "answers"});
  CHECK(rows.size() >= 30);
  for (const auto& row : rows) {
    INFO(row.at("name").get<std::string>());
    Play(row).run();
  }
}

TEST_CASE("an error after the first event of a stream conceals the keys in the call's headers",
          "[redaction]") {
  const std::string secret = "sk-live-4711-VeryLongSecretKey";
  const auto script = std::make_shared<ScriptTransport>();
  script->push(Reply::stream({"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n",
                              "data: {\"error\":{\"message\":\"no such key: " + secret + "\"}}\n\n"}));
  const Client client({.credential = Credential::none(), .transport = script});
  auto stream = client.chat.stream({.model = "m", .messages = {chat::user("Hello")}},
                                   {.headers = {{"X-Team", "a"}, {"X-Api-Key", secret}}});
  const auto* element = stream.next();
  REQUIRE(element != nullptr);
  REQUIRE(element->has_value());
  element = stream.next();
  REQUIRE(element != nullptr);
  REQUIRE_FALSE(element->has_value());
  CHECK_THAT(element->error().detail, inferwire_test::contains("no such key: ***"));
  for (const auto& text : told_by(element->error())) CHECK(text.find(secret) == text.npos);
}

TEST_CASE("a key that the credential no longer holds is concealed", "[redaction]") {
  struct Renewed final : Credential {
    Prepared prepare(inferwire::HttpRequest& request, inferwire::Instant) override {
      put_bearer(request, "sk-live-4711-VeryLongSecretKey");
      return Ready{};
    }
  };
  const std::string answer = R"({"error":{"message":"no such key: sk-live-4711-VeryLongSecretKey"}})";
  const auto script = std::make_shared<ScriptTransport>();
  script->push(Reply::json(answer, 403));
  script->push(Reply::stream(
      {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n", "data: " + answer + "\n\n"}));
  const auto log = std::make_shared<Lines>(LogLevel::debug);
  const Client client({.base_url = "https://h.test/v1",
                       .credential = std::make_shared<Renewed>(),
                       .log = log,
                       .visibility = {.bodies = true},
                       .transport = script});
  const chat::Request request{.model = "m", .messages = {chat::user("Hello")}};
  CHECK(client.chat.create(request).error().detail == "no such key: ***");
  CHECK(client.chat.stream(request).collect().error->detail == "no such key: ***");
  CHECK_THAT(log->text(), contains(R"("message":"no such key: ***")") && !contains("VeryLongSecretKey"));
}

TEST_CASE("the wire log conceals keys and cookies", "[redaction]") {
  const std::string secret = "sk-live-4711-VeryLongSecretKey";
  inferwire::testing::MockServer server;
  server.set_handler([&](const auto&) {
    auto reply = Reply::json("{}");
    reply.headers.push_back({"Set-Cookie", "session=" + secret});
    return reply;
  });
  const auto log = std::make_shared<Lines>(LogLevel::debug);
  const Client client({.base_url = server.url(),
                       .api_key = secret,
                       .headers = {{"X-Api-Key", secret}},
                       .log = log,
                       .visibility = {.wire = true}});
  CHECK(client.request("GET", "/things", std::nullopt, {.query = {{"key", secret}}}));
  const auto all = log->text();
  CHECK_THAT(all, inferwire_test::contains("curl > GET /things?***"));
  CHECK_THAT(all, inferwire_test::contains("curl > Authorization: ***"));
  CHECK_THAT(all, inferwire_test::contains("curl < HTTP/1.1 200"));
  CHECK_THAT(all, inferwire_test::contains("curl < Set-Cookie: ***"));
  CHECK(all.find(secret) == all.npos);
}

TEST_CASE("network_transport() has its own log of connections, without which Visibility::wire warns",
          "[log]") {
  inferwire::testing::MockServer server;
  server.set_handler([](const auto&) { return Reply::json("{}"); });
  struct Heard {
    bool connections;
    bool warning;
    bool operator==(const Heard&) const = default;
  };
  const auto heard_with = [&](LogLevel level, bool wire, bool logs_itself) {
    const auto log = std::make_shared<Lines>(level);
    const auto transport =
        logs_itself ? inferwire::network_transport({}, log) : inferwire::network_transport();
    const Client client({.base_url = server.url(),
                         .credential = Credential::none(),
                         .log = log,
                         .visibility = {.wire = wire},
                         .transport = transport});
    for (int call = 0; call < 2; ++call) CHECK(client.request("GET", "/things"));
    const auto all = log->text();
    const auto warning = all.find("connections are not logged");
    CHECK(warning == all.rfind("connections are not logged"));
    return Heard{all.find("curl > GET /things") != all.npos, warning != all.npos};
  };
  CHECK(heard_with(LogLevel::debug, true, true) == Heard{true, false});
  CHECK(heard_with(LogLevel::debug, true, false) == Heard{false, true});
  CHECK(heard_with(LogLevel::debug, false, false) == Heard{false, false});
  CHECK(heard_with(LogLevel::info, true, true) == Heard{false, false});
}

TEST_CASE("keys in the base URL's query are concealed, after the first event of a stream too",
          "[redaction]") {
  const std::string answer = R"({"error":{"message":"/v1?api-version=2024-10-21&api-key=4711-Secret: no"}})";
  const auto script = std::make_shared<ScriptTransport>();
  script->push(Reply::json(answer, 404));
  script->push(Reply::stream(
      {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n", "data: " + answer + "\n\n"}));
  const Client client({.base_url = "http://localhost/v1?api-version=2024-10-21&api-key=4711-Secret",
                       .credential = Credential::none(),
                       .transport = script});
  const chat::Request request{.model = "m", .messages = {chat::user("Hello")}};
  const auto told = "/v1?api-version=2024-10-21&api-key=***: no";
  CHECK(client.chat.create(request).error().detail == told);
  CHECK(client.chat.stream(request).collect().error->detail == told);
  for (const auto* const name :
       {"key", "subscription-key", "code", "sig", "X-Amz-Signature", "access_token"}) {
    std::string text = "is 4711-Secret.";
    inferwire::protocol::conceal_parameters(text, "/x?a=b&" + std::string(name) + "=4711-Secret#c");
    CHECK(text == "is ***.");
  }
  std::string text = "file-123456 keys";
  inferwire::protocol::conceal_parameters(text, "/x?after=file-123456&key&&=keys");
  CHECK(text == "file-123456 keys");
}

TEST_CASE("conceal_value conceals half of a key, and at the end of a text any beginning", "[redaction]") {
  const std::string key = "sk-0123456789abcdef";
  for (std::size_t shown = 8; shown <= key.size(); ++shown) {
    auto text = key + " is not " + key.substr(0, shown);
    inferwire::protocol::conceal_value(text, "Bearer " + key);
    CAPTURE(shown);
    CHECK(text == "*** is not ***");
  }
  for (std::size_t shown = 3; shown < key.size(); ++shown) {
    const auto piece = key.substr(0, shown);
    auto text = "Bearer " + piece + "... is not known, " + piece + '"';
    const auto whole = text;
    inferwire::protocol::conceal_value(text, "Bearer " + key);
    CAPTURE(shown);
    CHECK(text == (shown < 12 ? whole : "Bearer ***... is not known, ***\""));
  }
  const auto longer = key + key;
  auto less_than_half = longer.substr(0, longer.size() / 2 - 1) + "...";
  const auto shown = less_than_half;
  inferwire::protocol::conceal(less_than_half, longer);
  CHECK(less_than_half == shown);
  std::string escaped = R"({"got": "ab\/cdef\u00234567\/", "kept": "ab\/cdef"})";
  inferwire::protocol::conceal(escaped, "ab/cdef#4567/90123456789");
  CHECK(escaped == R"({"got": "***", "kept": "ab\/cdef"})");
  std::string in_urls = "/x?key=a%2fb%25cdE%2F100%&key=a%2Fb%25cd%45%2f100%25&key=a/b%cdE/100%";
  inferwire::protocol::conceal(in_urls, "a/b%cdE/100%");
  CHECK(in_urls == "/x?key=***&key=***&key=***");
  std::string repeating = "abcabcabcabcabcabcX is no key";  // the key begins in a piece of it
  inferwire::protocol::conceal(repeating, "abcabcabcabcabcX");
  CHECK(repeating == "*** is no key");
  std::string kind = "keys begin with Bearer sk-0123";
  inferwire::protocol::conceal_value(kind, "Bearer " + key);
  CHECK(kind == "keys begin with Bearer sk-0123");

  // An error's message is cut at 4 KiB, its body at 64 KiB.
  for (const std::size_t kept : {std::size_t{4} << 10, std::size_t{64} << 10}) {
    const std::string message = std::string(kept - 12, 'x') + key;
    const auto script = std::make_shared<ScriptTransport>();
    script->push(Reply::json(message, 400));
    const Client client({.base_url = "https://h.test/v1", .api_key = key, .transport = script});
    const auto answer = client.chat.create({.model = "m", .messages = {chat::user("q")}});
    REQUIRE_FALSE(answer);
    CHECK(answer.error().detail.find("sk-01234567") == std::string::npos);
    CHECK(answer.error().body.find("sk-01234567") == std::string::npos);
  }
}

TEST_CASE("conceal takes linear time for a hundred thousand keys", "[redaction]") {
  const std::string key = "sk-abcdefghijklmnopqrstuvwxyz0123456789";
  std::string body, shown;
  for (int i = 0; i < 100'000; ++i) {
    body += key + "x";
    shown += "***x";
  }
  CHECK(work_of([&] { inferwire::protocol::conceal(body, key); }) < 1s);
  CHECK(body == shown);
}

TEST_CASE("shown_url and shown_origin have neither user nor password", "[redaction]") {
  using inferwire::protocol::shown_origin;
  using inferwire::protocol::shown_url;
  for (const std::string user : {"", "app@", "app:pass@", "app:p@ss@"}) {
    CAPTURE(user);
    CHECK(shown_url("https://" + user + "id.test:8443/a@b?c=d") == "https://id.test:8443/a@b");
    CHECK(shown_origin("https://" + user + "id.test:8443/a@b?c=d") == "https://id.test:8443");
    CHECK(shown_origin("https://" + user + "[::1]") == "https://[::1]");
  }
  CHECK(shown_origin("").empty());
  CHECK(shown_origin("/v1/a@b").empty());
}

TEST_CASE("shown_body replaces the values of keys and nothing else", "[redaction]") {
  using inferwire::protocol::shown_body;
  CHECK(shown_body(R"({"a": "b", "token" : "x", "c": [1]})", 100) ==
        R"({"a": "b", "token" : "***", "c": [1]})");
  CHECK(shown_body(R"({"password": 12, "b": 2})", 100) == R"({"password": ***, "b": 2})");
  CHECK(shown_body(R"({"secret": null, "b": {"secret": {"x": "}"}}})", 100) ==
        R"({"secret": null, "b": {"secret": ***}})");
  CHECK(shown_body(R"({"max_tokens": 5, "type": "token"})", 100) == R"({"max_tokens": 5, "type": "token"})");
  CHECK(shown_body(R"({"t": "{\"api_key\": \"x\", \"b\": 1}"})", 100) ==
        R"({"t": "{\"api_key\": \"***\", \"b\": 1}"})");
  CHECK(shown_body(R"({"headers": {"X-Pass": "}", "b": 1}, "b": 2})", 100) == R"({"headers": ***, "b": 2})");
  CHECK(shown_body(R"({"t": "{\"headers\": {\"X-Pass\": \"x\"}, \"b\": 1}"})", 100) ==
        R"({"t": "{\"headers\": ***, \"b\": 1}"})");
  CHECK(shown_body(R"({"headers": ["Name"], "Headers": "x"})", 100) ==
        R"({"headers": ["Name"], "Headers": "x"})");
  CHECK(shown_body(R"({"headers":)", 100) == R"({"headers":)");
  CHECK(shown_body(R"({"password": "never ends)", 100) == R"({"password": "***)");
  CHECK(shown_body("12345\xC3\xA4\xC3\xB6", 6) == "12345... (4 bytes more)");
  CHECK(shown_body("", 10).empty());
}

TEST_CASE("shown_body finds a key after a value that ends with an escaped backslash", "[redaction]") {
  using inferwire::protocol::shown_body;
  CHECK(shown_body(R"({"password":"abc\\","client_secret":"xyz123"})", 100) ==
        R"({"password":"***","client_secret":"***"})");
  CHECK(shown_body(R"({"password":"abc\\\"","a":1})", 100) == R"({"password":"***","a":1})");
  // A string inside a string, and one that is cut off by the end of the string around it.
  CHECK(shown_body(R"({"t":"{\"password\":\"abc\\\\\",\"secret\":\"xyz\"}","a":1})", 100) ==
        R"({"t":"{\"password\":\"***\",\"secret\":\"***\"}","a":1})");
  CHECK(shown_body(R"({"t":"{\"password\":\"abc\\","secret":"xyz"})", 100) ==
        R"({"t":"{\"password\":\"***","secret":"***"})");
  CHECK(shown_body(R"({"secret":{"x":"a\\","y":"}"},"token":"xyz","a":1})", 100) ==
        R"({"secret":***,"token":"***","a":1})");
}

TEST_CASE("shown_body knows keys by the end of their names", "[redaction]") {
  using inferwire::protocol::shown_body;
  for (const std::string name :
       {"openai_api_key", "aws_secret_access_key", "databricks_api_token", "accessToken", "SecretAccessKey",
        "x-api-key", "DB_PASSWORD", "proxy-authorization", "access_token", "private_key", "string_value"}) {
    CHECK(shown_body("{\"" + name + "\":\"xyz\"}", 100) == "{\"" + name + "\":\"***\"}");
  }
  for (const std::string name : {"max_tokens", "prompt_tokens", "total_tokens", "completion_tokens", "tokens",
                                 "token_count", "token_ids", "api_key_id", "secretary", "key", "-", ""}) {
    CHECK(shown_body("{\"" + name + "\":7}", 100) == "{\"" + name + "\":7}");
  }
}

TEST_CASE("shown_body of a million backslashes takes linear time", "[redaction]") {
  const std::string body(1'000'000, '\\');
  CHECK(inferwire::protocol::shown_body(body, body.size()) == body);
  const auto named = R"({"password": ")" + body;
  CHECK(inferwire::protocol::shown_body(named, named.size()) == R"({"password": "***)");
}
