// A client's messages go to the log from its options, or to the one that INFERWIRE_LOG requests.
#include "inferwire/auth_report.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/captured_stderr.hpp"
#include "support/catch.hpp"
#include "support/fake_environment.hpp"
#include "support/listeners.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

/// What a failing call writes to the standard error stream.
std::string written_with(FakeEnvironment::Texts variables, std::shared_ptr<inferwire::Log> log = nullptr) {
  CapturedStderr captured;
  const auto script = std::make_shared<ScriptTransport>();
  script->push(Reply::error(400, "no such thing"));
  const Client client({.api_key = "sk-secret-key",
                       .log = std::move(log),
                       .transport = script,
                       .environment = std::make_shared<FakeEnvironment>(std::move(variables))});
  CHECK_FALSE(client.chat.create({.model = "m", .messages = {chat::user("Hello")}}));
  return captured.take();
}

/// A client that fetches tokens by OAuth, with a log of this level.
struct Workspace {
  explicit Workspace(LogLevel level) : lines(std::make_shared<Lines>(level)) {}

  Reply token() const { return Reply::json(R"({"access_token":"tok-4711-secret","expires_in":3600})"); }
  /// The lines of a call, by a service that gives `replies`.
  std::vector<std::string> call(std::vector<Reply> replies) {
    for (auto& reply : replies) script->push(std::move(reply));
    const auto before = static_cast<std::ptrdiff_t>(lines->lines().size());
    CHECK(client.chat.create({.model = "m", .messages = {chat::user("Hello")}}, {.label = "l"}));
    const auto all = lines->lines();
    return {all.begin() + before, all.end()};
  }

  std::shared_ptr<Lines> lines;
  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
  std::shared_ptr<ScriptTransport> script = std::make_shared<ScriptTransport>(clock);
  Reply metadata = Reply::json(R"({"token_endpoint":"https://h.test/path-of-tokens"})");
  Reply answer = Reply::json(R"({"id":"c","model":"m","choices":[]})");
  Client client{{.provider = inferwire::Provider::databricks(),
                 .credential = inferwire::Credential::databricks({.host = "https://h.test",
                                                                  .client_id = "app",
                                                                  .client_secret = "doses-of-it",
                                                                  .environment = Environment::none()}),
                 .retry = {.jitter = 0},
                 .log = lines,
                 .visibility = {.bodies = true},
                 .transport = script,
                 .environment = Environment::none(),
                 .clock = clock}};
};

/// Needs a token from this URL, and fails if it gets none.
struct FromUrl final : inferwire::Credential {
  explicit FromUrl(std::string from) : url(std::move(from)) {}

  Prepared prepare(inferwire::HttpRequest&, inferwire::Instant) override {
    if (why) return *why;
    return Fetch{.request = {.method = "POST", .url = url}};
  }
  void failed(const Error& error, inferwire::Instant) override { why = error; }

  std::string url;
  std::optional<Error> why{};
};

}  // namespace

TEST_CASE("INFERWIRE_LOG=level makes a client write to standard error from that level on") {
  const auto errors = written_with({{"INFERWIRE_LOG", "error"}});
  CHECK_THAT(errors, contains("inferwire error: ") && contains("no such thing"));
  CHECK_THAT(errors, !contains("inferwire debug: "));
  const auto everything = written_with({{"INFERWIRE_LOG", "debug"}});
  CHECK_THAT(everything, contains("inferwire error: ") && contains("inferwire debug: "));
  CHECK_THAT(everything, !contains("sk-secret-key"));
}

TEST_CASE("an unset or unknown INFERWIRE_LOG writes nothing") {
  CHECK(written_with({}).empty());
  CHECK(written_with({{"INFERWIRE_LOG", ""}}).empty());
  CHECK(written_with({{"INFERWIRE_LOG", "everything"}}).empty());
  CHECK(written_with({{"INFERWIRE_LOG", "debug,"}}).empty());
  CHECK(written_with({{"INFERWIRE_LOG", "debug,body"}}).empty());
}

