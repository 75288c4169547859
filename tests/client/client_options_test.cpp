// The address, the key and the headers of a client: where they come from, and which are refused.
#include "client/one_call.hpp"
#include "inferwire/auth_report.hpp"
#include "inferwire/client.hpp"
#include "support/answered_client.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fake_environment.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

using namespace std::chrono_literals;
using inferwire::CallOptions;
using inferwire::Client;
using inferwire::ClientOptions;
using inferwire::Credential;
using inferwire::Error;
using inferwire::ErrorKind;
using inferwire::Provider;
using inferwire::testing::Reply;
using inferwire_test::AnsweredClient;
using inferwire_test::answering;
using inferwire_test::contains;
using inferwire_test::Environment;
using inferwire_test::error_of;
using inferwire_test::hello;
using inferwire_test::key;
using inferwire_test::whole_answer;

TEST_CASE("without a key the error says where one could come from") {
  Environment no_key("OPENAI_API_KEY", nullptr);
  const auto error = error_of(Client({.base_url = "https://example.test/v1"}));
  CHECK(error.kind == ErrorKind::auth);
  CHECK_THAT(error.detail, contains("OPENAI_API_KEY"));
  CHECK_THAT(error.detail, contains("api_key"));
}

TEST_CASE("an environment variable that is empty or blank counts as not set") {
  Environment blank("OPENAI_API_KEY", "  \n");
  CHECK(error_of(Client({.base_url = "https://example.test/v1"})).kind == ErrorKind::auth);
}

