/// \file
/// Batches of requests of the caller's own.

#include "client/batch_watch.hpp"
#include "inferwire/batch.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/mock_calls.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

TEST_CASE("request_all takes requests from RawBatch::next as they are needed", "[batch]") {
  MockServer server;
  server.push(Reply::error(429).with("retry-after-ms", "1"));
  server.set_handler([](const HttpRequest& request) {
    return request.body == "[4]" ? Reply::error(404) : Reply::json(request.body);
  });
  class Numbers final : public inferwire::RawBatch {
   public:
    bool next(inferwire::RawRequest& request) override {
      if (taken == 10) return false;
      most_open = std::max(most_open, taken - answers.size());
      request.path = "/echo";
      request.body = inferwire::Json::raw("[" + std::to_string(taken++) + "]");
      return true;
    }
    void on_answer(std::size_t number, Result<inferwire::RawResponse> answer) override {
      answers.push_back(answer ? answer->body : std::to_string(answer.error().status));
      right = right && answers.back() == (number == 4 ? "404" : "[" + std::to_string(number) + "]");
    }
    std::size_t taken{};
    std::size_t most_open{};
    bool right{true};
    std::vector<std::string> answers;
  } batch;
  CHECK(request_all(client_of(server), batch, {.max_in_flight = 3}));
  CHECK(batch.answers.size() == 10);
  CHECK(batch.right);
  CHECK(batch.most_open <= 3);
  CHECK(server.requests().size() == 11);
  CHECK(server.requests()[1].url == server.url() + "/v1/echo");
  CHECK_FALSE(request_all(client_of(server), batch, {.checkpoint = "x"}));
}

TEST_CASE("raw_request is what create sends", "[batch]") {
  const auto script = std::make_shared<ScriptTransport>();
  script->set_handler([](const HttpRequest&) { return Reply::json(answer_of("Hi.")); });
  const chat::Request request{.model = "a/b", .messages = {chat::user("Hi")}};
  for (const auto& provider :
       {Provider::openai(), Provider::databricks(), Provider::sagemaker("eu-west-1"), Provider::lmi()}) {
    CAPTURE(provider.name);
    const Client client({.provider = provider,
                         .base_url = "http://h.test/v1",
                         .credential = Credential::none(),
                         .transport = script,
                         .environment = Environment::none()});
    REQUIRE(client.chat.create(request));
    const auto raw = raw_request(client, request).value();
    const auto answer = client.request(raw.method, raw.path, raw.body);
    CHECK(answer.value().document().and_then(from_json<chat::Response>).value().text() == "Hi.");
    const auto sent = script->requests();
    const auto& as_struct = sent.at(sent.size() - 2);
    CHECK(sent.back().method == as_struct.method);
    CHECK(sent.back().url == as_struct.url);
    CHECK(sent.back().body == as_struct.body);
    const auto other = raw_request(client, responses::Request{.model = "m", .input = "Hi"});
    CHECK(bool(other) == !provider.responses.path.empty());
  }
}

TEST_CASE("request_all goes on after a request that cannot be sent", "[batch]") {
  AnsweringServer server;
  class Odd final : public inferwire::RawBatch {
   public:
    bool next(inferwire::RawRequest& request) override {
      const std::vector<inferwire::RawRequest> all{{.path = "no-slash"},
                                                   {.path = "/a b"},
                                                   {.path = ""},
                                                   {.method = "PO ST", .path = "/x"},
                                                   {.method = "HEAD", .path = "/x", .body = Json::raw("{}")},
                                                   {.method = "GET", .path = "/x"}};
      if (taken == all.size()) return false;
      request = all[taken++];
      return true;
    }
    void on_answer(std::size_t, Result<inferwire::RawResponse> answer) override {
      kinds.push_back(answer ? std::string("answered") : std::string(name(answer.error().kind)));
    }
    std::size_t taken{};
    std::vector<std::string> kinds;
  } batch;
  CHECK(request_all(client_of(server), batch, {.max_in_flight = 1}));
  std::vector<std::string> expected(5, "invalid_request");
  expected.emplace_back("answered");
  CHECK(batch.kinds == expected);
}

TEST_CASE("request_all goes on with the other models if one is down", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    return request.url.ends_with("/b") ? Reply::error(503, "no endpoint") : Reply::json("{}");
  });
  class Models final : public inferwire::RawBatch {
   public:
    explicit Models(std::vector<std::string> paths) : paths_(std::move(paths)) {}
    bool next(inferwire::RawRequest& request) override {
      if (taken_ == paths_.size()) return false;
      request = {.path = paths_[taken_++], .body = inferwire::Json::raw("{}")};
      return true;
    }
    void on_answer(std::size_t number, Result<inferwire::RawResponse> answer) override {
      ++(answer ? answered : failed)[paths_[number]];
    }
    std::map<std::string, int> answered;
    std::map<std::string, int> failed;

   private:
    std::vector<std::string> paths_;
    std::size_t taken_{};
  };
  const bool answered_before = GENERATE(false, true);
  std::vector<std::string> paths(answered_before ? 10 : 0, "/a");
  paths.insert(paths.end(), 200, "/b");
  paths.insert(paths.end(), 50, "/c");
  Models batch(std::move(paths));
  ClientOptions hasty;
  hasty.retry = {.max_retries = 1, .first_delay = 1ms, .max_delay = 1ms};
  CHECK(request_all(client_of(server, hasty), batch, {.max_in_flight = 4}));
  CHECK(batch.answered["/c"] == 50);
  CHECK(batch.failed == std::map<std::string, int>{{"/b", 200}});
}

