#include "inferwire/credential.hpp"

#include "auth/databricks/sources.hpp"
#include "auth/fetch/oauth_source.hpp"
#include "inferwire/auth_report.hpp"
#include "inferwire/cancel.hpp"
#include "inferwire/provider.hpp"
#include "protocol/signing/sha256.hpp"
#include "protocol/signing/sigv4.hpp"
#include "support/catch.hpp"
#include "support/fake_environment.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>

using namespace inferwire;
using namespace inferwire_test;
using namespace std::chrono_literals;

namespace {

const Instant start{inferwire::TimePoint(1h),
                    std::chrono::system_clock::time_point(std::chrono::seconds(1767225600))};

Instant later(std::chrono::seconds time) { return {start.steady + time, start.wall + time}; }

/// The header that `credential` sets, or the kind of its error.
std::string header_of(Credential& credential, Instant now = start) {
  HttpRequest request;
  const auto prepared = credential.prepare(request, now);
  if (const auto* error = std::get_if<Error>(&prepared)) return std::string(inferwire::name(error->kind));
  REQUIRE(std::holds_alternative<Credential::Ready>(prepared));
  return std::string(find_header(request.headers, "authorization").value_or("none"));
}

/// Its files cannot be read.
struct LockedFiles final : Environment {
  explicit LockedFiles(FakeEnvironment::Texts variables) : fake(std::move(variables)) {}
  Optional<std::string> variable(const std::string& name) const override { return fake.variable(name); }
  Result<Optional<std::string>> file(const std::string& path) const override {
    return Error{.kind = ErrorKind::config, .detail = "the file " + path + " cannot be read"};
  }
  FakeEnvironment fake;
};

}  // namespace

TEST_CASE("Credential::bearer, basic and none are sent as they are") {
  const auto bearer = Credential::bearer("k");
  CHECK(header_of(*bearer) == "Bearer k");
  CHECK_FALSE(bearer->refused(0));
  CHECK(header_of(*Credential::basic("token", "dapi")) == "Basic dG9rZW46ZGFwaQ==");
  CHECK(header_of(*Credential::none()) == "none");
  CHECK(Credential::none()->describe().method == "none");
}

TEST_CASE("a Credential with an empty key or token is an auth error") {
  CHECK(header_of(*Credential::bearer("")) == "auth");
  CHECK(header_of(*Credential::header("api-key", "")) == "auth");
  CHECK(header_of(*Credential::callback([]() -> Result<Secret> { return Secret(); })) == "auth");
  CHECK(header_of(*Credential::callback([]() -> Result<AccessToken> { return AccessToken{}; })) == "auth");
}

TEST_CASE("Credential::basic conceals the password, too") {
  std::string echoed = "no such password: pass-word";
  Credential::basic("user", "pass-word")->conceal(echoed);
  CHECK(echoed == "no such password: ***");
}

TEST_CASE("a scheme that may go without a credential does so where nothing is set") {
  for (const auto& row : {inferwire::Provider::databricks(), inferwire::Provider::sagemaker()}) {
    const auto environment =
        std::make_shared<FakeEnvironment>(FakeEnvironment::Texts{{"AWS_EC2_METADATA_DISABLED", "true"}});
    const auto credential = row.auth.scheme(row.auth, {.environment = environment, .optional = true});
    CHECK(header_of(*credential) == "none");
    CHECK(credential->describe().method == "none");
  }
}

TEST_CASE("Credential::callback of a key is called for each request") {
  int asked = 0;
  const auto credential = Credential::callback([&asked]() -> Result<Secret> {
    if (++asked == 3) return Error{.kind = ErrorKind::auth, .detail = "the vault is closed"};
    return Secret("k" + std::to_string(asked));
  });
  CHECK(header_of(*credential) == "Bearer k1");
  CHECK(header_of(*credential) == "Bearer k2");
  CHECK(header_of(*credential) == "auth");
  CHECK(credential->refused(0));
}

TEST_CASE("Credential::callback takes a function that cannot fail") {
  CHECK(header_of(*Credential::callback([] { return Secret("k"); })) == "Bearer k");
  CHECK(header_of(*Credential::callback([] { return AccessToken{"t"}; })) == "Bearer t");
}

TEST_CASE("Credential::callback of a token is called when the token is old or refused") {
  int asked = 0;
  const auto credential = Credential::callback([&asked]() -> Result<AccessToken> {
    return AccessToken{"t" + std::to_string(++asked), start.wall + 1h * asked};
  });
  CHECK(header_of(*credential) == "Bearer t1");
  CHECK(header_of(*credential, later(39min)) == "Bearer t1");
  CHECK(header_of(*credential, later(41min)) == "Bearer t2");
  CHECK(credential->refused(2));
  CHECK(header_of(*credential, later(42min)) == "Bearer t3");
}

