#include "inferwire/client.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "inferwire/auth_report.hpp"
#include "inferwire/chat.hpp"
#include "support/canned_transport.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fake_environment.hpp"

using inferwire::CallOptions;
using inferwire::Client;
using inferwire::ClientOptions;
using inferwire::Credential;
using inferwire::Error;
using inferwire::ErrorKind;
using inferwire::Provider;
using inferwire_test::CannedAnswer;
using inferwire_test::CannedTransport;
using inferwire_test::contains;
using inferwire_test::Environment;
namespace chat = inferwire::chat;

namespace {

constexpr const char* key = "sk-secret-1234567890";

const chat::Request hello{.model = "m", .messages = {chat::user("Hello")}};

/// A client whose service answers `body` with `status`.
Client answering(int status, std::string body, std::string type = "application/json") {
  CannedAnswer answer{
      .head = {.status = status, .reason = "Reason", .headers = {{"Content-Type", std::move(type)}}},
      .chunks = {std::move(body)}};
  return Client({.api_key = key,
                 .retry = inferwire::RetryPolicy::none(),
                 .transport = std::make_shared<CannedTransport>(std::move(answer))});
}

/// The error of a call that must fail. Checks that the error does not hold the key.
Error error_of(const Client& client, const chat::Request& request = hello, const CallOptions& options = {}) {
  const auto reply = client.chat.create(request, options);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().message().find("sk-secret") == std::string::npos);
  CHECK(reply.error().body.find("sk-secret") == std::string::npos);
  // A stream of the same request has to fail with the same error.
  auto stream = client.chat.stream(request, options);
  const auto* element = stream.next();
  REQUIRE(element != nullptr);
  REQUIRE_FALSE(*element);
  CHECK(inferwire::name(element->error().kind) == inferwire::name(reply.error().kind));
  CHECK(element->error().provider == reply.error().provider);
  CHECK(stream.next() == nullptr);
  return reply.error();
}

const std::string whole_answer =
    R"({"id":"c1","object":"chat.completion","created":1,"model":"m1","choices":[{"index":0,"message":)"
    R"({"role":"assistant","content":"Hi there."},"finish_reason":"stop"}],)"
    R"("usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})";

}  // namespace

TEST_CASE("an answer comes back typed") {
  const auto reply = answering(200, whole_answer).chat.create(hello);
  REQUIRE(reply);
  CHECK(reply->text() == "Hi there.");
  CHECK(reply->finish() == chat::Finish::stop);
  CHECK(reply->usage->total() == 5);
}

TEST_CASE("empty braces are no options") {
  const Environment no_key("OPENAI_API_KEY", nullptr);
  CHECK(error_of(Client({})).message() == error_of(Client()).message());
  CHECK(error_of(Client({})).kind == ErrorKind::auth);
}

TEST_CASE("without a key the error says where one could come from") {
  Environment no_key("OPENAI_API_KEY", nullptr);
  const auto error = error_of(Client({.base_url = "https://example.test/v1"}));
  CHECK(error.kind == ErrorKind::auth);
  CHECK_THAT(error.detail, contains("OPENAI_API_KEY"));
  CHECK_THAT(error.detail, contains("api_key"));
}

TEST_CASE("a blank variable of the environment counts as not set") {
  Environment blank("OPENAI_API_KEY", "  \n");
  CHECK(error_of(Client({.base_url = "https://example.test/v1"})).kind == ErrorKind::auth);
}

TEST_CASE("a base URL that cannot be used is named with the reason") {
  for (const auto* url : {"", "example.test/v1", "ftp://example.test", "https://example.test/v1\nX: y",
                          "https://", "https://user:pw@example.test", "https://exa mple.test"}) {
    INFO(url);
    const auto error = error_of(Client({.base_url = url, .api_key = key}));
    CHECK(error.kind == ErrorKind::config);
    CHECK_FALSE(error.detail.empty());
  }
}

TEST_CASE("an empty base URL is none, and does not lead to the service") {
  const Environment variable("OPENAI_BASE_URL", "https://example.test/v1");
  CHECK_THAT(error_of(Client({.base_url = "", .api_key = key})).detail, contains("base_url is empty"));
  // A null pointer, as std::getenv gives, counts as not set.
  const char* const missing = nullptr;
  CHECK(Client({.base_url = missing, .api_key = key}).describe_auth().base_url == "https://example.test/v1");
}

