/// \file
/// Tokens over real sockets: Databricks' OAuth, refusals, waiting calls, many threads on one client.

#include "inferwire/batch.hpp"
#include "inferwire/cancel.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/event_loop.hpp"
#include "inferwire/network.hpp"
#include "inferwire/pending.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/fake_environment.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using namespace std::chrono_literals;

namespace {

const std::string answer = answer_of("Hi.");

/// A workspace that issues tokens t1, t2, ... to a service principal, and accepts only the last one.
class Workspace {
 public:
  Workspace() {
    server_.keep_secrets();
    server_.set_handler([this](const HttpRequest& request) { return reply(request); });
  }

  MockServer& server() { return server_; }
  int tokens() const { return tokens_; }
  /// Invalidates all tokens issued so far.
  void expire_tokens() { expired_ = tokens_.load(); }
  /// Refuses the next `times` requests for a token, each time asking for a wait of `wait` milliseconds.
  void refuse_tokens(int times, std::string wait = "1") {
    refusals_ = times;
    wait_ = std::move(wait);
  }
  /// Sets the lifetime of issued tokens, in seconds.
  void set_lifetime(int seconds) { lifetime_ = seconds; }
  /// Delays tokens until `gate` is open.
  void set_gate(Gate gate) { gate_ = std::move(gate); }

  Client client(inferwire::Timeouts timeouts = {}, std::shared_ptr<inferwire::Transport> transport = nullptr,
                std::shared_ptr<inferwire::EventLoop> loop = nullptr) const {
    return Client({.provider = Provider::databricks(),
                   .timeouts = timeouts,
                   .transport = std::move(transport),
                   .loop = std::move(loop),
                   .environment = std::make_shared<FakeEnvironment>(
                       FakeEnvironment::Texts{{"DATABRICKS_HOST", server_.url()},
                                              {"DATABRICKS_CLIENT_ID", "app"},
                                              {"DATABRICKS_CLIENT_SECRET", "dose"}})});
  }

 private:
  Reply reply(const HttpRequest& request) {
    if (request.url.ends_with("/oidc/.well-known/oauth-authorization-server")) {
      return Reply::json(R"({"token_endpoint":")" + server_.url() + R"(/oidc/v1/token"})");
    }
    if (request.url.ends_with("/oidc/v1/token")) {
      const bool known = find_header(request.headers, "Authorization") == "Basic YXBwOmRvc2U=";
      if (!known) return Reply::json(R"({"error":"invalid_client"})", 401);
      if (refusals_-- > 0) return Reply::error(429).with("retry-after-ms", wait_);
      auto granted = Reply::json(R"({"access_token":"t)" + std::to_string(++tokens_) + R"(","expires_in":)" +
                                 std::to_string(lifetime_) + "}");
      granted.head_gate = gate_;
      return granted;
    }
    const auto wanted = "Bearer t" + std::to_string(tokens_);
    const bool known = tokens_ > expired_ && find_header(request.headers, "Authorization") == wanted;
    return known ? Reply::json(answer)
                 : Reply::json(R"({"error_code":403,"message":"Invalid access token."})", 403);
  }

  std::atomic<int> tokens_{0};
  std::atomic<int> expired_{0};
  std::atomic<int> refusals_{0};
  std::string wait_{};
  std::atomic<int> lifetime_{3600};
  std::optional<Gate> gate_;
  MockServer server_;
};

/// Records the requests that go over the network.
class Noting final : public inferwire::Transport {
 public:
  Result<std::unique_ptr<inferwire::Exchange>> start(HttpRequest request, inferwire::Sink& sink,
                                                     const inferwire::ExchangeOptions& options) override {
    noted.push_back(request);
    return network_->start(std::move(request), sink, options);
  }
  void wake() noexcept override { network_->wake(); }

  std::vector<HttpRequest> noted;

 private:
  std::shared_ptr<inferwire::Transport> network_{inferwire::network_transport()};
};

}  // namespace

TEST_CASE("requests for a token are confidential, the call is not") {
  Workspace workspace;
  const auto transport = std::make_shared<Noting>();
  CHECK(workspace.client({}, transport).chat.create(hello));
  std::vector<bool> confidential;
  for (const auto& request : transport->noted) confidential.push_back(request.confidential);
  CHECK(confidential == std::vector<bool>{true, true, false});
}

TEST_CASE("a service principal gets a token by OAuth, once, and calls with it") {
  Workspace workspace;
  const auto client = workspace.client();
  CHECK(client.chat.create(hello));
  CHECK(client.chat.create(hello));
  const auto requests = workspace.server().requests();
  REQUIRE(requests.size() == 4);
  CHECK(requests[1].body == "grant_type=client_credentials&scope=all-apis");
  CHECK(workspace.tokens() == 1);
}

TEST_CASE("a batch goes on after a token request that failed once") {
  Workspace workspace;
  workspace.refuse_tokens(1);
  for (const auto& reply : chat::create_all(workspace.client(), std::vector(3, hello))) CHECK(reply);
  CHECK(workspace.tokens() == 1);
}

TEST_CASE("the error of a token service has its Retry-After") {
  Workspace workspace;
  workspace.refuse_tokens(1, "120000");
  const auto reply = workspace.client().chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::auth);
  CHECK(reply.error().retry_after == 120s);
}

TEST_CASE("a token that the workspace refuses is fetched anew, once, and the call succeeds") {
  Workspace workspace;
  const auto client = workspace.client();
  REQUIRE(client.chat.create(hello));
  workspace.expire_tokens();
  inferwire::ResponseInfo info;
  CHECK(client.chat.create(hello, {.info = &info}));
  CHECK(info.attempts == 2);
  CHECK(workspace.tokens() == 2);
}