TEST_CASE("timers and limits have the defaults that their comments give") {
  const ClientOptions options;
  CHECK(options.timeouts.connect == 10s);
  CHECK(options.timeouts.first_byte == 600s);
  CHECK(options.timeouts.idle == 300s);
  CHECK_FALSE(options.timeouts.idle_event);
  CHECK(options.timeouts.total == 600s);
  CHECK_FALSE(options.timeouts.overall);
  CHECK(options.max_response_bytes == 256u << 20);
  CHECK(options.max_event_bytes == 32u << 20);
  CHECK(options.stream_buffer_bytes == 64u << 10);
  CHECK(options.network.keep_alive == 60s);
  CHECK(options.network.max_idle == 118s);
  CHECK_FALSE(options.network.max_age);
  CHECK(options.network.max_redirects == 0);
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

TEST_CASE("an empty base_url is Error{config}, a null one counts as not set") {
  const Environment variable("OPENAI_BASE_URL", "https://example.test/v1");
  CHECK_THAT(error_of(Client({.base_url = "", .api_key = key})).detail, contains("base_url is empty"));
  // A null pointer, as std::getenv gives, counts as not set.
  const char* const missing = nullptr;
  CHECK(Client({.base_url = missing, .api_key = key}).describe_auth().base_url == "https://example.test/v1");
}

TEST_CASE("the base URL comes from the variable that the provider's own client reads") {
  const auto environment = std::make_shared<inferwire_test::FakeEnvironment>(
      inferwire_test::FakeEnvironment::Texts{{"OPENAI_BASE_URL", "https://openai.test/v1"},
                                             {"AI21_API_HOST", "https://ai21.test/studio/v1/"},
                                             {"LMI_BASE_URL", "https://lmi.test"},
                                             {"DATABRICKS_HOST", "https://databricks.test"}});
  const auto url_of = [&environment](Provider row) {
    return Client({.provider = std::move(row), .api_key = key, .environment = environment})
        .describe_auth()
        .base_url;
  };
  CHECK(url_of(Provider::openai()) == "https://openai.test/v1");
  CHECK(url_of(Provider::ai21()) == "https://ai21.test/studio/v1");
  CHECK(url_of(Provider::lmi()) == "https://lmi.test");
  CHECK(url_of(Provider::lmi_invocations()) == "https://lmi.test");
  CHECK(url_of(Provider::databricks()) == "https://databricks.test");
}

TEST_CASE("an empty api_key is Error{config}, a null one counts as not set") {
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
}

TEST_CASE("options of which one keeps another from its effect are Error{config}") {
  const Client client({.base_url = "https://example.test", .api_key = key, .credential = Credential::none()});
  const auto error = error_of(client);
  CHECK(error.kind == ErrorKind::config);
  CHECK(error.provider == "openai");
  CHECK_THAT(error.detail, contains("api_key has no effect beside ClientOptions::credential"));
  const auto report = client.describe_auth();
  CHECK(report.provider == "openai");
  REQUIRE(report.problem);
  CHECK(report.problem->provider == "openai");
}

TEST_CASE("Databricks without DATABRICKS_HOST is Error{config}") {
  Environment no_host("DATABRICKS_HOST", nullptr);
  const auto error = error_of(Client({.provider = Provider::databricks(), .api_key = key}));
  CHECK(error.kind == ErrorKind::config);
  CHECK_THAT(error.detail, contains("DATABRICKS_HOST"));
}

TEST_CASE("Databricks' hosts are asked at the same URL with every credential, whatever the base URL's path") {
  using inferwire::Result;
  using inferwire::Secret;
  struct Row {
    Provider provider;
    std::string host;
    std::string base_path;  // beside none
    std::string path;
  };
  const std::string workspace = "https://adb-123.7.azuredatabricks.net";
  const std::string chat = "/serving-endpoints/chat/completions";
  const auto row = GENERATE_COPY(values<Row>({
      // as the OpenAI client of databricks-ai-bridge writes it
      {Provider::databricks_openai(), workspace, "/serving-endpoints", chat},
      {Provider::databricks_openai(), "https://dbc-1.cloud.databricks.com", chat, chat},
      {Provider::databricks_openai(), "https://123.7.gcp.databricks.com", "/serving-endpoints/", chat},
      {Provider::databricks_openai(), "https://adb-123.7.databricks.azure.us", "/serving-endpoints", chat},
      {Provider::databricks(), workspace, "/serving-endpoints/m/invocations",
       "/serving-endpoints/m/invocations"},
      {Provider::databricks_gateway(), workspace, "/ai-gateway/mlflow/v1",
       "/ai-gateway/mlflow/v1/chat/completions"},
      // https://learn.microsoft.com/azure/databricks/ai-gateway/query-endpoints-beta
      {Provider::databricks_gateway(), "https://123.ai-gateway.cloud.databricks.com", "/mlflow/v1",
       "/mlflow/v1/chat/completions"},
      {Provider::databricks_gateway(), "https://123.ai-gateway.gcp.databricks.com", "/mlflow/v1",
       "/mlflow/v1/chat/completions"},
      {Provider::databricks_gateway(), "https://123.7.ai-gateway.azuredatabricks.net", "/mlflow/v1",
       "/mlflow/v1/chat/completions"},
  }));
  const auto url_sent = [&row](ClientOptions options) {
    options.provider = row.provider;
    const AnsweredClient at(Reply::error(500), std::move(options));
    CHECK_FALSE(at.client.chat.create(hello));
    return at.sent().url;
  };
  const auto url = row.host + row.path;
  for (const auto& base : {row.host, row.host + row.base_path}) {
    CAPTURE(base);
    const auto nothing = inferwire::Environment::none();
    const auto variable = std::make_shared<inferwire_test::FakeEnvironment>(
        inferwire_test::FakeEnvironment::Texts{{"DATABRICKS_HOST", base}});
    CHECK(url_sent({.base_url = base, .api_key = key, .environment = nothing}) == url);
    CHECK(url_sent({.api_key = key, .environment = variable}) == url);
    for (const auto& credential :
         {Credential::none(), Credential::bearer(Secret(key)),
          Credential::callback([]() -> Result<Secret> { return Secret(key); }),
          Credential::databricks({.host = workspace, .token = Secret(key), .environment = nothing})}) {
      CHECK(url_sent({.base_url = base, .credential = credential, .environment = nothing}) == url);
    }
    CHECK(url_sent({.credential = Credential::bearer(Secret(key)), .environment = variable}) == url);
  }
}

TEST_CASE("network_transport() needs a host and a key") {
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

TEST_CASE("a transport of the caller's own without a base URL is asked at in-process.invalid") {
  const bool keyless = GENERATE(false, true);
  const AnsweredClient at(Reply::error(500),
                          {.provider = Provider::databricks(),
                           .api_key = keyless ? inferwire::Optional<inferwire::Secret>() : key,
                           .credential = keyless ? Credential::none() : nullptr,
                           .environment = std::make_shared<inferwire_test::FakeEnvironment>(
                               inferwire_test::FakeEnvironment::Texts())});
  CHECK(error_of(at.client).kind == ErrorKind::server);
  CHECK(at.sent().url.starts_with("https://in-process.invalid/"));
}

TEST_CASE("Provider::auth.scheme makes the credential of a provider") {
  const auto header_sent = [](inferwire::AuthScheme scheme) {
    auto provider = Provider::openai();
    provider.auth.scheme = scheme;
    provider.auth.service = "mail";
    const AnsweredClient at(Reply::error(500), {.provider = provider, .api_key = key});
    CHECK_FALSE(at.client.chat.create(hello));
    return std::string(find_header(at.sent().headers, "Authorization").value_or("none"));
  };
  CHECK(header_sent([](const inferwire::AuthRow& row, inferwire::AuthInputs inputs) {
          return Credential::bearer(std::string(inputs.key.reveal()) + "@" + row.service);
        }) == std::string("Bearer ") + key + "@mail");
  CHECK(header_sent([](const inferwire::AuthRow&, inferwire::AuthInputs) {
          return std::shared_ptr<Credential>();
        }) == "none");
  CHECK(header_sent(nullptr) == "none");
}

TEST_CASE("OPENAI_ORG_ID and OPENAI_PROJECT_ID are sent as headers") {
  const auto environment = std::make_shared<inferwire_test::FakeEnvironment>(
      inferwire_test::FakeEnvironment::Texts{{"OPENAI_ORG_ID", " org-1\n"}, {"OPENAI_PROJECT_ID", "proj_1"}});
  const auto sent_by = [&environment](inferwire::ClientOptions options, const CallOptions& call = {}) {
    options.api_key = key;
    options.environment = environment;
    const AnsweredClient at(Reply::error(500), std::move(options));
    CHECK_FALSE(at.client.chat.create(hello, call));
    return at.sent().headers;
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

TEST_CASE("describe_auth conceals headers that may be keys") {
  auto gateway = Provider::openai();
  gateway.auth.headers = {{"X-Team", "TEAM"}, {"X-Gateway-Key", "GATEWAY_KEY"}};
  const auto environment = std::make_shared<inferwire_test::FakeEnvironment>(
      inferwire_test::FakeEnvironment::Texts{{"TEAM", "search"}, {"GATEWAY_KEY", "gw-1234567890"}});
  const auto report =
      Client({.provider = gateway, .api_key = key, .environment = environment}).describe_auth();
  REQUIRE(report.settings.size() >= 2);
  CHECK(report.settings[report.settings.size() - 2].value == "search");
  CHECK(report.settings.back().name == "X-Gateway-Key");
  CHECK(report.settings.back().value == "***");
}

TEST_CASE("OPENAI_CUSTOM_HEADERS gives headers line by line") {
  const auto sent_with = [](std::string lines, ClientOptions options = {}) {
    options.api_key = key;
    options.environment =
        std::make_shared<inferwire_test::FakeEnvironment>(inferwire_test::FakeEnvironment::Texts{
            {"OPENAI_ORG_ID", "org-1"}, {"OPENAI_CUSTOM_HEADERS", std::move(lines)}});
    const AnsweredClient at(Reply::error(500), std::move(options));
    CHECK_FALSE(at.client.chat.create(hello));
    return at.sent().headers;
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

TEST_CASE("describe_auth names an Authorization of the caller, which replaces a credential with a problem") {
  const auto environment = std::make_shared<inferwire_test::FakeEnvironment>(
      inferwire_test::FakeEnvironment::Texts{{"OPENAI_CUSTOM_HEADERS", "authorization: Basic mine"}});
  const auto empty = inferwire::Environment::none();
  for (const auto& options :
       {ClientOptions{.environment = environment},
        ClientOptions{.headers = {{"Authorization", "Bearer sk-own"}}, .environment = empty}}) {
    const auto report = Client(options).describe_auth();
    CHECK(report.method == "the caller's own Authorization header");
    CHECK_FALSE(report.problem);
  }
  CHECK(Client({.environment = empty}).describe_auth().problem);
}

TEST_CASE("a header that would break out of its line is refused before anything is sent") {
  for (const auto* value : {"a\r\nEvil: 1", "a\nb", "a\rb"}) {
    const auto by_client = error_of(Client({.api_key = key, .headers = {{"X-Test", value}}}));
    CHECK(by_client.kind == ErrorKind::config);
    const auto by_call =
        error_of(answering(Reply::json(whole_answer)), hello, {.headers = {{"X-Test", value}}});
    CHECK(by_call.kind == ErrorKind::config);
    CHECK_THAT(by_call.detail, contains("X-Test"));
  }
}

TEST_CASE("a key that has a line end is Error{config}") {
  const auto token = [] { return inferwire::Result<inferwire::Secret>(inferwire::Secret("sk-secret\n")); };
  for (const auto& options : {ClientOptions{.api_key = "sk-secret\r\nEvil: 1"},
                              ClientOptions{.credential = Credential::header("api-key", "sk-secret\n")},
                              ClientOptions{.credential = Credential::callback(token)}}) {
    const auto error = error_of(Client(options));
    CHECK(error.kind == ErrorKind::config);
    CHECK(error.detail.starts_with("the key in the header "));
  }
  // A custom transport is not trusted to check.
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

TEST_CASE("describe_auth reports options of the network that cannot be used") {
  const Client client({.base_url = "https://example.test", .api_key = key, .network = {.max_redirects = -1}});
  const auto problem = client.describe_auth().problem;
  REQUIRE(problem);
  CHECK(problem->kind == ErrorKind::config);
  CHECK(problem->provider == "openai");
  CHECK(problem->detail == error_of(client).detail);
}

TEST_CASE("describe_auth reports that a key would travel over plain http") {
  const auto problem_of = [](ClientOptions options) {
    options.environment = inferwire::Environment::none();
    return Client(std::move(options)).describe_auth().problem;
  };
  const std::string plain = "http://example.test/v1";
  for (const auto& options :
       {ClientOptions{.base_url = plain, .api_key = key},
        ClientOptions{.base_url = plain, .credential = Credential::header("X-Pass", key)},
        ClientOptions{.base_url = plain, .headers = {{"Authorization", "Basic mine"}}},
        ClientOptions{.base_url = plain + "?api-key=sk-secret", .credential = Credential::none()}}) {
    const auto problem = problem_of(options);
    REQUIRE(problem);
    CHECK(problem->kind == ErrorKind::config);
    CHECK_THAT(problem->detail, contains("plain http"));
  }
  CHECK_FALSE(problem_of({.base_url = plain, .credential = Credential::none()}));
  CHECK_FALSE(problem_of({.base_url = plain, .api_key = key, .allow_plain_http_key = true}));
  CHECK_FALSE(problem_of({.base_url = "http://localhost/v1", .api_key = key}));
}

TEST_CASE("a key does not travel over plain http, except to loopback or when allowed by name") {
  const auto error = error_of(Client({.base_url = "http://example.test/v1", .api_key = key}));
  CHECK(error.kind == ErrorKind::config);
  CHECK_THAT(error.detail, contains("plain http"));

  const auto of_own = error_of(
      Client({.base_url = "http://example.test/v1", .credential = Credential::header("X-Pass", key)}));
  CHECK(of_own.kind == ErrorKind::config);
  CHECK_THAT(of_own.detail, contains("plain http"));

  const auto in_query = error_of(
      Client({.base_url = "http://example.test/v1?api-key=sk-secret", .credential = Credential::none()}));
  CHECK(in_query.kind == ErrorKind::config);
  CHECK_THAT(in_query.detail, contains("plain http"));

  const auto environment =
      std::make_shared<inferwire_test::FakeEnvironment>(inferwire_test::FakeEnvironment::Texts{
          {"OPENAI_ORG_ID", "org-1"}, {"OPENAI_CUSTOM_HEADERS", "X-Who: ada"}});
  ClientOptions found{
      .base_url = "http://example.test/v1", .credential = Credential::none(), .environment = environment};
  CHECK_THAT(error_of(Client(found)).detail, contains("plain http") && contains("X-Who"));
  const auto replacing = answering(Reply::json(whole_answer), found);
  CHECK(replacing.chat.create(hello, {.headers = {{"x-who", "bob"}}}));
  CHECK_FALSE(replacing.chat.create(hello, {.headers = {{"x-who", "ada"}}}));
  found.provider.auth.headers_variable.clear();
  CHECK(answering(Reply::json(whole_answer), found).chat.create(hello));
  found.environment = std::make_shared<inferwire_test::FakeEnvironment>(
      inferwire_test::FakeEnvironment::Texts{{"OPENAI_ORG_ID", "***"}});  // looks like a concealed key
  CHECK(answering(Reply::json(whole_answer), found).chat.create(hello));

  const AnsweredClient own_transport(Reply::json(whole_answer),
                                     {.base_url = "http://example.test/v1", .api_key = key});
  CHECK_THAT(error_of(own_transport.client).detail, contains("ClientOptions::allow_plain_http_key"));
  CHECK(own_transport.script->requests().empty());

  for (auto options :
       {ClientOptions{.base_url = "http://127.0.0.1:9/v1"}, ClientOptions{.base_url = "http://localhost/v1"},
        ClientOptions{.base_url = "http://example.test/v1", .allow_plain_http_key = true}}) {
    options.api_key = key;
    CHECK(answering(Reply::json(whole_answer), std::move(options)).chat.create(hello));
  }
}