TEST_CASE("INFERWIRE_LOG=debug,bodies shows bodies") {
  CHECK_THAT(written_with({{"INFERWIRE_LOG", "debug"}}), !contains("Hello"));
  const auto bodies = written_with({{"INFERWIRE_LOG", "debug,wire,bodies"}});
  CHECK_THAT(bodies, contains("Hello") && !contains("sk-secret-key"));
}

TEST_CASE("Visibility::bodies logs the elements of a stream as they came") {
  const auto answered = [](std::size_t most) {
    const auto script = std::make_shared<ScriptTransport>();
    script->push(Reply::stream(
        {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A "
         "sk-secret-key\"}}],\"token\":\"t0p\"}\n\n",
         "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}));
    const auto lines = std::make_shared<Lines>(LogLevel::debug);
    const Client client({.api_key = "sk-secret-key",
                         .log = lines,
                         .visibility = {.bodies = most > 0, .max_body_bytes = most},
                         .transport = script,
                         .environment = Environment::none()});
    CHECK(client.chat.stream({.model = "m", .messages = {chat::user("Hello")}}).collect());
    return lines->text();
  };
  const auto shown = answered(4096);
  CHECK_THAT(shown,
             contains(R"(event 1: {"choices":[{"index":0,"delta":{"content":"A ***"}}],"token":"***"})"));
  CHECK_THAT(shown, contains(R"(event 2: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"));
  CHECK_THAT(shown, !contains("sk-secret-key"));
  CHECK_THAT(answered(10), contains("event 2: {\"choices\"") && !contains("finish_reason"));
  CHECK_THAT(answered(0), !contains("event 1"));
}

TEST_CASE("ClientOptions::log replaces the log of INFERWIRE_LOG") {
  const auto lines = std::make_shared<Lines>(LogLevel::error);
  CHECK(written_with({{"INFERWIRE_LOG", "debug"}}, lines).empty());
  CHECK(lines->lines().size() == 1);
}

TEST_CASE("CallOptions::label stands in front of the lines of its call", "[log]") {
  const auto lines = std::make_shared<Lines>(LogLevel::debug);
  const auto script = std::make_shared<ScriptTransport>();
  const Client client({.api_key = "sk-secret-key", .log = lines, .transport = script});
  const chat::Request hot{.model = "m", .messages = {chat::user("Hello")}, .temperature = 3};
  const auto said_with = [&](std::string label) {
    script->push(Reply::error(400));
    const auto before = lines->lines().size();
    CHECK_FALSE(client.chat.create(hot, {.label = std::move(label)}));
    auto all = lines->lines();
    return std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
  };
  CHECK_FALSE(said_with("").empty());
  const auto said = said_with("checkout\n17");
  CHECK(said.size() > 3);  // a preflight message, an attempt, an answer, an end
  for (const auto& line : said) CHECK(line.starts_with("[checkout 17] openai "));
}

TEST_CASE("what a server writes has no control characters in a log", "[log]") {
  const auto lines = std::make_shared<Lines>(LogLevel::debug);
  const auto script = std::make_shared<ScriptTransport>();
  const Client client({.api_key = "sk-secret-key", .log = lines, .transport = script});
  script->push(Reply::json("{\"error\":{\"message\":\"a\\u001B]0;b\\u009Bm\xC2\x9Bm\x7F\"}}", 400));
  CHECK_FALSE(client.chat.create({.model = "m", .messages = {chat::user("Hello")}}));
  const auto all = lines->text();
  CHECK_THAT(all, contains("a ]0;b m m "));
  CHECK(all.find_first_of("\x1B\x7F\x9B") == all.npos);
}

TEST_CASE("an Authorization of the caller's own is logged once", "[log]") {
  const auto lines = std::make_shared<Lines>(LogLevel::debug);
  const auto script = std::make_shared<ScriptTransport>();
  const Client client({.api_key = "sk-secret-key", .log = lines, .transport = script});
  const chat::Request request{.model = "m", .messages = {chat::user("Hello")}};
  const auto said = [&] {
    std::size_t count = 0;
    for (const auto& line : lines->lines()) count += line.find("caller's own") != line.npos ? 1 : 0;
    return count;
  };
  script->push(Reply::error(400));
  CHECK_FALSE(client.chat.create(request));
  CHECK(said() == 0);
  for (int call = 0; call < 2; ++call) {
    script->push(Reply::error(400));
    CHECK_FALSE(client.chat.create(request, {.headers = {{"authorization", "Bearer sk-of-the-caller"}}}));
    CHECK(said() == 1);
  }
}

TEST_CASE("a log may use the client whose message it receives", "[log]") {
  struct Noted final : inferwire::Credential {
    Prepared prepare(inferwire::HttpRequest&, inferwire::Instant) override { return Ready{}; }
    inferwire::AuthReport describe() override { return {.notes = {"a note of the credential"}}; }
  };
  const auto script = std::make_shared<ScriptTransport>();
  const inferwire::Client* asked = nullptr;
  int calls = 0;
  const auto call = [&] {
    script->push(Reply::error(400));
    CHECK_FALSE(asked->chat.create({.model = "m", .messages = {chat::user("Hello")}},
                                   {.headers = {{"Authorization", "Bearer sk-of-the-caller"}}}));
    ++calls;
  };
  const auto write = [&](LogLevel, std::string_view text) {
    const bool is_written_once = text.starts_with("a note") || text.find("caller's own") != text.npos;
    if (is_written_once) call();
  };
  const Client client({.credential = std::make_shared<Noted>(),
                       .log = inferwire::Log::of(write, LogLevel::debug),
                       .transport = script});
  asked = &client;
  call();
  CHECK(calls == 3);
}

TEST_CASE("requests for a token are in the log, without path, bodies and secrets", "[log]") {
  Workspace workspace(LogLevel::info);
  const auto info = workspace.call({workspace.metadata, Reply::error(503, "doses-of-it, for a while"),
                                    workspace.token(), workspace.answer});
  REQUIRE(info.size() == 4);
  CHECK(info[0].starts_with("[l] databricks token from https://h.test: HTTP 200 after 0 ms, 1 attempt, "));
  CHECK(info[1] ==
        "[l] databricks token from https://h.test: attempt 1 failed, another one in 500 ms: overloaded: HTTP "
        "503");
  CHECK(info[2].starts_with("[l] databricks token from https://h.test: HTTP 200 after 500 ms, 2 attempts, "));
  CHECK(info[3].starts_with("[l] databricks chat of m: HTTP 200 after "));

  Workspace talkative(LogLevel::debug);
  const auto debug = talkative.call({talkative.metadata, Reply::error(503, "doses-of-it, for a while"),
                                     talkative.token(), talkative.answer});
  std::string all;
  for (const auto& line : debug) all += line + '\n';
  CHECK_THAT(all, contains("[l] databricks token from https://h.test: POST https://h.test, attempt 2, "));
  CHECK_THAT(all, contains("[l] databricks token from https://h.test: HTTP 503; "));
  CHECK_THAT(all, contains("; Authorization: ***"));
  for (const auto* const hidden : {"doses-of-it", "YXBwOmRvc2VzLW9mLWl0", "tok-4711-secret", "grant_type",
                                   "for a while", "path-of-tokens", "/oidc"}) {
    CHECK_THAT(all, !contains(hidden));
  }
}

TEST_CASE("the user and the password in a token's URL are neither in the log nor in errors", "[log]") {
  const std::string url = "https://app:pass-4711@id.test:8443/oauth/token";
  const auto fails = [](const std::string& from, LogLevel level, std::string& all, const Reply& reply) {
    const auto lines = std::make_shared<Lines>(level);
    const auto script = std::make_shared<ScriptTransport>();
    script->push(reply);
    const auto credential = std::make_shared<FromUrl>(from);
    const Client client({.credential = credential,
                         .retry = inferwire::RetryPolicy::none(),
                         .log = lines,
                         .transport = script});
    const auto got = client.chat.create({.model = "m", .messages = {chat::user("Hello")}});
    REQUIRE_FALSE(got);
    all += lines->text();
    REQUIRE(credential->why);
    CHECK(credential->why->url == "https://id.test:8443");
    CHECK(got.error().url == "https://id.test:8443");
  };
  for (const auto level : {LogLevel::info, LogLevel::debug}) {
    std::string all;
    fails(url, level, all, Reply::json("{}"));  // transports refuse such a URL
    CHECK_THAT(all, contains("openai token from https://id.test:8443: failed after "));
    if (level == LogLevel::debug) {
      CHECK_THAT(all, contains("token from https://id.test:8443: POST https://id.test:8443, attempt 1, "));
    }
    // A transport may write a URL into its error.
    fails("https://id.test:8443/oauth/token", level, all,
          Reply::fails({.kind = ErrorKind::connection, .detail = "unplugged", .url = url}));
    for (const auto* const hidden : {"app:", "pass-4711", "/oauth"}) CHECK_THAT(all, !contains(hidden));
  }
}

TEST_CASE("a request for a token that is cancelled has an end in the log", "[log]") {
  Workspace workspace(LogLevel::info);
  CancelSource source;
  workspace.script->set_handler([&](const inferwire::HttpRequest&) {
    source.cancel();
    return workspace.metadata;
  });
  const auto got = workspace.client.chat.create({.model = "m", .messages = {chat::user("Hello")}},
                                                {.cancel = source.token(), .label = "l"});
  REQUIRE_FALSE(got);
  CHECK(got.error().kind == ErrorKind::cancelled);
  const auto lines = workspace.lines->lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("[l] databricks token from https://h.test: cancelled after 0 ms, 1 attempt, "));
  CHECK(lines[1].starts_with("[l] databricks chat of m: cancelled after "));
}

TEST_CASE("an early renewal of a token that fails is a warning in the log", "[log]") {
  Workspace workspace(LogLevel::warning);
  CHECK(workspace.call({workspace.metadata, workspace.token(), workspace.answer}).empty());
  workspace.clock->advance(50min);
  const auto warned = workspace.call({Reply::json(R"({"error":"invalid_client"})", 401), workspace.answer});
  REQUIRE(warned.size() == 1);
  CHECK(warned[0].starts_with(
      "[l] databricks token: its early renewal failed, and the previous one is used: auth"));
  CHECK_THAT(warned[0], contains("HTTP 401") && contains("invalid_client"));
  CHECK(workspace.call({workspace.answer}).empty());  // not tried again for a minute
}

TEST_CASE("an error of Credential::callback that a token outlives is a warning in the log", "[log]") {
  const auto lines = std::make_shared<Lines>(LogLevel::warning);
  const auto clock = std::make_shared<ManualClock>();
  const auto script = std::make_shared<ScriptTransport>(clock);
  bool closed = false;
  const Client client(
      {.credential = inferwire::Credential::callback([&closed]() -> Result<inferwire::AccessToken> {
         if (closed) return Error{.kind = ErrorKind::auth, .detail = "the vault is closed"};
         return inferwire::AccessToken{"t", std::chrono::system_clock::now() + 1h};
       }),
       .log = lines,
       .transport = script,
       .clock = clock});
  for (int call = 0; call < 2; ++call) {
    script->push(Reply::json(R"({"choices":[]})"));
    CHECK(client.chat.create({.model = "m", .messages = {chat::user("Hello")}}));
    closed = true;
    clock->advance(50min);
  }
  REQUIRE(lines->lines().size() == 1);
  CHECK_THAT(lines->lines()[0],
             contains("openai token: its early renewal failed") && contains("auth: the vault is closed"));
}