TEST_CASE("Credential::callback does not use an expired token") {
  const auto tokens = Credential::callback([]() -> Result<AccessToken> {
    return AccessToken{"old", std::chrono::system_clock::time_point::min()};
  });
  CHECK(header_of(*tokens) == "auth");
}

TEST_CASE("a grant's credential may use the one that renews it while it conceals") {
  struct Asking final : Credential {
    Prepared prepare(HttpRequest&, Instant) override { return Ready{}; }
    void conceal(std::string& text) override {
      if (keeper != nullptr) keeper->refused(0);
      text = "***";
    }
    Credential* keeper{};
  };
  struct Source final : GrantSource {
    explicit Source(std::shared_ptr<Credential> given) : credential(std::move(given)) {}
    Step next(Instant) override { return Grant{credential}; }
    std::shared_ptr<Credential> credential;
  };
  const auto granted = std::make_shared<Asking>();
  const auto keeper = Credential::refreshing(std::make_unique<Source>(granted));
  granted->keeper = keeper.get();
  header_of(*keeper);
  std::string text = "a secret";
  keeper->conceal(text);
  CHECK(text == "***");
}

TEST_CASE("a grant's credential may use the one that renews it while it is destroyed") {
  struct Seen {
    Credential* keeper{};
    int destroyed{};
  };
  struct Leaving final : Credential {
    explicit Leaving(Seen& by) : seen(by) {}
    ~Leaving() override {
      ++seen.destroyed;
      std::string text;
      if (seen.keeper != nullptr) seen.keeper->conceal(text);
    }
    Prepared prepare(HttpRequest&, Instant) override { return Ready{}; }
    Seen& seen;
  };
  struct Source final : GrantSource {
    explicit Source(Seen& by) : seen(by) {}
    Step next(Instant now) override { return Grant{std::make_shared<Leaving>(seen), now.wall + 1h}; }
    Seen& seen;
  };
  const bool refused = GENERATE(true, false);
  Seen seen;
  const auto keeper = Credential::refreshing(std::make_unique<Source>(seen));
  seen.keeper = keeper.get();
  for (const auto time : {0h, 1h, 2h}) {
    HttpRequest request;
    const auto prepared = keeper->prepare(request, later(time));
    const auto& ready = std::get<Credential::Ready>(prepared);
    if (refused) keeper->refused(ready.version);
  }
  CHECK(seen.destroyed == (refused ? 2 : 1));
  seen.keeper = nullptr;
}

TEST_CASE("Credential::callback conceals its keys and its last two tokens") {
  const auto keys = Credential::callback([]() -> Result<Secret> { return Secret("key-of-the-vault"); });
  header_of(*keys);
  std::string echoed = "no such key: key-of-the-vault";
  keys->conceal(echoed);
  CHECK(echoed == "no such key: ***");

  // Each call in progress has its own key.
  int given = 0;
  const auto fresh = Credential::callback(
      [&given]() -> Result<Secret> { return Secret("key-" + std::to_string(++given) + "-of-the-vault"); });
  header_of(*fresh);
  header_of(*fresh);
  std::string late = "key-1-of-the-vault, key-2-of-the-vault";
  fresh->conceal(late);
  CHECK(late == "***, ***");

  // A key that is still in use is not forgotten because it is old.
  const auto pooled = Credential::callback([&given]() -> Result<Secret> {
    return Secret(given++ % 2 == 0 ? "key-of-the-pool" : "key-" + std::to_string(given) + "-of-the-vault");
  });
  given = 0;
  for (int call = 0; call < 1001; ++call) {
    header_of(*pooled);
    std::string old = "key-of-the-pool";
    pooled->conceal(old);
    CHECK(old == "***");
  }
  // Text is searched for a few keys alone.
  std::string older = "key-900-of-the-vault";
  pooled->conceal(older);
  CHECK(older == "key-900-of-the-vault");

  int asked = 0;
  const auto tokens = Credential::callback([&asked]() -> Result<AccessToken> {
    return AccessToken{"token-" + std::to_string(++asked) + "-of-the-vault"};
  });
  header_of(*tokens);
  CHECK(tokens->refused(1));
  std::string refused = "token-1-of-the-vault is refused";
  tokens->conceal(refused);
  CHECK(refused == "*** is refused");
  header_of(*tokens);
  std::string both = "token-1-of-the-vault, token-2-of-the-vault";
  tokens->conceal(both);
  CHECK(both == "***, ***");
}