TEST_CASE("services are where the variables of their own clients say") {
  const auto environment = std::make_shared<inferwire_test::FakeEnvironment>(
      inferwire_test::FakeEnvironment::Texts{{"OPENAI_BASE_URL", "https://openai.test/v1"},
                                             {"AI21_API_HOST", "https://ai21.test/studio/v1/"},
                                             {"DATABRICKS_HOST", "https://databricks.test"}});
  const auto url_of = [&environment](Provider row) {
    return Client({.provider = std::move(row), .api_key = key, .environment = environment})
        .describe_auth()
        .base_url;
  };
  CHECK(url_of(Provider::openai()) == "https://openai.test/v1");
  CHECK(url_of(Provider::ai21()) == "https://ai21.test/studio/v1");
  CHECK(url_of(Provider::databricks()) == "https://databricks.test");
}

TEST_CASE("an empty key is none, and does not lend the caller another one") {
  const Environment operators("OPENAI_API_KEY", "sk-of-the-operator");
  const Environment databricks("DATABRICKS_TOKEN", "dapi-of-the-operator");
  for (const auto& row :
       {Provider::openai(), Provider::databricks(), Provider::lmi(), Provider::sagemaker()}) {
    INFO(row.name);
    const auto error = error_of(Client({.provider = row, .base_url = "https://tenant.test", .api_key = ""}));
    CHECK(error.kind == ErrorKind::config);
    CHECK_THAT(error.detail, contains("api_key is empty"));
  }
  const auto way_of = [](ClientOptions options) { return Client(std::move(options)).describe_auth().method; };
  // A null pointer, as std::getenv gives, counts as not set.
  const char* const missing = nullptr;
  CHECK(way_of({.base_url = "https://example.test", .api_key = missing}) == "bearer");
  // An empty key does not count if there is a credential.
  CHECK_FALSE(Client({.base_url = "https://example.test", .api_key = "", .credential = Credential::none()})
                  .describe_auth()
                  .problem);
}

TEST_CASE("Databricks needs a host") {
  Environment no_host("DATABRICKS_HOST", nullptr);
  const auto error = error_of(Client({.provider = Provider::databricks(), .api_key = key}));
  CHECK(error.kind == ErrorKind::config);
  CHECK_THAT(error.detail, contains("DATABRICKS_HOST"));
}

TEST_CASE("over the network's transport nothing that is missing is made up") {
  const auto nothing =
      std::make_shared<inferwire_test::FakeEnvironment>(inferwire_test::FakeEnvironment::Texts());
  for (const auto& transport : {std::shared_ptr<inferwire::Transport>(), inferwire::network_transport()}) {
    const auto no_host = error_of(Client({.provider = Provider::databricks(),
                                          .api_key = key,
                                          .transport = transport,
                                          .environment = nothing}));
    CHECK(no_host.kind == ErrorKind::config);
    CHECK_THAT(no_host.detail, contains("DATABRICKS_HOST"));
    const auto no_key = error_of(
        Client({.base_url = "https://example.test/v1", .transport = transport, .environment = nothing}));
    CHECK(no_key.kind == ErrorKind::auth);
    CHECK_THAT(no_key.detail, contains("OPENAI_API_KEY"));
  }
}

TEST_CASE("what has no address goes to nobody where a transport only goes around the network's") {
  auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
  const Client client({.provider = Provider::databricks(),
                       .api_key = key,
                       .retry = inferwire::RetryPolicy::none(),
                       .transport = transport,
                       .environment = std::make_shared<inferwire_test::FakeEnvironment>(
                           inferwire_test::FakeEnvironment::Texts())});
  CHECK(error_of(client).kind == ErrorKind::server);
  CHECK(transport->sent()->url.starts_with("https://in-process.invalid/"));
}

TEST_CASE("a provider proves itself in a way of its own") {
  const auto header_sent = [](inferwire::AuthScheme scheme) {
    const auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
    auto provider = Provider::openai();
    provider.auth.scheme = scheme;
    provider.auth.service = "mail";
    const Client client({.provider = provider,
                         .api_key = key,
                         .retry = inferwire::RetryPolicy::none(),
                         .transport = transport});
    CHECK_FALSE(client.chat.create(hello));
    return std::string(find_header(transport->sent()->headers, "Authorization").value_or("none"));
  };
  CHECK(header_sent([](const inferwire::AuthRow& row, inferwire::AuthInputs inputs) {
          return Credential::bearer(std::string(inputs.key.reveal()) + "@" + row.service);
        }) == std::string("Bearer ") + key + "@mail");
  CHECK(header_sent([](const inferwire::AuthRow&, inferwire::AuthInputs) {
          return std::shared_ptr<Credential>();
        }) == "none");
  CHECK(header_sent(nullptr) == "none");
}

