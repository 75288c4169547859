/// \file
/// Batches of requests of the caller's own.

#include "inferwire/batch.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"
#include "support/mock_calls.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
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
  CHECK(request_all(client_of(server), batch, {.in_flight = 3}));
  CHECK(batch.answers.size() == 10);
  CHECK(batch.right);
  CHECK(batch.most_open <= 3);
  CHECK(server.requests().size() == 11);
  CHECK(server.requests()[1].url == server.url() + "/v1/echo");
  CHECK_FALSE(request_all(client_of(server), batch, {.checkpoint = "x"}));
}

TEST_CASE("request_all goes on after a request that cannot be sent", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json("{}"); });
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
  CHECK(request_all(client_of(server), batch, {.in_flight = 1}));
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
  CHECK(request_all(client_of(server, hasty), batch, {.in_flight = 4}));
  CHECK(batch.answered["/c"] == 50);
  CHECK(batch.failed == std::map<std::string, int>{{"/b", 200}});
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
  BatchOptions options{.in_flight = 2};
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
  CHECK(request_all(client_of(server), batch, {.in_flight = 1000}));
  CHECK(batch.answers == batch.taken);
  CHECK(batch.taken < 500);
}