TEST_CASE("a token that still serves is renewed by one call, within a short time") {
  for (const bool runs : {false, true}) {
    CAPTURE(runs);
    struct Source final : inferwire::GrantSource {
      explicit Source(bool program) : runs_(program) {}
      Step next(inferwire::Instant now) override {
        asked_ = !asked_;
        if (!asked_) return inferwire::Grant{Credential::bearer("t"), now.wall + 1h};
        if (runs_) return Credential::Run{.command = {"give"}};
        return Credential::Fetch{.request = {.url = "https://h.test/"}};
      }
      bool runs_;
      bool asked_{};
    };
    const auto credential = Credential::refreshing(std::make_unique<Source>(runs));
    const auto ask = [&](inferwire::Instant now) {
      HttpRequest request;
      auto prepared = credential->prepare(request, now);
      auto* fetch = std::get_if<Credential::Fetch>(&prepared);
      if (fetch != nullptr) return std::pair(fetch->limit, fetch->retry);
      auto* run = std::get_if<Credential::Run>(&prepared);
      return std::pair(run != nullptr ? run->limit : inferwire::Duration(), !runs);
    };
    CHECK(ask(start) == std::pair(inferwire::Duration(30s), !runs));
    CHECK(header_of(*credential) == "Bearer t");
    CHECK(ask(later(41min)) == std::pair(inferwire::Duration(10s), false));
  }
}

TEST_CASE("calls wait while a program gets the token for one of them") {
  struct Source final : inferwire::GrantSource {
    Step next(inferwire::Instant) override { return Credential::Run{.command = {"give"}}; }
  };
  const auto credential = Credential::refreshing(std::make_unique<Source>());
  HttpRequest request;
  const auto first = credential->prepare(request, start);
  CHECK(std::holds_alternative<Credential::Run>(first));
  const auto waits_for_own_thread = [&] {
    HttpRequest second;
    const auto prepared = credential->prepare(second, start);
    const auto* const wait = std::get_if<Credential::Wait>(&prepared);
    return wait != nullptr ? std::optional(wait->on_this_thread) : std::nullopt;
  };
  CHECK(waits_for_own_thread() == true);
  std::optional<bool> elsewhere;
  std::thread([&] { elsewhere = waits_for_own_thread(); }).join();
  CHECK(elsewhere == false);
}

TEST_CASE("the metadata service of an AWS instance, which may not be there, is asked once for a short time") {
  if (!inferwire::protocol::has_sha256()) return;
  const auto credential =
      Credential::sigv4({.region = "eu-west-1", .environment = inferwire::Environment::none()});
  HttpRequest request;
  const auto prepared = credential->prepare(request, start);
  const auto* fetch = std::get_if<Credential::Fetch>(&prepared);
  REQUIRE(fetch != nullptr);
  CHECK(fetch->limit <= 5s);
  CHECK_FALSE(fetch->retry);
}

TEST_CASE("Credential::base_url of a malformed Databricks host is an error") {
  const auto credential = Credential::databricks(
      {.host = "https://x y", .token = "dapi-1", .environment = inferwire::Environment::none()});
  const auto url = credential->base_url("");
  REQUIRE_FALSE(url);
  CHECK_THAT(url.error().detail, inferwire_test::contains("the host of the workspace"));
}

TEST_CASE(
    "Credential::databricks takes the workspace from the client's base URL where nothing else names it") {
  const auto host_of = [](inferwire::DatabricksOptions options, FakeEnvironment::Texts variables) {
    options.environment = std::make_shared<FakeEnvironment>(std::move(variables));
    const auto credential = Credential::databricks(std::move(options));
    credential->offer({}, {.base_url = "https://own.test/serving-endpoints"});
    return *credential->base_url("");
  };
  CHECK(host_of({.client_id = "app", .client_secret = "dose"}, {}) == "https://own.test");
  CHECK(host_of({.host = "h.test", .token = "t"}, {}) == "https://h.test");
  CHECK(host_of({.token = "t"}, {{"DATABRICKS_HOST", "env.test"}}) == "https://env.test");
}