TEST_CASE("OpenAI is told the organization and the project that the environment names") {
  const auto environment = std::make_shared<inferwire_test::FakeEnvironment>(
      inferwire_test::FakeEnvironment::Texts{{"OPENAI_ORG_ID", " org-1\n"}, {"OPENAI_PROJECT_ID", "proj_1"}});
  const auto sent_by = [&environment](inferwire::ClientOptions options, const CallOptions& call = {}) {
    const auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
    options.api_key = key;
    options.retry = inferwire::RetryPolicy::none();
    options.transport = transport;
    options.environment = environment;
    CHECK_FALSE(Client(options).chat.create(hello, call));
    return transport->sent()->headers;
  };
  CHECK(find_header(sent_by({}), "OpenAI-Organization") == "org-1");
  CHECK(find_header(sent_by({}), "OpenAI-Project") == "proj_1");
  CHECK(find_header(sent_by({.headers = {{"openai-organization", "org-2"}}}), "OpenAI-Organization") ==
        "org-2");
  CHECK(find_header(sent_by({}, {.headers = {{"OpenAI-Organization", "org-3"}}}), "OpenAI-Organization") ==
        "org-3");
  CHECK_FALSE(find_header(sent_by({.provider = Provider::ai21()}), "OpenAI-Organization"));

  const auto report = Client({.api_key = key, .environment = environment}).describe_auth();
  CHECK(report.settings.back().name == "OpenAI-Project");
  CHECK(report.settings.back().value == "proj_1");
  CHECK(report.settings.back().source == "env OPENAI_PROJECT_ID");
}

TEST_CASE("OpenAI is sent the headers that a variable has line by line") {
  const auto sent_with = [](std::string lines, ClientOptions options = {}) {
    const auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
    options.api_key = key;
    options.retry = inferwire::RetryPolicy::none();
    options.transport = transport;
    options.environment =
        std::make_shared<inferwire_test::FakeEnvironment>(inferwire_test::FakeEnvironment::Texts{
            {"OPENAI_ORG_ID", "org-1"}, {"OPENAI_CUSTOM_HEADERS", std::move(lines)}});
    CHECK_FALSE(Client(options).chat.create(hello));
    return transport->sent()->headers;
  };
  const auto headers = sent_with("X-Team: search\r\n no header\n\nx-cost : a:b \nX-TEAM:  ads");
  CHECK(find_header(headers, "X-Team") == "ads");
  CHECK(find_header(headers, "X-Cost") == "a:b");
  CHECK(find_header(headers, "OpenAI-Organization") == "org-1");
  CHECK(find_header(sent_with("OpenAI-Organization: org-2"), "OpenAI-Organization") == "org-2");
  CHECK(find_header(sent_with("X-Team: search", {.headers = {{"x-team", "ads"}}}), "X-Team") == "ads");
  CHECK_FALSE(find_header(sent_with("X-Team: search", {.provider = Provider::ai21()}), "X-Team"));
  CHECK(find_header(sent_with("Authorization: Basic mine"), "Authorization") == "Basic mine");

  const auto environment = std::make_shared<inferwire_test::FakeEnvironment>(
      inferwire_test::FakeEnvironment::Texts{{"OPENAI_CUSTOM_HEADERS", "X-Pass: word\nX Team: search"}});
  const auto report = Client({.api_key = key, .environment = environment}).describe_auth();
  REQUIRE(report.problem);
  CHECK_THAT(report.problem->message(), contains("\"X Team\" is not a token"));
  const auto& first = report.settings[report.settings.size() - 2];
  CHECK(first.name == "X-Pass");
  CHECK(first.value == "***");
  CHECK(first.source == "env OPENAI_CUSTOM_HEADERS");
}

TEST_CASE("a header that would break out of its line is refused before anything is sent") {
  for (const auto* value : {"a\r\nEvil: 1", "a\nb", "a\rb"}) {
    const auto by_client = error_of(Client({.api_key = key, .headers = {{"X-Test", value}}}));
    CHECK(by_client.kind == ErrorKind::config);
    const auto by_call = error_of(answering(200, whole_answer), hello, {.headers = {{"X-Test", value}}});
    CHECK(by_call.kind == ErrorKind::config);
    CHECK_THAT(by_call.detail, contains("X-Test"));
  }
}