TEST_CASE("a token that is refused twice is an auth error that names the credential") {
  AnsweringServer server(Reply::error(401, "who are you"));
  int asked = 0;
  const Client client({.base_url = server.url(),
                       .credential = Credential::callback([&asked]() -> Result<inferwire::AccessToken> {
                         return inferwire::AccessToken{"t" + std::to_string(++asked)};
                       })});
  const auto reply = client.chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::auth);
  CHECK(reply.error().attempts.size() == 2);
  CHECK(asked == 2);
}

TEST_CASE("a function of Credential::callback cannot make a call that needs its token") {
  AnsweringServer server(Reply::json(answer));
  std::optional<Client> client;
  std::optional<ErrorKind> inner;
  client.emplace(inferwire::ClientOptions{
      .base_url = server.url(), .credential = Credential::callback([&]() -> Result<inferwire::AccessToken> {
                                  const auto reply = client->chat.create(
                                      hello, {.timeouts = {.overall = std::chrono::seconds(2)}});
                                  if (!reply) inner = reply.error().kind;
                                  return inferwire::AccessToken{"t"};
                                })});
  CHECK(client->chat.create(hello));
  CHECK(inner == ErrorKind::auth);
}

TEST_CASE("the error of a call for which there is no token names no URL, since none was asked") {
  const MockServer server;
  const Client client(
      {.base_url = server.url(), .credential = Credential::callback([]() -> Result<AccessToken> {
                                   return Error{.kind = ErrorKind::auth, .detail = "locked"};
                                 })});
  const auto reply = client.chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::auth);
  CHECK(reply.error().url.empty());
  CHECK(server.requests().empty());
}

TEST_CASE("a 401 for an api_key is not retried") {
  AnsweringServer server(Reply::error(401, "who are you"));
  const auto reply = Client({.base_url = server.url(), .api_key = "k"}).chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().attempts.size() == 1);
}

TEST_CASE("the error of a token service has its status and not the secret") {
  AnsweringServer server(
      Reply::json(R"({"error":"invalid_client","error_description":"doses-of-it is not the secret"})", 401));
  const Client client({.provider = Provider::databricks(),
                       .environment = std::make_shared<FakeEnvironment>(
                           FakeEnvironment::Texts{{"DATABRICKS_HOST", server.url()},
                                                  {"DATABRICKS_CLIENT_ID", "app"},
                                                  {"DATABRICKS_CLIENT_SECRET", "doses-of-it"}})});
  const auto reply = client.chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::auth);
  CHECK(reply.error().status == 401);
  CHECK_THAT(reply.error().message(), contains("*** is not the secret"));
}

TEST_CASE("a call that waits for another's token fetch ends at its own deadline or cancellation") {
  Workspace workspace;
  Gate gate;
  workspace.set_gate(gate);
  const auto client = workspace.client();
  Result<chat::Response> first = Error{};
  std::thread fetching([&] { first = client.chat.create(hello); });
  REQUIRE(workspace.server().wait_for_requests(2));  // one for the metadata, one for the token

  const auto late = client.chat.create(hello, {.timeouts = {.overall = 50ms}});
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::timeout);
  CHECK(late.error().timer == "overall");

  CancelSource cancel;
  std::thread cancelling([&cancel] { cancel.cancel(); });
  const auto cancelled = client.chat.create(hello, {.cancel = cancel.token()});
  cancelling.join();
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::cancelled);

  gate.open();
  fetching.join();
  CHECK(first);
  CHECK(workspace.tokens() == 1);
}

TEST_CASE("cancelling the call that fetches a token leaves the fetch to the one that waits") {
  Workspace workspace;
  Gate gate;
  workspace.set_gate(gate);
  const auto client = workspace.client();
  CancelSource cancel;
  Result<chat::Response> first = Error{};
  std::thread fetching([&] { first = client.chat.create(hello, {.cancel = cancel.token()}); });
  REQUIRE(workspace.server().wait_for_requests(2));
  Result<chat::Response> second = Error{};
  std::thread waiting([&] { second = client.chat.create(hello); });
  cancel.cancel();
  fetching.join();
  REQUIRE_FALSE(first);
  CHECK(first.error().kind == ErrorKind::cancelled);
  gate.open();
  waiting.join();
  CHECK(second);
}

TEST_CASE("a call has its turn among those of its loop from before it fetches a token until its end") {
  Workspace workspace;
  const auto loop = std::make_shared<EventLoop>(EventLoopOptions{.max_calls = 1});
  const auto client = workspace.client({.overall = 10s}, nullptr, loop);
  std::vector<Pending<chat::Response>> calls;
  for (int i = 0; i < 4; ++i) calls.push_back(client.chat.start(hello));
  for (auto& call : calls) CHECK(call.get());
  CHECK(workspace.server().connections() == 1);
}

TEST_CASE("sixteen threads on one client share short-lived tokens") {
  Workspace workspace;
  workspace.set_lifetime(
      1);  // a token is renewed after half a second, and unusable after three quarters of one
  const auto client = workspace.client();
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      for (int call = 0; call < 20; ++call) {
        if (i == 0 && call % 5 == 4) workspace.expire_tokens();
        const auto reply = client.chat.create(hello);
        // ErrorKind::auth may occur: a token that another call replaces is refused, and a call renews only
        // once.
        if (!reply && reply.error().kind != ErrorKind::auth) ++failures;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(failures == 0);
  CHECK(workspace.tokens() < 16 * 20);
  CHECK(client.chat.create(hello));
}