TEST_CASE("azure_source asks the workspace for its tenant again when that gives no token") {
  auto source = inferwire::auth::azure_source({.host = "https://h.test", .client_id = "app"});
  REQUIRE(source);
  const auto asked = [&source] { return std::get<Credential::Fetch>((*source)->next(start)).request.url; };
  for (int round = 0; round < 2; ++round) {
    CHECK(asked() == "https://h.test/aad/auth");
    inferwire::ResponseHead head{.status = 302};
    head.headers.add("Location", "https://login.microsoftonline.com/ten/oauth2/authorize");
    (*source)->accept(head, "", start);
    CHECK(asked() == "https://login.microsoftonline.com/ten/oauth2/token");
    (*source)->accept({.status = 400}, "", start);
    CHECK(std::holds_alternative<Error>((*source)->next(start)));
  }
}

TEST_CASE("oauth_source asks for the metadata again when the guess without it gave no token") {
  const auto source = inferwire::auth::oauth_source(
      {.metadata_url = "https://h.test/metadata", .token_url = "https://h.test/guess"},
      inferwire::auth::ClientSecret{});
  const auto asked = [&source] { return std::get<Credential::Fetch>(source->next(start)).request.url; };
  for (const bool answered : {true, false}) {
    CHECK(asked() == "https://h.test/metadata");
    source->accept({.status = 503}, "", start);
    CHECK(asked() == "https://h.test/guess");
    if (answered) source->accept({.status = 404}, "", start);
    if (!answered) source->failed({.kind = ErrorKind::connection}, start);
    CHECK(std::holds_alternative<Error>(source->next(start)));
  }
  CHECK(asked() == "https://h.test/metadata");
  source->accept({.status = 200}, R"({"token_endpoint":"https://h.test/named"})", start);
  for (int round = 0; round < 3; ++round) {
    CHECK(asked() == "https://h.test/named");
    source->accept({.status = 404}, "", start);
    CHECK(std::holds_alternative<Error>(source->next(start)));
  }
}

TEST_CASE("oauth_source never uses a token endpoint with plain http that a remote service names") {
  const auto source = inferwire::auth::oauth_source({.metadata_url = "https://h.test/metadata"},
                                                    inferwire::auth::ClientSecret{});
  for (int round = 0; round < 2; ++round) {
    CHECK(std::get<Credential::Fetch>(source->next(start)).request.url == "https://h.test/metadata");
    source->accept({.status = 200}, R"({"token_endpoint":"http://localhost/token"})", start);
    CHECK(std::holds_alternative<Error>(source->next(start)));
  }
}

TEST_CASE("an exception of Credential::callback is the error of all that waited, and is retried after 1 s") {
  int asked = 0;
  const auto credential = Credential::callback([&asked]() -> Result<AccessToken> {
    if (++asked == 1) throw std::runtime_error("no vault");
    return AccessToken{"t"};
  });
  for (int call = 0; call < 3; ++call) {
    HttpRequest request;
    const auto prepared = credential->prepare(request, start);
    REQUIRE(std::holds_alternative<Error>(prepared));
    CHECK(std::get<Error>(prepared).kind == ErrorKind::auth);
    CHECK(std::get<Error>(prepared).detail == "the credential threw: no vault");
  }
  CHECK(asked == 1);
  HttpRequest request;
  CHECK(std::holds_alternative<Credential::Ready>(credential->prepare(request, later(2s))));
  CHECK(asked == 2);
}

TEST_CASE("the error of a slow Credential::callback lasts for a second from its end") {
  int asked = 0;
  const auto credential = Credential::callback([&asked]() -> Result<AccessToken> {
    ++asked;
    const auto end = std::chrono::steady_clock::now() + 20ms;
    while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return Error{.kind = ErrorKind::auth, .detail = "the vault is closed"};
  });
  CHECK(header_of(*credential) == "auth");
  const auto soon = start.steady + 1s + 10ms;
  CHECK(header_of(*credential, {soon, start.wall}) == "auth");
  CHECK(asked == 1);
}

TEST_CASE("a call whose own fetch failed does not wait for the next one's") {
  /// Fails once, and keeps what a second call is told meanwhile.
  struct Source final : inferwire::GrantSource {
    Step next(inferwire::Instant) override {
      if (asked++ > 0) return Credential::Fetch{.request = {.url = "https://h.test/"}};
      during();
      return Error{.kind = ErrorKind::auth, .detail = "the vault is closed"};
    }
    std::function<void()> during;
    int asked{};
  };
  auto own = std::make_unique<Source>();
  auto& source = *own;
  const auto credential = Credential::refreshing(std::move(own));
  struct Second {
    explicit Second(Credential& of) : credential(of) {}
    Credential& credential;
    Credential::Prepared prepared{Credential::Ready{}};
    std::optional<inferwire::CancelToken::Hook> waits{};
    void ask(Instant now) {
      HttpRequest request;
      prepared = credential.prepare(request, now);
    }
  } second(*credential);
  source.during = [&second] {
    std::thread([&second] { second.ask(start); }).join();
    REQUIRE(std::holds_alternative<Credential::Wait>(second.prepared));
    // The second call comes late, once the first has failed, and fetches.
    second.waits.emplace(
        std::get<Credential::Wait>(second.prepared).over,
        [](void* call) { static_cast<Second*>(call)->ask(later(5s)); }, &second);
  };
  CHECK(header_of(*credential) == "auth");
  CHECK(std::holds_alternative<Credential::Fetch>(second.prepared));
}

TEST_CASE("Credential::databricks uses the client's Environment unless it has its own") {
  const auto environment_of = [](const char* token) {
    return std::make_shared<FakeEnvironment>(
        FakeEnvironment::Texts{{"DATABRICKS_HOST", "h.test"}, {"DATABRICKS_TOKEN", token}});
  };
  const auto header_with = [&](inferwire::DatabricksOptions options) {
    const auto credential = Credential::databricks(std::move(options));
    credential->offer({}, {.environment = environment_of("client's")});
    credential->offer({}, {.environment = environment_of("of a second client")});
    return header_of(*credential);
  };
  CHECK(header_with({}) == "Bearer client's");
  CHECK(header_with({.environment = environment_of("its own")}) == "Bearer its own");
}

TEST_CASE("an unreadable ~/.databrickscfg is left out with a note") {
  const auto locked = [](FakeEnvironment::Texts variables) {
    variables["HOME"] = "/home/u";
    return Credential::databricks({.environment = std::make_shared<LockedFiles>(std::move(variables))});
  };
  const auto report = locked({})->describe();
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0] == "left out: the file /home/u/.databrickscfg cannot be read");
  CHECK(locked({{"DATABRICKS_CONFIG_PROFILE", "dev"}})->describe().notes.empty());
}