TEST_CASE("a key with the end of its line is named as that") {
  const auto token = [] { return inferwire::Result<inferwire::Secret>(inferwire::Secret("sk-secret\n")); };
  for (const auto& options : {ClientOptions{.api_key = "sk-secret\r\nEvil: 1"},
                              ClientOptions{.credential = Credential::header("api-key", "sk-secret\n")},
                              ClientOptions{.credential = Credential::callback(token)}}) {
    const auto error = error_of(Client(options));
    CHECK(error.kind == ErrorKind::config);
    CHECK(error.detail.starts_with("the key in the header "));
  }
  // A transport of the caller's own is not trusted to look.
  class Remote final : public inferwire::Transport {
   public:
    inferwire::Result<std::unique_ptr<inferwire::Exchange>> start(
        inferwire::HttpRequest, inferwire::Sink&, const inferwire::ExchangeOptions&) override {
      return Error{.kind = ErrorKind::connection, .detail = "sent"};
    }
    void wake() noexcept override {}
    bool is_remote() const noexcept override { return true; }
  };
  const auto error =
      error_of(Client({.api_key = "sk-secret\r\nEvil: 1", .transport = std::make_shared<Remote>()}));
  CHECK(error.kind == ErrorKind::config);
}

TEST_CASE("a key does not travel over plain http, except to loopback or when allowed by name") {
  const auto error = error_of(Client({.base_url = "http://example.test/v1", .api_key = key}));
  CHECK(error.kind == ErrorKind::config);
  CHECK_THAT(error.detail, contains("plain http"));

  const auto of_own = error_of(
      Client({.base_url = "http://example.test/v1", .credential = Credential::header("X-Pass", key)}));
  CHECK(of_own.kind == ErrorKind::config);
  CHECK_THAT(of_own.detail, contains("plain http"));

  for (auto options :
       {ClientOptions{.base_url = "http://127.0.0.1:9/v1"}, ClientOptions{.base_url = "http://localhost/v1"},
        ClientOptions{.base_url = "http://example.test/v1", .allow_plain_http_key = true}}) {
    options.api_key = key;
    options.transport = std::make_shared<CannedTransport>(
        CannedAnswer{.head = {.status = 200, .headers = {{"Content-Type", "application/json"}}},
                     .chunks = {whole_answer}});
    CHECK(Client(options).chat.create(hello));
  }
}

TEST_CASE("a page of HTML where an answer belongs is recognised") {
  for (const auto* type : {"text/html", "application/json"}) {
    const auto error = error_of(answering(200, "<html><title>Sign in</title></html>", type));
    CHECK(error.kind == ErrorKind::decode);
  }
  CHECK_THAT(error_of(answering(200, "<html><title>Sign in</title></html>", "text/html")).detail,
             contains("HTML") && contains("login page of a network") && contains("It says: Sign in"));
  CHECK(error_of(answering(200, "<html>hi</html>", "text/html")).detail.ends_with("in between?"));
}

TEST_CASE("an empty body is an error that says so") {
  const auto reply = answering(200, "").chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::decode);
  CHECK_THAT(reply.error().detail, contains("empty"));
}

TEST_CASE("no cut of an answer's body is taken for an answer") {
  for (std::size_t size = 1; size < whole_answer.size(); ++size) {
    const auto body = whole_answer.substr(0, size);
    INFO(size);
    CHECK(error_of(answering(200, body)).kind == ErrorKind::decode);
    // A body that ends with the connection may have been cut.
    CannedAnswer cut{.head = {.status = 200, .http_version = "1.1"}, .chunks = {body}};
    const auto error = error_of(Client({.api_key = key,
                                        .retry = inferwire::RetryPolicy::none(),
                                        .transport = std::make_shared<CannedTransport>(std::move(cut))}));
    CHECK(error.kind == ErrorKind::truncated);
    CHECK(error.retryable);
  }
}