namespace {

/// Ten requests, each of which is known when the one before has its result.
class ChainedRequests final : public inferwire::RawBatch {
 public:
  bool next(inferwire::RawRequest& request) override {
    in_turn = in_turn && taken == ended;
    if (taken == 10) return false;
    request = {.path = "/step/" + std::to_string(taken++), .body = inferwire::Json::raw("{}")};
    return true;
  }
  void on_answer(std::size_t number, Result<inferwire::RawResponse> answer) override {
    in_turn = in_turn && number == ended;
    ++ended;
    if (!answer) failed.push_back(number);
  }
  bool in_turn{true};
  std::size_t taken{};
  std::size_t ended{};
  std::vector<std::size_t> failed;
};

void run_chain(ChainedRequests& chain, const std::shared_ptr<ScriptTransport>& script) {
  const Client client({.base_url = "http://h.test/v1",
                       .credential = Credential::none(),
                       .retry = {.max_retries = 1, .first_delay = 1ms, .max_delay = 1ms},
                       .transport = script});
  CHECK(request_all(client, chain, {.max_in_flight = 1}));
  CHECK(chain.in_turn);
  CHECK(chain.ended == 10);
}

}  // namespace

TEST_CASE("request_all gives a failure before it takes the next request", "[batch]") {
  const bool connected = GENERATE(false, true);
  const auto script = std::make_shared<ScriptTransport>();
  script->set_handler([connected](const HttpRequest& request) {
    if (!request.url.ends_with("/2")) return Reply::json("{}");
    return connected ? Reply::error(500) : Reply::fails({.kind = ErrorKind::connection});
  });
  ChainedRequests chain;
  run_chain(chain, script);
  CHECK(chain.failed == std::vector<std::size_t>{2});
}

TEST_CASE("request_all repeats what failed in an outage before it takes the next request", "[batch]") {
  const auto script = std::make_shared<ScriptTransport>();
  int asked = 0;
  script->set_handler([&asked](const HttpRequest&) {
    const auto number = asked++;
    return number < 3 || number >= 20 ? Reply::json("{}") : Reply::fails({.kind = ErrorKind::connection});
  });
  ChainedRequests chain;
  run_chain(chain, script);
  CHECK(chain.failed == std::vector<std::size_t>{3, 4, 5});  // the fourth failure is the sign of an outage
}

TEST_CASE("request_all tells its observer until when a refusal holds it back", "[batch]") {
  class One final : public inferwire::RawBatch {
   public:
    bool next(inferwire::RawRequest& request) override {
      request = {.path = "/echo", .body = inferwire::Json::raw("{}")};
      return !std::exchange(taken, true);
    }
    void on_answer(std::size_t, Result<inferwire::RawResponse> answer) override { good = answer.has_value(); }
    bool taken{};
    bool good{};
  } batch;
  MockServer server;
  server.push(Reply::error(429).with("retry-after-ms", "50"));
  server.push(Reply::json("{}"));
  Watch watch;
  CHECK(request_all(client_of(server), batch, {.observer = &watch}));
  CHECK(batch.good);
  REQUIRE(watch.seen.size() == 2);
  CHECK(watch.seen[0].waits_until);
  CHECK_FALSE(watch.seen[1].waits_until);
}

TEST_CASE("request_all takes no request after it was cancelled", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) { return Reply::json(request.body); });
  class Leaver final : public inferwire::RawBatch {
   public:
    bool next(inferwire::RawRequest& request) override {
      request = {.path = "/echo", .body = inferwire::Json::raw("[]")};
      return ++taken <= 100;
    }
    void on_answer(std::size_t, Result<inferwire::RawResponse>) override { source.cancel(); }
    int taken{};
    CancelSource source;
  } batch;
  BatchOptions options{.max_in_flight = 2};
  options.call.cancel = batch.source.token();
  const auto run = request_all(client_of(server), batch, options);
  REQUIRE_FALSE(run);
  CHECK(run.error().kind == ErrorKind::cancelled);
  CHECK(batch.taken <= 3);
}

TEST_CASE("request_all gives answers while RawBatch::next is slow", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) { return Reply::json(request.body); });
  class Slow final : public inferwire::RawBatch {
   public:
    explicit Slow(const MockServer& server) : server_(server) {}
    bool next(inferwire::RawRequest& request) override {
      if (answers > 0 || taken == 500) return false;
      server_.wait_for_requests(taken++);
      request = {.path = "/echo", .body = inferwire::Json::raw("[]")};
      return true;
    }
    void on_answer(std::size_t, Result<inferwire::RawResponse>) override { ++answers; }
    std::size_t taken{};
    std::size_t answers{};

   private:
    const MockServer& server_;
  } batch(server);
  CHECK(request_all(client_of(server), batch, {.max_in_flight = 1000}));
  CHECK(batch.answers == batch.taken);
  CHECK(batch.taken < 500);
}