TEST_CASE("unreadable AWS files at their default paths are left out with a note") {
  if (const auto problem = inferwire::protocol::problem_with_signing()) {
    WARN("not tested: " << problem->detail);
    return;
  }
  const FakeEnvironment::Texts beside_a_container{{"AWS_REGION", "eu-west-1"},
                                                  {"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/keys"}};
  const auto service = Credential::sigv4({.environment = std::make_shared<LockedFiles>(beside_a_container)});
  HttpRequest request{.url = "https://h.test/"};
  CHECK(std::holds_alternative<Credential::Fetch>(service->prepare(request, start)));
  CHECK(service->describe().notes.size() == 2);
  for (const auto* name : {"AWS_PROFILE", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"}) {
    auto variables = beside_a_container;
    variables[name] = "dev";
    CHECK(header_of(*Credential::sigv4({.environment = std::make_shared<LockedFiles>(variables)})) ==
          "config");
  }
}

TEST_CASE("a Databricks credential with workspace_id is renewed and concealed like any other") {
  const auto credential = Credential::databricks({.host = "h.test",
                                                  .workspace_id = "9",
                                                  .client_id = "app",
                                                  .client_secret = "dose",
                                                  .environment = inferwire::Environment::none()});
  HttpRequest request{.url = "https://h.test/"};
  const auto fetches = [&] {
    return std::holds_alternative<Credential::Fetch>(credential->prepare(request, start));
  };
  const auto answer = [&](const std::string& body) { credential->accept({.status = 200}, body, start); };
  REQUIRE(fetches());
  answer(R"({"token_endpoint":"https://h.test/token"})");
  REQUIRE(fetches());
  answer(R"({"access_token":"token-of-app","expires_in":3600})");
  CHECK_FALSE(find_header(request.headers, "X-Databricks-Org-Id"));
  const auto prepared = credential->prepare(request, start);
  REQUIRE(std::holds_alternative<Credential::Ready>(prepared));
  CHECK(find_header(request.headers, "X-Databricks-Org-Id") == "9");
  CHECK(find_header(request.headers, "Authorization") == "Bearer token-of-app");

  std::string text = "refused: token-of-app";
  credential->conceal(text);
  CHECK(text == "refused: ***");

  CHECK(credential->refused(std::get<Credential::Ready>(prepared).version));
  REQUIRE(fetches());
  credential->failed({.kind = ErrorKind::connection}, start);
  CHECK(header_of(*credential) == "connection");
}