TEST_CASE("JSON nested 10,000 deep is an error and no stack overflow") {
  const auto deep = R"({"choices":[],"x":)" + std::string(10'000, '[') + std::string(10'000, ']') + "}";
  const auto error = error_of(answering(200, deep));
  CHECK(error.kind == ErrorKind::decode);
}

TEST_CASE("a prompt that is not UTF-8 is refused with its place") {
  const auto error =
      error_of(answering(200, whole_answer), {.model = "m", .messages = {chat::user("a\xFF")}});
  CHECK(error.kind == ErrorKind::invalid_request);
  CHECK(error.path == "messages[0].content");
}

TEST_CASE("a number that is none is refused by name") {
  auto request = hello;
  for (const auto bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    request.temperature = bad;
    const auto error = error_of(answering(200, whole_answer), request);
    CHECK(error.kind == ErrorKind::invalid_request);
    CHECK(error.path == "temperature");
    CHECK(error.provider == "openai");
  }
}

TEST_CASE("an error inside a good status is an error") {
  const auto error = error_of(answering(200, R"({"error":{"message":"busy","code":503}})"));
  CHECK(error.detail == "busy");
  CHECK(error.code == "503");
}

TEST_CASE("an error beside an empty list of choices is one") {
  const auto error = error_of(
      answering(200, R"({"error":{"message":"no credit","code":"insufficient_quota"},"choices":[]})"));
  CHECK(error.kind == ErrorKind::quota);
  CHECK(error.detail == "no credit");
}

TEST_CASE("error null is no error") {
  auto body = whole_answer;
  body.insert(1, R"("error":null,)");
  CHECK(answering(200, body).chat.create(hello));
}

TEST_CASE("codes beside the choices of a chunk are no errors") {
  for (const std::string code : {"null", "\"\"", "\"NONE\""}) {
    INFO(code);
    const auto client = answering(
        200,
        R"(data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}],"error_code":)" +
            code + "}\n\n",
        "text/event-stream");
    const auto collected = client.chat.stream(hello).collect();
    CHECK_FALSE(collected.error);
    CHECK(collected.response.text() == "Hi");
  }
}

TEST_CASE("a whole answer where a stream was asked for comes as one chunk") {
  auto stream = answering(200, whole_answer).chat.stream(hello);
  auto collected = stream.collect();
  CHECK(collected);
  CHECK(stream.info().not_streamed);
  CHECK(collected.response.text() == "Hi there.");
  // The largest bound is none.
  CannedAnswer answer{.head = {.status = 200, .headers = {{"Content-Type", "application/json"}}},
                      .chunks = {whole_answer}};
  const Client unbounded({.api_key = key,
                          .max_event_bytes = std::numeric_limits<std::size_t>::max(),
                          .transport = std::make_shared<CannedTransport>(std::move(answer))});
  CHECK(unbounded.chat.stream(hello).collect());
  CHECK(collected.response.usage->total() == 5);
}

TEST_CASE("a whole answer where a stream was asked for loses nothing that the answer has") {
  const std::string body =
      R"({"id":"c1","created":1,"model":"m1","service_tier":"flex","mine":1,"choices":[{"index":1,"message":{)"
      R"("role":"assistant","content":"Hi","refusal":"no","reasoning_content":"why","annotations":[{"type":)"
      R"("url_citation","url_citation":{"url":"http://a.test","title":"A"}}],"audio":{"id":"a","data":"AAAA",)"
      R"("transcript":"Hi"},"function_call":{"name":"old","arguments":"{}"},"tool_calls":[{"id":"t1","type":)"
      R"("function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"t2","type":"custom","custom":)"
      R"({"name":"g","input":"free"}}],"theirs":2},"logprobs":{"content":[{"token":"Hi","logprob":-1,)"
      R"("bytes":null,"top_logprobs":[]}]},"finish_reason":"stop","stop_reason":7,"extra_fields":{"x":1},)"
      R"("ours":3}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})";
  const auto whole = answering(200, body).chat.create(hello);
  REQUIRE(whole);
  REQUIRE(whole->choices.at(0).message.tool_calls.size() == 2);
  CHECK(whole->choices.at(0).message.function_call->name == "old");
  auto collected = answering(200, body).chat.stream(hello).collect();
  REQUIRE(collected);
  CHECK(collected.response.choices == whole->choices);
  CHECK(collected.response.usage == whole->usage);
  CHECK(collected.response.extra == whole->extra);
}

TEST_CASE("calls without an id get one, the same in a stream and in a whole answer") {
  const std::string calls =
      R"("tool_calls":[{"index":0,"type":"function","function":{"name":"f","arguments":"{}"}},)"
      R"({"index":1,"id":"own","type":"function","function":{"name":"g","arguments":"{}"}}]})";
  const std::string end = R"(,"finish_reason":"tool_calls"}]})";
  const auto whole =
      answering(200, R"({"id":"c1","choices":[{"index":0,"message":{"role":"assistant",)" + calls + end)
          .chat.create(hello);
  REQUIRE(whole);
  const auto& made = whole->choices.at(0).message.tool_calls.at(0);
  CHECK(made.id.starts_with("call_"));
  CHECK(made.has_generated_id());
  CHECK(whole->choices[0].message.tool_calls.at(1).id == "own");
  const auto streamed =
      answering(200, R"(data: {"id":"c1","choices":[{"index":0,"delta":{)" + calls + end + "\n\n",
                "text/event-stream")
          .chat.stream(hello)
          .collect();
  REQUIRE(streamed);
  CHECK(streamed.response.choices.at(0).message.tool_calls.at(0).id == made.id);
}

TEST_CASE(
    "an id of a call that is a number is its digits, one of another kind makes room for one that is made") {
  const auto call_of = [](const std::string& id) {
    const auto answer = answering(  // TGI 1.4.3, where the id is 0
        200,
        R"({"id":"","object":"text_completion","created":1710795556,"model":"T","choices":[{"finish_reason":)"
        R"("eos_token","index":0,"logprobs":null,"message":{"content":null,"name":null,"role":"assistant",)"
        R"("tool_calls":[{"function":{"description":null,"name":"w","arguments":{"format":"celsius"}},"id":)" +
            id + R"(,"type":"function"}]},"usage":null}]})");
    const auto whole = answer.chat.create(hello);
    REQUIRE(whole);
    const auto message = whole->choices.at(0).message.as_request();
    CHECK(chat::to_json(message));
    return message.tool_calls.at(0);
  };
  CHECK(call_of("0").id == "0");
  CHECK(call_of("12").id == "12");
  for (const std::string odd : {R"({"a":1})", "[1]", "true", "null", R"("")"}) {
    INFO(odd);
    CHECK(call_of(odd).has_generated_id());
  }
}

TEST_CASE("a choice whose message was withheld is an answer, asked for as a whole or as a stream") {  // Azure
  const auto client = answering(
      200, R"({"choices":[{"content_filter_results":{},"finish_reason":"content_filter","index":0}]})");
  const auto whole = client.chat.create(hello);
  REQUIRE(whole);
  CHECK(whole->finish() == chat::Finish::content_filter);
  CHECK(whole->text().empty());
  const auto collected = client.chat.stream(hello).collect();
  REQUIRE(collected);
  CHECK(collected.response.finish() == chat::Finish::content_filter);
  CHECK(collected.response.text().empty());
}

TEST_CASE("an error in the choice of an answer is one, and keeps what there was of it") {  // as on OpenRouter
  const auto client = answering(
      200, R"({"choices":[{"error":{"message":"Upstream","code":502},"finish_reason":"error","index":0,)"
           R"("message":{"role":"assistant","content":"Half"}}]})");
  const auto whole = client.chat.create(hello);
  const auto collected = client.chat.stream(hello).collect();
  REQUIRE_FALSE(whole);
  REQUIRE(collected.error);
  for (const Error* error : {&whole.error(), &*collected.error}) {
    CHECK(error->kind == ErrorKind::server);
    CHECK(error->detail == "Upstream");
    CHECK(error->code == "502");
    CHECK(error->status == 200);
    CHECK(error->retryable);
    CHECK_THAT(error->body, contains("Half"));
  }
  CHECK(answering(200, R"({"choices":[{"error":{},"finish_reason":"error","message":{"content":"a"}}]})")
            .chat.create(hello));
}

TEST_CASE("a whole answer where a stream was asked for is refused where its message is none") {
  const auto collected =
      answering(200, R"({"choices":[{"index":0,"message":{"content":"a"}},{"index":1,"message":[]}]})")
          .chat.stream(hello)
          .collect();
  REQUIRE(collected.error);
  CHECK(collected.error->kind == ErrorKind::decode);
  CHECK(collected.error->path == "choices[1].message");
}

TEST_CASE("a stream where a whole answer was asked for is folded") {
  const std::string events =
      "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Hi "
      "\"}}]}\n\n"
      "data: "
      "{\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"you\"},\"finish_reason\":\"stop\"}]}"
      "\n\n";
  const auto reply = answering(200, events + "data: [DONE]\n\n", "text/event-stream").chat.create(hello);
  REQUIRE(reply);
  CHECK(reply->text() == "Hi you");
  const auto cut = answering(200, events.substr(0, 80), "text/event-stream").chat.create(hello);
  REQUIRE_FALSE(cut);
  CHECK(cut.error().kind == ErrorKind::truncated);
}

TEST_CASE(
    "what is gathered of a stream that has failed is no whole answer, whoever has read of the failure") {
  const std::string piece = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n";
  const auto failed = answering(200, piece, "text/event-stream").chat.stream(hello).collect().result();
  REQUIRE_FALSE(failed);
  CHECK(failed.error().kind == ErrorKind::truncated);
  const auto done = piece + "data: [DONE]\n\n";
  const auto whole = answering(200, done, "text/event-stream").chat.stream(hello).collect().result();
  REQUIRE(whole);
  CHECK(whole->text() == "a");

  auto stream = answering(200, piece, "text/event-stream").chat.stream(hello);
  while (stream.next() != nullptr) {}
  CHECK(inferwire::name(stream.end_reason()) == "failed");
  const auto rest = stream.collect();
  REQUIRE_FALSE(rest);
  CHECK(rest.error->kind == ErrorKind::truncated);

  const auto moved = std::move(stream);
  const auto nothing = stream.collect();  // NOLINT: tests a moved-from stream
  REQUIRE_FALSE(nothing);
  CHECK(nothing.error->kind == ErrorKind::config);
}

TEST_CASE("text that looks like framing stays text") {
  const std::string body =
      R"({"choices":[{"index":0,"delta":{"content":"data: [DONE]\n\ndata: {\"error\":1}"},"finish_reason":"stop"}]})";
  const auto collected = answering(200, "data: " + body + "\n\ndata: [DONE]\n\n", "text/event-stream")
                             .chat.stream(hello)
                             .collect();
  CHECK(collected);
  CHECK(collected.response.text() == "data: [DONE]\n\ndata: {\"error\":1}");
}

TEST_CASE("of several choices asked for, all have to finish") {
  auto request = hello;
  request.n = 2;
  const std::string one =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n";
  const std::string two =
      "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\n\n";
  const auto half = answering(200, one, "text/event-stream").chat.stream(request).collect();
  REQUIRE_FALSE(half);
  CHECK(half.error->kind == ErrorKind::truncated);
  CHECK(half.response.text() == "a");
  CHECK(answering(200, one + two, "text/event-stream").chat.stream(request).collect());
}

TEST_CASE("a query of the base URL goes with every request") {
  auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
  const Client client({.base_url = "https://example.test/openai/?api-version=2024-10-21",
                       .api_key = key,
                       .retry = inferwire::RetryPolicy::none(),
                       .transport = transport});
  const auto url_of = [&](const auto& call) {
    CHECK_FALSE(call());
    return transport->sent()->url;
  };
  const std::string asked = "https://example.test/openai/chat/completions?api-version=2024-10-21";
  CHECK(url_of([&] { return client.chat.create(hello); }) == asked);
  CHECK(url_of([&] { return client.chat.create(hello, {.query = {{"a", "b"}}}); }) == asked + "&a=b");
  CHECK(url_of([&] { return client.request("GET", "/things?x=1"); }) ==
        "https://example.test/openai/things?x=1&api-version=2024-10-21");
}

TEST_CASE("what is sent is what was set, and stream") {
  auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
  const Client client({.api_key = key,
                       .retry = inferwire::RetryPolicy::none(),
                       .headers = {{"X-Team", "a"}},
                       .user_agent = "app/1",
                       .transport = transport});
  static_cast<void>(client.chat.create(hello, {.headers = {{"x-team", "b"}}}));
  REQUIRE(transport->sent());
  const auto& sent = *transport->sent();
  CHECK(sent.body == R"({"model":"m","messages":[{"role":"user","content":"Hello"}],"stream":false})");
  CHECK(sent.url == "https://api.openai.com/v1/chat/completions");
  CHECK(inferwire::find_header(sent.headers, "X-Team") == "b");
  CHECK(inferwire::find_header(sent.headers, "authorization") == std::string("Bearer ") + key);
  CHECK_THAT(std::string(inferwire::find_header(sent.headers, "user-agent").value()), contains("app/1"));
}

TEST_CASE("on invocations the model is in the path and not in the body") {
  auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
  const Client client({.provider = Provider::databricks(),
                       .base_url = "https://adb.test/",
                       .retry = inferwire::RetryPolicy::none(),
                       .transport = transport});
  static_cast<void>(client.chat.create({.model = "my model/1", .messages = {chat::user("x")}}));
  REQUIRE(transport->sent());
  CHECK(transport->sent()->url == "https://adb.test/serving-endpoints/my%20model%2F1/invocations");
  CHECK(transport->sent()->body.text().find("\"model\"") == std::string::npos);
  CHECK(error_of(client, {.messages = {chat::user("x")}}).param == "model");
}

TEST_CASE("the path of an endpoint cannot become a part of the host") {
  auto provider = Provider::openai();
  provider.chat = {.path = "chat/completions"};
  auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
  const auto client_of = [&] {
    return Client({.provider = provider,
                   .base_url = "https://api.example.com",
                   .api_key = key,
                   .retry = inferwire::RetryPolicy::none(),
                   .transport = transport});
  };
  CHECK(error_of(client_of()).kind == ErrorKind::config);
  provider.chat = {.path = "/chat/completions", .stream_path = ".evil.test/stream"};
  const auto collected = client_of().chat.stream(hello).collect();
  REQUIRE(collected.error);
  CHECK(collected.error->kind == ErrorKind::config);
  CHECK_FALSE(transport->sent());
}

TEST_CASE("a call may do without a header of the client's or of the library's") {
  const auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
  const Client client({.api_key = key,
                       .retry = inferwire::RetryPolicy::none(),
                       .headers = {{"X-Team", "search"}, {"X-Cost", "1"}},
                       .transport = transport});
  const CallOptions without{.headers = {{"X-Cost", "2"}},
                            .without_headers = {"x-team", "X-Cost", "user-agent", "X-Nobody"}};
  CHECK_FALSE(client.chat.create(hello, without));
  const auto headers = transport->sent()->headers;
  CHECK_FALSE(find_header(headers, "X-Team"));
  CHECK(find_header(headers, "X-Cost") == "2");
  CHECK_FALSE(find_header(headers, "User-Agent"));
  CHECK(find_header(headers, "Authorization"));
  CHECK_FALSE(client.chat.create(hello));
  CHECK(find_header(transport->sent()->headers, "X-Team") == "search");
}

TEST_CASE("the caller's own Authorization goes before the client's") {
  auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
  const Client client({.api_key = key, .retry = inferwire::RetryPolicy::none(), .transport = transport});
  static_cast<void>(client.chat.create(hello, {.headers = {{"Authorization", "Bearer other"}}}));
  CHECK(inferwire::find_header(transport->sent()->headers, "authorization") == "Bearer other");
}

TEST_CASE("a basic credential is the pair in base64") {
  auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
  const Client client({.credential = Credential::basic("token", "dapi"),
                       .retry = inferwire::RetryPolicy::none(),
                       .transport = transport});
  static_cast<void>(client.chat.create(hello));
  CHECK(inferwire::find_header(transport->sent()->headers, "authorization") == "Basic dG9rZW46ZGFwaQ==");
}

TEST_CASE("a key may go in a header of its own, and the caller's goes before it") {
  auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
  const Client client({.credential = Credential::header("api-key", "of Azure"),
                       .retry = inferwire::RetryPolicy::none(),
                       .transport = transport});
  static_cast<void>(client.chat.create(hello));
  CHECK(inferwire::find_header(transport->sent()->headers, "api-key") == "of Azure");
  CHECK_FALSE(inferwire::find_header(transport->sent()->headers, "authorization"));

  static_cast<void>(client.chat.create(hello, {.headers = {{"Api-Key", "of the call"}}}));
  const auto& headers = transport->sent()->headers;
  CHECK(std::ranges::count(headers, "of the call", &inferwire::Header::value) == 1);
  CHECK(std::ranges::count(headers, "of Azure", &inferwire::Header::value) == 0);
}

TEST_CASE("a key in a header that no header can be is refused before anything is sent") {
  for (const auto& [name, value] : {std::pair("api key", "k"), std::pair("api-key", "k\r\nX-Other: v")}) {
    auto transport = std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
    const Client client({.credential = Credential::header(name, value), .transport = transport});
    CHECK(error_of(client).kind == ErrorKind::config);
    CHECK_FALSE(transport->sent());
  }
}

TEST_CASE("a client that was moved from says so") {
  Client client({.api_key = key});
  const Client other = std::move(client);
  CHECK(error_of(client).kind == ErrorKind::config);
}

TEST_CASE("a zero timeout is refused, by client and by call") {
  using namespace std::chrono_literals;
  CHECK(error_of(Client({.api_key = key, .timeouts = {.idle = 0ms}})).kind == ErrorKind::config);
  CHECK(error_of(answering(200, whole_answer), hello, {.timeouts = {.connect = -1ms}}).kind ==
        ErrorKind::config);
}

TEST_CASE("a cancelled token stops a call before it begins") {
  inferwire::CancelSource source;
  source.cancel();
  CHECK(error_of(answering(200, whole_answer), hello, {.cancel = source.token()}).kind ==
        ErrorKind::cancelled);
}
