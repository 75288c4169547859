/// \file
/// Batches over real sockets.

#include "inferwire/batch.hpp"

#include "client/batch_watch.hpp"
#include "client/numbered_texts.hpp"
#include "inferwire/data_uri.hpp"
#include "inferwire/nlohmann.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/mock_calls.hpp"
#include "support/temporary_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

TEST_CASE("embeddings::create_all cuts texts by max_request_inputs and keeps their order", "[batch]") {
  MockServer server;
  server.set_handler(&rows_for);
  Watch watch;
  const auto rows = embeddings::create_all(client_of(server), numbers(23), model,
                                           {.max_in_flight = 4, .max_request_inputs = 5, .observer = &watch});
  check_rows(rows, 23);
  CHECK(rows.model == "m-1");
  CHECK(rows.inputs == 23);
  CHECK(rows.usage.prompt_tokens == 23);
  CHECK(rows.usage.total_tokens == 23);
  auto firsts = first_inputs(server);
  std::sort(firsts.begin(), firsts.end());
  CHECK(firsts == std::vector<std::string>{"0", "10", "15", "20", "5"});
  CHECK(server.connections() <= 4);
  REQUIRE(watch.seen.size() == 5);
  CHECK(watch.threads_right);
  CHECK(watch.seen.back().inputs == 23);
  CHECK(watch.seen.back().done == 23);
  CHECK(watch.seen.back().failed == 0);
  CHECK(watch.seen.back().requests == 5);
  CHECK(watch.seen.back().in_flight == 0);
}

TEST_CASE("embeddings::create_all takes vectors and spans of string_view", "[batch]") {
  MockServer server;
  server.set_handler(&rows_for);
  const auto column = numbers(7);
  const std::vector<std::string_view> views(column.begin(), column.end());
  check_rows(embeddings::create_all(client_of(server), views, model, {.max_request_inputs = 3}), 7);
  const std::span<const std::string_view> first(views.data(), 2);
  check_rows(embeddings::create_all(client_of(server), first, model), 2);
}

TEST_CASE("embeddings::create_all keeps the inputs and bytes of the provider's batch row", "[batch]") {
  MockServer server;
  server.set_handler(&rows_for);
  ClientOptions options;
  options.provider.batch = {.embedding_inputs = 4, .embedding_bytes = 12};
  // A text counts as its bytes plus three: "100" to "102" count as 6 each.
  const std::vector<std::string> texts{"100", "101", "102", "1", "2", "3", "4", "1234567890123456", "5"};
  const auto rows = embeddings::create_all(client_of(server, options), texts, model, {.max_in_flight = 1});
  CHECK(rows.failures.empty());
  std::vector<std::size_t> sizes;
  for (const auto& request : server.requests()) sizes.push_back(inputs_of(request).size());
  CHECK(sizes == std::vector<std::size_t>{2, 2, 3, 1, 1});

  MockServer other;
  other.set_handler(&rows_for);
  const auto same = embeddings::create_all(
      client_of(other), texts, model, {.max_in_flight = 1, .max_request_inputs = 4, .max_request_bytes = 12});
  CHECK(same.failures.empty());
  CHECK(first_inputs(other) == first_inputs(server));
  CHECK(inferwire::Provider::databricks().batch.embedding_inputs == 150);
  CHECK(inferwire::Provider::openai().batch.embedding_inputs == 2048);
}

TEST_CASE("create_all of no inputs sends nothing", "[batch]") {
  MockServer server;
  const auto client = client_of(server);
  const auto rows = embeddings::create_all(client, {}, model);
  CHECK(rows.values.empty());
  CHECK(rows.failures.empty());
  CHECK(rows.row(0).empty());
  CHECK(chat::create_all(client, {}).empty());
  CHECK(inferwire::responses::create_all(client, {}).empty());
  CHECK(server.requests().empty());
}

TEST_CASE("a 429 holds back all requests of a batch", "[batch]") {
  const Gate others;
  MockServer server;
  std::atomic<int> asked{0};
  server.set_handler([&](const HttpRequest& request) {
    const auto number = asked++;
    if (number == 0) return Reply::error(429, "slow down").with("retry-after-ms", "300");
    auto reply = rows_for(request);
    if (number < 3) reply.head_gate = others;
    return reply;
  });
  class Opener final : public inferwire::BatchObserver {
   public:
    explicit Opener(Gate gate) : gate_(std::move(gate)) {}
    void on_progress(const BatchProgress& progress) override {
      if (allowed == 0) allowed = progress.allowed;
      gate_.open();  // the refusal has arrived
    }
    std::size_t allowed{};

   private:
    Gate gate_;
  } opener(others);
  const auto rows =
      embeddings::create_all(client_of(server), numbers(12), model,
                             {.max_in_flight = 3, .max_request_inputs = 1, .observer = &opener});
  check_rows(rows, 12);
  CHECK(opener.allowed == 1);  // half of three
  const auto requests = server.requests();
  CHECK(requests.size() == 13);
  // The two requests sent together with the first were answered long before the fourth was sent.
  std::vector<inferwire::TimePoint> arrivals;
  for (const auto& entry : server.journal()) {
    if (entry.kind == JournalEntry::Kind::request) arrivals.push_back(entry.at);
  }
  REQUIRE(arrivals.size() == 13);
  CHECK(arrivals[3] - arrivals[0] >= 300ms);
}

TEST_CASE("a request fails with the server's error after max_refusals refusals", "[batch]") {
  AnsweringServer server(Reply::error(429).with("retry-after-ms", "1"));
  ClientOptions hasty;
  hasty.retry.first_delay = 1ms;
  const auto client = client_of(server, hasty);
  const auto rows = embeddings::create_all(client, numbers(2), model, {.max_refusals = 3});
  REQUIRE(rows.failures.size() == 1);
  const auto& error = rows.failures[0].error;
  CHECK(error.kind == ErrorKind::rate_limit);
  REQUIRE(error.attempts.size() == 4);
  for (const auto& attempt : error.attempts) {
    CHECK(attempt.status == 429);
    CHECK((attempt.waited > 0ms) == (&attempt != &error.attempts.front()));
  }
  CHECK(server.requests().size() == 4);

  // The service asks for a wait longer than the maximum, so no other request is sent.
  server.set_handler([](const HttpRequest&) { return Reply::error(429).with("Retry-After", "3600"); });
  const auto late =
      embeddings::create_all(client, numbers(6), model, {.max_in_flight = 1, .max_request_inputs = 2});
  REQUIRE(late.failures.size() == 2);
  CHECK(late.failures[1].first == 2);
  CHECK(late.failures[1].count == 4);
  CHECK(late.failures[1].error.kind == ErrorKind::rate_limit);
  CHECK(server.requests().size() == 5);
}

TEST_CASE("a server that refuses everything ends a batch", "[batch]") {
  AnsweringServer server(Reply::error(429));
  ClientOptions hasty;
  hasty.retry.first_delay = hasty.retry.max_delay = 1ms;
  const auto rows = embeddings::create_all(client_of(server, hasty), numbers(40), model,
                                           {.max_in_flight = 1, .max_request_inputs = 1, .max_refusals = 1});
  CHECK(server.requests().size() == 16);  // two for each of eight texts
  REQUIRE(rows.failures.size() == 9);
  CHECK(rows.failures[8].count == 32);
  CHECK(rows.failures[8].error.kind == ErrorKind::rate_limit);
}

TEST_CASE("RetryPolicy::judge decides whether a refused request of a batch is made again", "[batch]") {
  AnsweringServer server(Reply::error(429).with("retry-after-ms", "1"));
  std::atomic<int> asked{0};
  const auto never = inferwire::RetryJudge::of([&](const inferwire::FailedAttempt& failed) {
    CHECK(failed.wait);
    CHECK(failed.headers.find("retry-after-ms"));
    ++asked;
    return inferwire::Optional<inferwire::Duration>();
  });
  ClientOptions judged;
  judged.retry = {.max_retries = 0, .judge = never};
  const auto rows = embeddings::create_all(client_of(server, judged), numbers(1), model);
  REQUIRE(rows.failures.size() == 1);
  CHECK(rows.failures[0].error.kind == ErrorKind::rate_limit);
  CHECK(asked == 1);
  CHECK(server.requests().size() == 1);

  judged.retry = {.first_delay = 1ms, .judge = inferwire::RetryJudge::at_most(2, 24h)};
  const auto sparing = embeddings::create_all(client_of(server, judged), numbers(1), model);
  REQUIRE(sparing.failures.size() == 1);
  CHECK(sparing.failures[0].error.attempts.size() == 3);
  CHECK(server.requests().size() == 1 + 3);
}

TEST_CASE("a rate limit error in a 200 is a refusal where errors_in_answers is set", "[batch]") {
  AnsweringServer server(Reply::json(R"({"error":{"message":"later","code":"rate_limit_exceeded"}})"));
  for (const auto& [errors_in_answers, asked] : {std::pair(false, 1U), std::pair(true, 4U)}) {
    ClientOptions hasty;
    hasty.retry = {.first_delay = 1ms, .max_delay = 1ms, .errors_in_answers = errors_in_answers};
    const auto before = server.requests().size();
    const auto rows =
        embeddings::create_all(client_of(server, hasty), numbers(1), model, {.max_refusals = 3});
    REQUIRE(rows.failures.size() == 1);
    CHECK(rows.failures[0].error.kind == ErrorKind::rate_limit);
    CHECK(server.requests().size() - before == asked);
  }
}

TEST_CASE("a batch spaces its requests by the tokens that are left, request_all's too", "[batch]") {
  // Each request takes 100 tokens, and 150 are left for 400 ms: requests are 200 ms apart, whatever else the
  // answer says.
  const auto scarce = [](const HttpRequest&) {
    return Reply::json(R"({"id":"c","object":"text_completion","choices":[{"index":0,"text":"!"}],)"
                       R"("usage":{"prompt_tokens":40,"completion_tokens":60}})")
        .with("x-ratelimit-remaining-tokens", "150")
        .with("x-ratelimit-reset-tokens", "400ms");
  };
  class Three final : public inferwire::RawBatch {
   public:
    bool next(inferwire::RawRequest& request) override {
      request = {.path = "/completions", .body = inferwire::Json::raw("{}")};
      return ++taken <= 3;
    }
    void on_answer(std::size_t, Result<inferwire::RawResponse> answer) override { good += answer ? 1 : 0; }
    int taken{};
    int good{};
  } raw;
  MockServer server;
  server.set_handler(scarce);
  const auto client = client_of(server);
  for (const bool typed : {true, false}) {
    CAPTURE(typed);
    const auto begin = std::chrono::steady_clock::now();
    if (typed) {
      for (const auto& reply :
           completions::create_all(client, numbers(3), {.model = "m"}, {.max_in_flight = 1}))
        CHECK(reply);
    } else {
      CHECK(request_all(client, raw, {.max_in_flight = 1}));
      CHECK(raw.good == 3);
    }
    CHECK(std::chrono::steady_clock::now() - begin >= 400ms);
  }
  CHECK(server.requests().size() == 6);
}

TEST_CASE("a batch does not wait for a time behind call.deadline", "[batch]") {
  const Gate late;
  MockServer server;
  const auto client = client_of(server);
  const std::vector<chat::Request> requests(3, {.model = "m", .messages = {chat::user("a")}});
  BatchOptions options{.max_in_flight = 1};
  const auto ask = [&] {
    options.call.deadline = std::chrono::steady_clock::now() + 15s;
    auto replies = chat::create_all(client, requests, options);
    CHECK(std::chrono::steady_clock::now() < *options.call.deadline);
    return replies;
  };
  const auto check_timeout = [](const inferwire::Error& error) {
    CHECK(error.kind == ErrorKind::timeout);
    CHECK(error.timer == "overall");
    CHECK_FALSE(error.provider.empty());
    CHECK(error.attempts.empty());
  };

  // Refused requests fail with their refusal, and those that were never sent with the timeout.
  server.push(Reply::error(429, "slow down").with("Retry-After", "20"));
  auto replies = ask();
  CHECK(replies[0].error().kind == ErrorKind::rate_limit);
  CHECK(replies[0].error().status == 429);
  CHECK(replies[0].error().retry_after == 20s);
  check_timeout(replies[1].error());
  check_timeout(replies[2].error());
  CHECK(server.requests().size() == 1);

  const auto used_up = [] {
    return Reply::json(answer_of("a"))
        .with("x-ratelimit-remaining-requests", "0")
        .with("x-ratelimit-reset-requests", "20s");
  };
  server.push(used_up());
  replies = ask();
  CHECK(replies[0]);
  check_timeout(replies[1].error());
  check_timeout(replies[2].error());
  CHECK(server.requests().size() == 2);

  // Answers to requests in progress may report more room.
  class Opener final : public inferwire::BatchObserver {
   public:
    explicit Opener(Gate gate) : gate_(std::move(gate)) {}
    void on_progress(const BatchProgress&) override { gate_.open(); }

   private:
    Gate gate_;
  } opener(late);
  Gate both_asked;
  std::atomic<int> asked{0};
  server.set_handler([&](const HttpRequest&) {
    const bool first = asked++ == 0;
    if (!first) both_asked.open();
    auto reply = first ? used_up()
                       : Reply::json(answer_of("b"))
                             .with("x-ratelimit-remaining-requests", "100")
                             .with("x-ratelimit-reset-requests", "20s");
    reply.head_gate = first ? both_asked : late;
    return reply;
  });
  options.max_in_flight = 2;
  options.observer = &opener;
  for (const auto& reply : ask()) CHECK(reply);
}

TEST_CASE("a batch whose call.deadline has passed sends nothing", "[batch]") {
  MockServer server;
  server.set_handler(&rows_for);
  BatchOptions options{.max_request_inputs = 1};
  options.call.deadline = std::chrono::steady_clock::now();
  const auto rows = embeddings::create_all(client_of(server), numbers(3), model, options);
  CHECK(rows.failures.size() == 2);
  for (const auto& failure : rows.failures) CHECK(failure.error.kind == ErrorKind::timeout);
  CHECK(server.requests().empty());
}

TEST_CASE("a 500 in a batch is retried by the client's policy", "[batch]") {
  MockServer server;
  server.push(Reply::error(500).with("retry-after-ms", "1"));
  server.push(Reply::error(500).with("retry-after-ms", "1"));
  server.set_handler(&rows_for);
  const auto rows = embeddings::create_all(client_of(server), numbers(2), model);
  check_rows(rows, 2);
  CHECK(server.requests().size() == 3);
}

namespace {

/// A client that retries once, and at once.
Client hasty_client(const MockServer& server) {
  ClientOptions hasty;
  hasty.retry = {.max_retries = 1, .first_delay = 1ms, .max_delay = 1ms};
  return client_of(server, hasty);
}

}  // namespace

TEST_CASE("an outage in the middle of a batch costs no text its row", "[batch]") {
  const int status = GENERATE(500, 503);
  const std::size_t in_flight = GENERATE(std::size_t{1}, std::size_t{4});
  MockServer server;
  std::atomic<int> asked{0};
  server.set_handler([&](const HttpRequest& request) {
    const auto number = asked++;
    return number < 3 || number >= 60 ? rows_for(request) : Reply::error(status, "no upstream");
  });
  const auto rows = embeddings::create_all(hasty_client(server), numbers(80), model,
                                           {.max_in_flight = in_flight, .max_request_inputs = 1});
  check_rows(rows, 80);
}

TEST_CASE("an outage at the end of a batch costs no text its row", "[batch]") {
  MockServer server;
  std::atomic<int> asked{0};
  server.set_handler([&](const HttpRequest& request) {
    const auto number = asked++;
    return number < 12 || number >= 60 ? rows_for(request) : Reply::error(503);
  });
  check_rows(embeddings::create_all(hasty_client(server), numbers(20), model,
                                    {.max_in_flight = 1, .max_request_inputs = 1}),
             20);
}

TEST_CASE("an outage that does not end ends a batch", "[batch]") {
  MockServer server;
  server.push(Reply::json(R"({"model":"m","data":[{"index":0,"embedding":[0,0.5]}]})"));
  server.set_handler([](const HttpRequest&) { return Reply::error(503, "no upstream"); });
  const auto rows = embeddings::create_all(hasty_client(server), numbers(1000), model,
                                           {.max_in_flight = 1, .max_request_inputs = 1, .max_refusals = 1});
  CHECK(rows.row(0).size() == 2);
  // Two attempts each of three texts, and of sixteen, since the fourth is the sign of an outage.
  CHECK(server.requests().size() == 1 + 2 * (3 + 16));
  std::size_t failed = 0;
  for (const auto& failure : rows.failures) {
    failed += failure.count;
    CHECK(failure.error.kind == ErrorKind::overloaded);
  }
  CHECK(failed == 999);
}

TEST_CASE("a text on which the server fails does so alone, and once", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    return inputs_of(request).front() == "13" ? Reply::error(500, "it crashed") : rows_for(request);
  });
  const std::size_t in_flight = GENERATE(std::size_t{1}, std::size_t{4});
  const auto rows = embeddings::create_all(hasty_client(server), numbers(20), model,
                                           {.max_in_flight = in_flight, .max_request_inputs = 1});
  REQUIRE(rows.failures.size() == 1);
  CHECK(rows.failures[0].first == 13);
  CHECK(rows.failures[0].error.kind == ErrorKind::server);
  CHECK(server.requests().size() == 19 + 2);
}

TEST_CASE("texts whose retries fail late, and so at the end of a batch, do so alone, and once", "[batch]") {
  class Host final : public inferwire::BatchObserver {
   public:
    void on_progress(const BatchProgress& progress) override {
      if (progress.done == 8) late.open();
      if (progress.refused > 0) stop.cancel();  // the clock would stand still until the repetition
    }
    Gate late;
    CancelSource stop;
  } host;
  const auto clock = std::make_shared<ManualClock>(ManualClock::Mode::by_hand);
  const auto script = std::make_shared<ScriptTransport>(clock);
  std::set<std::string> crashed;
  script->set_handler([&](const HttpRequest& request) {
    const auto text = inputs_of(request).front();
    if (text < "1" || text > "4" || text.size() > 1) {
      clock->advance(1s);
      return rows_for(request);
    }
    auto reply = Reply::error(500, "it crashed");
    if (!crashed.insert(text).second) reply.head_gate = host.late;
    return reply;
  });
  const Client client({.base_url = "http://h.test/v1",
                       .credential = Credential::none(),
                       .retry = {.max_retries = 1, .first_delay = 1ms, .max_delay = 1ms},
                       .transport = script,
                       .clock = clock});
  const auto rows = embeddings::create_all(client, numbers(12), model,
                                           {.max_in_flight = 5,
                                            .max_request_inputs = 1,
                                            .observer = &host,
                                            .call = {.cancel = host.stop.token()}});
  CHECK(rows.failures.size() == 4);
  for (const auto& failure : rows.failures) CHECK(failure.error.kind == ErrorKind::server);
  CHECK(script->requests().size() == 8 + 4 * 2);
}

TEST_CASE("texts in a row on which the server fails do so without the others", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto number = std::stoi(inputs_of(request).front());
    return number >= 10 && number < 16 ? Reply::error(500, "it crashed") : rows_for(request);
  });
  const auto rows = embeddings::create_all(hasty_client(server), numbers(40), model,
                                           {.max_in_flight = 2, .max_request_inputs = 1, .max_refusals = 3});
  REQUIRE(rows.failures.size() == 6);
  CHECK(rows.failures.front().first == 10);
  CHECK(rows.failures.back().first == 15);
  CHECK(server.requests().size() <= 34 + 2 * 6 * (1 + 3));
}

TEST_CASE("a batch repeats nothing after an outage if the policy allows no retries", "[batch]") {
  MockServer server;
  std::atomic<int> asked{0};
  server.set_handler([&](const HttpRequest& request) {
    const auto number = asked++;
    return number < 2 || number >= 8 ? rows_for(request) : Reply::error(503);
  });
  ClientOptions once;
  once.retry = {.max_retries = 0, .first_delay = 1ms, .max_delay = 1ms};
  const auto rows = embeddings::create_all(client_of(server, once), numbers(20), model,
                                           {.max_in_flight = 1, .max_request_inputs = 1});
  CHECK(rows.failures.size() == 6);
  CHECK(server.requests().size() == 20);
}

TEST_CASE("BatchProgress::refused counts the requests that are repeated", "[batch]") {
  MockServer server;
  server.push(Reply::error(429).with("retry-after-ms", "50"));
  server.push(Reply::error(429).with("retry-after-ms", "50"));
  server.set_handler(&rows_for);
  Watch watch;
  const auto begin = std::chrono::steady_clock::now();
  const auto rows = embeddings::create_all(hasty_client(server), numbers(2), model,
                                           {.max_in_flight = 1, .max_request_inputs = 1, .observer = &watch});
  check_rows(rows, 2);
  REQUIRE(watch.seen.size() == 4);
  CHECK(watch.seen[0].refused == 1);
  REQUIRE(watch.seen[0].waits_until);
  CHECK(*watch.seen[0].waits_until >= begin + 50ms);
  CHECK(watch.seen[1].refused == 2);
  CHECK(watch.seen[3].refused == 2);
  CHECK(watch.seen[3].requests == 4);
  CHECK_FALSE(watch.seen[3].waits_until);

  server.push(Reply::error(429).with("retry-after", "3600"));  // too long a wait
  Watch ended;
  [[maybe_unused]] const auto none =
      embeddings::create_all(hasty_client(server), numbers(2), model,
                             {.max_in_flight = 1, .max_request_inputs = 1, .observer = &ended});
  REQUIRE_FALSE(ended.seen.empty());
  CHECK_FALSE(ended.seen[0].waits_until);
}

TEST_CASE("a request that gets 413 is cut in halves", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    return inputs_of(request).size() > 3 ? Reply::error(413, "too much") : rows_for(request);
  });
  const auto rows = embeddings::create_all(client_of(server), numbers(10), model, {.max_in_flight = 2});
  check_rows(rows, 10);
  // One request of 10 texts, two of 5, and of each of these one of 2 and one of 3.
  CHECK(server.requests().size() == 7);
}

TEST_CASE("Rows::failures names the inputs that failed, and the others have rows", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    return inputs_of(request).front() == "4" ? Reply::error(404, "not this one") : rows_for(request);
  });
  const auto rows = embeddings::create_all(client_of(server), numbers(7), model, {.max_request_inputs = 2});
  REQUIRE(rows.failures.size() == 1);
  CHECK(rows.failures[0].first == 4);
  CHECK(rows.failures[0].count == 2);
  CHECK(rows.failures[0].error.kind == ErrorKind::not_found);
  CHECK_THAT(rows.failures[0].error.detail, inferwire_test::contains("not this one"));
  CHECK(rows.row(3)[0] == 3);
  CHECK(rows.row(4).empty());
  CHECK(rows.row(5).empty());
  CHECK(rows.row(6)[0] == 6);
  CHECK(rows.row(7).empty());
  CHECK(rows.values.size() == 14);
  CHECK(rows.values[8] == 0);
}

TEST_CASE("a text that is rejected fails alone", "[batch]") {
  const int status = GENERATE(400, 424);  // 424 comes from LMI, for an exception in the model's code
  MockServer server;
  server.set_handler([status](const HttpRequest& request) {
    const auto inputs = inputs_of(request);
    const bool bad = std::ranges::find(inputs, "13") != inputs.end();
    return bad ? Reply::error(status, "no such text") : rows_for(request);
  });
  const auto rows =
      embeddings::create_all(client_of(server), numbers(100), model, {.max_request_inputs = 50});
  REQUIRE(rows.failures.size() == 1);
  REQUIRE(rows.failures[0].first == 13);
  REQUIRE(rows.failures[0].count == 1);
  CHECK(rows.row(12)[0] == 12);
  CHECK(rows.row(14)[0] == 14);
  CHECK(rows.row(99)[0] == 99);
}

TEST_CASE("texts that are rejected before any is answered fail alone", "[batch]") {
  const auto* const bad = GENERATE("no number", "\xE9t\xE9");  // the client refuses text that is not UTF-8
  auto texts = numbers(150);
  std::fill_n(texts.begin(), 12, bad);
  MockServer server;
  server.set_handler([bad](const HttpRequest& request) {
    const auto inputs = inputs_of(request);
    return std::ranges::find(inputs, bad) == inputs.end() ? rows_for(request) : Reply::error(422);
  });
  const auto rows =
      embeddings::create_all(client_of(server), texts, model, {.max_in_flight = 8, .max_request_inputs = 20});
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) wrong += rows.row(i).empty() != (i < 12) ? 1 : 0;
  CHECK(wrong == 0);
}

TEST_CASE("a batch whose texts are all rejected is not asked for text by text", "[batch]") {
  AnsweringServer server(Reply::error(400, "no such dimensions"));
  Watch watch;
  const auto rows = embeddings::create_all(client_of(server), numbers(5000), model,
                                           {.max_request_inputs = 500, .observer = &watch});
  std::size_t failed = 0;
  for (const auto& failure : rows.failures) {
    CHECK(failure.first == failed);
    CHECK(failure.error.kind == ErrorKind::invalid_request);
    failed += failure.count;
  }
  CHECK(failed == 5000);
  CHECK(watch.seen.back().failed == 5000);
  CHECK(server.requests().size() < 100);

  // The checkpoint has an answer to one text, so the server does not refuse all of them.
  const TemporaryFile file;
  server.set_handler([](const HttpRequest& request) {
    return inputs_of(request) == numbers(1) ? rows_for(request) : Reply::error(400);
  });
  BatchOptions options{.max_request_inputs = 1, .checkpoint = file.path()};
  CHECK(embeddings::create_all(client_of(server), numbers(80), model, options).failures.size() == 79);
  server.set_handler([](const HttpRequest& request) {
    return inputs_of(request) == std::vector<std::string>{"79"} ? rows_for(request) : Reply::error(400);
  });
  options.max_request_inputs = 100;
  const auto all = embeddings::create_all(client_of(server), numbers(80), model, options);
  CHECK_FALSE(all.row(79).empty());
}

TEST_CASE("a row of another length fails with Error{decode}", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    if (inputs_of(request).front() != "1") return rows_for(request);
    return Reply::json(R"({"data":[{"index":0,"embedding":[1]}]})");
  });
  const auto rows = embeddings::create_all(client_of(server), numbers(3), model,
                                           {.max_in_flight = 1, .max_request_inputs = 1});
  REQUIRE(rows.failures.size() == 1);
  CHECK(rows.failures[0].first == 1);
  CHECK(rows.failures[0].error.kind == ErrorKind::decode);
}

TEST_CASE("a row that is empty, or not as long as was requested, fails with Error{decode}", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const bool first = inputs_of(request).front() == "0";
    return first ? Reply::json(R"({"data":[{"index":0,"embedding":[]}]})") : rows_for(request);
  });
  const auto rows = embeddings::create_all(client_of(server), numbers(2), model,
                                           {.max_in_flight = 1, .max_request_inputs = 1});
  REQUIRE(rows.failures.size() == 1);
  CHECK(rows.failures[0].error.kind == ErrorKind::decode);
  CHECK(rows.failures[0].error.detail == "a row is empty");
  CHECK(rows.row(1)[0] == 1);

  server.set_handler(&rows_for);
  const embeddings::Request three{.model = "m", .dimensions = 3};
  const auto none = embeddings::create_all(client_of(server), numbers(2), three);
  REQUIRE(none.failures.size() == 1);
  CHECK(none.failures[0].error.kind == ErrorKind::decode);
  CHECK(none.failures[0].error.detail == "a row has 2 numbers instead of the 3 requested");
  CHECK(none.dimensions == 0);

  const embeddings::Request too_many{.model = "m", .dimensions = (std::int64_t{1} << 32U) + 2};
  const auto fewer = embeddings::create_all(client_of(server), numbers(2), too_many);
  REQUIRE(fewer.failures.size() == 1);
  CHECK(fewer.failures[0].error.detail == "a row has 2 numbers instead of the 4294967298 requested");
}

TEST_CASE("a row of more than 65536 numbers fails with Error{decode}", "[batch]") {
  const std::string bytes(4 * ((std::size_t{1} << 16U) + 1), '\0');
  const auto row = inferwire::to_base64(bytes);
  MockServer server;
  server.set_handler([&row](const HttpRequest&) {
    return Reply::json(R"({"model":"m","data":[{"index":0,"embedding":")" + row + "\"}]}");
  });
  const auto rows = embeddings::create_all(client_of(server), numbers(1), model);
  REQUIRE(rows.failures.size() == 1);
  CHECK(rows.failures[0].error.kind == ErrorKind::decode);
  CHECK_THAT(rows.failures[0].error.detail, inferwire_test::contains("more than 65536"));
  CHECK(rows.values.empty());
}

TEST_CASE("Rows::other_models has the models of later answers, also of those in a checkpoint", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto name = "m-" + inputs_of(request).front().substr(0, 1);
    return Reply::json(R"({"model":")" + name + R"(","data":[{"index":0,"embedding":[1]}]})");
  });
  const TemporaryFile file;
  const auto client = client_of(server);
  const BatchOptions options{.max_in_flight = 1, .max_request_inputs = 1, .checkpoint = file.path()};
  for (int run = 0; run < 2; ++run) {
    const auto rows = embeddings::create_all(client, {"10", "11", "20", "30", "21"}, model, options);
    CHECK(rows.failures.empty());
    CHECK(rows.model == "m-1");
    CHECK(rows.other_models == std::vector<std::string>{"m-2", "m-3"});
  }
  CHECK(server.requests().size() == 5);
  server.set_handler(&rows_for);
  CHECK(embeddings::create_all(client, numbers(3), model, {.max_request_inputs = 1}).other_models.empty());
}

TEST_CASE("a server that comes to reject everything is not asked text by text", "[batch]") {
  MockServer server;
  const TemporaryFile file;
  const auto client = client_of(server);
  server.set_handler([](const HttpRequest& request) {
    return inputs_of(request).front() == "0" ? rows_for(request) : Reply::error(404);
  });
  const BatchOptions options{.max_in_flight = 8, .max_request_inputs = 256, .checkpoint = file.path()};
  const auto first = embeddings::create_all(client, numbers(4096), model, options);
  REQUIRE_FALSE(first.row(255).empty());
  const auto before = server.requests().size();
  server.set_handler([](const HttpRequest&) { return Reply::error(400, "this deployment is retired"); });
  const auto rows = embeddings::create_all(client, numbers(4096), model, options);
  std::size_t failed = 0;
  std::size_t given_up = 0;
  for (const auto& failure : rows.failures) {
    failed += failure.count;
    given_up += failure.own_error ? 0 : failure.count;
    if (failure.error.kind != ErrorKind::invalid_request) FAIL("of another kind");
  }
  CHECK(failed == 4096 - 256);
  CHECK(server.requests().size() - before < 300);
  CHECK(given_up > 3000);
}

TEST_CASE("texts that are not UTF-8 take no part in requests, and fail with their own error", "[batch]") {
  const auto script = std::make_shared<ScriptTransport>();
  script->set_handler(&rows_for);
  const Client client(
      {.base_url = "http://h.test/v1", .credential = Credential::none(), .transport = script});
  auto texts = numbers(100);
  std::vector<std::size_t> bad{0, 1, 13, 50, 99};
  for (const auto i : bad) texts[i] = "\xE9t\xE9";
  const TemporaryFile file;
  Watch watch;
  for (const std::size_t requests :
       {std::size_t{3}, std::size_t{0}}) {  // the second run has all in its checkpoint
    const auto before = script->requests().size();
    watch.seen.clear();
    const auto rows = embeddings::create_all(
        client, texts, model, {.max_request_inputs = 32, .checkpoint = file.path(), .observer = &watch});
    CHECK(script->requests().size() - before == requests);
    REQUIRE(rows.failures.size() == bad.size());
    for (std::size_t i = 0; i < bad.size(); ++i) {
      const auto& [first, count, error, own_error] = rows.failures[i];
      CHECK(first == bad[i]);
      CHECK(count == 1);
      CHECK(own_error);
      CHECK(error == client.embeddings.create({.model = "m", .input = std::vector{texts[bad[i]]}}).error());
      CHECK(error.path == "input[0]");
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CAPTURE(i);
      const auto row = rows.row(i);
      CHECK(row.empty() == std::ranges::binary_search(bad, i));
      CHECK((row.empty() || row[0] == static_cast<float>(i)));
    }
    CHECK(watch.seen.front().inputs == 100);
    CHECK(watch.seen.front().failed == bad.size());
    CHECK(watch.seen.back().done == texts.size() - bad.size());
  }

  // Those around it are not side by side.
  CancelSource source;
  source.cancel();
  BatchOptions cancelled;
  cancelled.call.cancel = source.token();
  const auto none = embeddings::create_all(client, {"0", "1", texts[0], "3"}, model, cancelled);
  REQUIRE(none.failures.size() == 3);
  CHECK(none.failures[0].count == 2);
  CHECK_FALSE(none.failures[0].own_error);
  CHECK(none.failures[1].own_error);
  CHECK(none.failures[2].first == 3);
}

TEST_CASE("good texts beside a long block that is rejected have rows", "[batch]") {
  constexpr int block = 150;
  constexpr std::size_t all = 400;
  const auto script = std::make_shared<ScriptTransport>();
  std::mutex mutex;
  std::set<std::string> answered;
  std::int64_t tokens = 0;
  bool has_failed = false;
  script->set_handler([&](const HttpRequest& request) {
    const auto inputs = inputs_of(request);
    const auto bad =
        std::ranges::find_if(inputs, [](const std::string& text) { return std::stoi(text) < block; });
    if (bad != inputs.end()) return Reply::error(400, "not " + *bad);
    const std::lock_guard lock(mutex);
    // A failure of the first text that is asked for again says nothing about the others.
    if (answered.contains(inputs.front()) && !std::exchange(has_failed, true)) return Reply::error(500);
    answered.insert(inputs.begin(), inputs.end());
    tokens += static_cast<std::int64_t>(inputs.size());
    return rows_for(request);
  });
  const Client client({.base_url = "http://h.test/v1",
                       .credential = Credential::none(),
                       .retry = {.max_retries = 0},
                       .transport = script});
  const auto rows = embeddings::create_all(client, numbers(all), model, {.max_request_inputs = 128});
  CHECK(has_failed);
  CHECK(rows.usage.total_tokens == tokens);
  CHECK(rows.failures.size() == block);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < all; ++i) wrong += rows.row(i).empty() != (i < block) ? 1 : 0;
  CHECK(wrong == 0);
  for (const auto& failure : rows.failures) {
    if (failure.error.detail != "not " + std::to_string(failure.first)) FAIL("another's error");
  }
}

TEST_CASE("BatchObserver::on_wait is called while a batch waits, and may end it", "[batch]") {
  class Host final : public inferwire::BatchObserver {
   public:
    void on_progress(const BatchProgress&) override {}
    void on_wait() override {
      ++waits;
      if (waits == last) stop.cancel();
    }
    int waits{};
    int last{};
    CancelSource stop;
  } host;
  const auto clock = std::make_shared<ManualClock>();
  const auto script = std::make_shared<ScriptTransport>(clock);
  script->push(Reply::error(429).with("Retry-After", "10"));
  script->set_handler(&rows_for);
  const Client client({.base_url = "http://h.test/v1",
                       .credential = Credential::none(),
                       .transport = script,
                       .clock = clock});
  check_rows(embeddings::create_all(client, numbers(2), model, {.observer = &host}), 2);
  CHECK(host.waits >= 99);

  host.last = host.waits + 5;
  script->push(Reply::error(429).with("Retry-After", "10"));
  const auto rows = embeddings::create_all(client, numbers(2), model,
                                           {.observer = &host, .call = {.cancel = host.stop.token()}});
  REQUIRE(rows.failures.size() == 1);
  CHECK(rows.failures[0].error.kind == ErrorKind::cancelled);
  CHECK_FALSE(rows.failures[0].own_error);
  CHECK(host.waits == host.last);
}

TEST_CASE("a text that gets 403 after an answer fails alone", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto inputs = inputs_of(request);
    return std::ranges::find(inputs, "13") == inputs.end() ? rows_for(request) : Reply::error(403);
  });
  const auto rows = embeddings::create_all(client_of(server), numbers(30), model,
                                           {.max_in_flight = 1, .max_request_inputs = 10});
  REQUIRE(rows.failures.size() == 1);
  CHECK(rows.failures[0].first == 13);
  CHECK(rows.failures[0].count == 1);
}

TEST_CASE("32 unusable answers in a row end a batch", "[batch]") {
  const bool some_were_good = GENERATE(false, true);
  const auto* const unusable = GENERATE(R"(<html>)", R"({"data":[{"index":0,"embedding":[1]}]})",
                                        R"({"data":[{"index":0,"embedding":[]}]})");
  MockServer server;
  if (some_were_good) server.push(Reply::json(R"({"data":[{"index":0,"embedding":[1,2]}]})"));
  server.set_handler([unusable](const HttpRequest&) { return Reply::json(unusable); });
  const embeddings::Request two{.model = "m", .dimensions = 2};
  const auto rows = embeddings::create_all(client_of(server), numbers(100), two,
                                           {.max_in_flight = 1, .max_request_inputs = 1});
  CHECK(server.requests().size() == (some_were_good ? 33U : 32U));
  CHECK(rows.failures.back().count > 60);
  CHECK(rows.failures.back().error.kind == ErrorKind::decode);
}

TEST_CASE("Rows::usage leaves out counts that are not valid", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto text = inputs_of(request).front();
    const std::string tokens = text == "0" ? "9223372036854775807" : text == "1" ? "-7" : "1";
    return Reply::json(R"({"model":"m","data":[{"index":0,"embedding":[1]}],"usage":{"prompt_tokens":)" +
                       tokens + R"(,"total_tokens":)" + tokens + "}}");
  });
  const auto rows = embeddings::create_all(client_of(server), numbers(4), model,
                                           {.max_in_flight = 1, .max_request_inputs = 1});
  CHECK(rows.failures.empty());
  CHECK(rows.usage.prompt_tokens == 9223372036854775807);
  CHECK(rows.usage.total_tokens == 9223372036854775807);
}

TEST_CASE("an error that holds for all requests ends a batch", "[batch]") {
  MockServer server;
  server.push(Reply::json(
      R"({"error":{"message":"no credit","type":"insufficient_quota","code":"insufficient_quota"}})", 429));
  server.set_handler(&rows_for);
  const auto rows = embeddings::create_all(client_of(server), numbers(50), model,
                                           {.max_in_flight = 1, .max_request_inputs = 1});
  CHECK(server.requests().size() == 1);
  REQUIRE(rows.failures.size() == 2);
  CHECK(rows.failures[0].count == 1);
  CHECK(rows.failures[1].first == 1);
  CHECK(rows.failures[1].count == 49);
  CHECK(rows.failures[1].error.kind == ErrorKind::quota);
}

TEST_CASE("32 requests that get 404 end a batch that has no answer", "[batch]") {
  AnsweringServer server(Reply::error(404, "no such model"));
  const std::vector<chat::Request> requests(200, {.model = "m", .messages = {chat::user("a")}});
  const auto replies = chat::create_all(client_of(server), requests, {.max_in_flight = 4});
  CHECK(server.requests().size() < 32 + 4);
  for (const auto& reply : replies) CHECK(reply.error().kind == ErrorKind::not_found);
}

TEST_CASE("404 does not end a batch of several models or paths", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const bool is_there = request.body.text().find("\"none\"") == std::string::npos;
    return is_there ? Reply::json(answer_of("a")) : Reply::error(404, "no such model");
  });
  std::vector<chat::Request> requests(40, {.model = "none", .messages = {chat::user("a")}});
  requests.push_back({.model = "m", .messages = {chat::user("a")}});
  const auto replies = chat::create_all(client_of(server), requests, {.max_in_flight = 1});
  CHECK(replies.back());

  struct Gone final : inferwire::RawBatch {
    bool next(inferwire::RawRequest& request) override {
      request = {.method = "GET", .path = "/responses/" + std::to_string(asked)};
      return asked++ < 50;
    }
    void on_answer(std::size_t, inferwire::Result<inferwire::RawResponse> reply) override {
      answered += reply.error().kind == ErrorKind::not_found ? 1 : 0;
    }
    int asked{};
    int answered{};
  } gone;
  server.set_handler([](const HttpRequest&) { return Reply::error(404, "it has expired"); });
  CHECK(inferwire::request_all(client_of(server), gone));
  CHECK(gone.answered == 50);
}

TEST_CASE("404 does not end a batch that has an answer", "[batch]") {
  MockServer server;
  server.push(Reply::json(answer_of("a")));
  server.set_handler([](const HttpRequest&) { return Reply::error(404, "no such model"); });
  const std::vector<chat::Request> requests(50, {.model = "m", .messages = {chat::user("a")}});
  const auto replies = chat::create_all(client_of(server), requests, {.max_in_flight = 1});
  CHECK(server.requests().size() == 50);
}

TEST_CASE("the first 32 errors of a batch keep their whole body", "[batch]") {
  AnsweringServer server(Reply::error(400, std::string(10'000, 'x')));
  const std::vector<chat::Request> requests(40, {.model = "m", .messages = {chat::user("a")}});
  const auto replies = chat::create_all(client_of(server), requests, {.max_in_flight = 1});
  for (std::size_t i = 0; i < 40; ++i) {
    CAPTURE(i);
    CHECK((replies[i].error().body.size() > 1024) == (i < 32));
    CHECK(replies[i].error().body.size() >= 1024);
  }
}

TEST_CASE("the error that ends a batch has its body in one request only", "[batch]") {
  MockServer server;
  server.push(Reply::error(401, "no such key"));
  const std::vector<chat::Request> requests(3, {.model = "m", .messages = {chat::user("a")}});
  const auto replies = chat::create_all(client_of(server), requests, {.max_in_flight = 1});
  REQUIRE(replies.size() == 3);
  CHECK_FALSE(replies[0].error().body.empty());
  for (std::size_t i = 1; i < 3; ++i) {
    CHECK(replies[i].error().kind == ErrorKind::auth);
    CHECK_THAT(replies[i].error().detail, inferwire_test::contains("no such key"));
    CHECK(replies[i].error().body.empty());
  }
}

TEST_CASE("a batch that is cancelled returns at once with the rows so far", "[batch]") {
  const Gate never;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    auto reply = rows_for(request);
    if (inputs_of(request).front() != "0") reply.head_gate = never;
    return reply;
  });
  CancelSource source;
  std::thread canceller([&] {
    server.wait_for_requests(4);
    source.cancel();
  });
  Watch watch;
  BatchOptions options{.max_in_flight = 3, .max_request_inputs = 2, .observer = &watch};
  options.call.cancel = source.token();
  const auto rows = embeddings::create_all(client_of(server), numbers(20), model, options);
  canceller.join();
  CHECK(rows.row(0)[0] == 0);
  CHECK(rows.row(1)[0] == 1);
  std::size_t failed = 0;
  for (const auto& failure : rows.failures) {
    CHECK(failure.error.kind == ErrorKind::cancelled);
    CHECK(failure.first == 2 + failed);
    failed += failure.count;
  }
  CHECK(failed == 18);
  CHECK(server.requests().size() == 4);
  CHECK(server.wait_until_all_closed());

  const auto none = embeddings::create_all(client_of(server), numbers(3), model, options);
  REQUIRE(none.failures.size() == 1);
  CHECK(none.failures[0].count == 3);
  CHECK(none.values.empty());
  CHECK(server.requests().size() == 4);
}

TEST_CASE("create_all on the event loop's thread is Error{config}", "[batch]") {
  MockServer server;
  server.push(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server);
  Baton<ErrorKind> baton;
  client.chat.start({.model = "m", .messages = {chat::user("a")}}).then([&](Result<chat::Response>) {
    baton.pass(embeddings::create_all(client, {"1"}, model).failures.at(0).error.kind);
  });
  CHECK(baton.take() == ErrorKind::config);
}

TEST_CASE("an exception of a BatchObserver ends the batch and its requests", "[batch]") {
  const Gate never;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    auto reply = rows_for(request);
    if (inputs_of(request).front() != "0") reply.head_gate = never;
    return reply;
  });
  class Thrower final : public inferwire::BatchObserver {
    void on_progress(const BatchProgress&) override { throw std::runtime_error("enough"); }
  } thrower;
  const auto client = client_of(server);
  CHECK_THROWS_AS(embeddings::create_all(client, numbers(4), model,
                                         {.max_in_flight = 2, .max_request_inputs = 1, .observer = &thrower}),
                  std::runtime_error);
  CHECK(server.wait_for_close(server.connections() - 1));
}

TEST_CASE("completions::create_all sends one request per prompt", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto body = nlohmann::json::parse(request.body);
    return Reply::json(nlohmann::json{
        {"id", "c"},
        {"object", "text_completion"},
        {"choices",
         {{{"index", 0}, {"text", body.at("prompt").get<std::string>() + "!"}, {"finish_reason", "stop"}}}}}
                           .dump());
  });
  const auto replies =
      completions::create_all(client_of(server), numbers(5), {.model = "m", .max_tokens = 3});
  REQUIRE(replies.size() == 5);
  for (std::size_t i = 0; i < replies.size(); ++i) CHECK(replies[i]->text() == std::to_string(i) + "!");
  CHECK(nlohmann::json::parse(server.requests()[0].body).at("max_tokens") == 3);
}

TEST_CASE("create_all gives the error of a client that cannot send for every request", "[batch]") {
  const Client broken({.base_url = "no url", .credential = inferwire::Credential::none()});
  const auto replies = completions::create_all(broken, numbers(3), {.model = "m"});
  REQUIRE(replies.size() == 3);
  for (const auto& reply : replies) CHECK(reply.error().kind == ErrorKind::config);
}

TEST_CASE("a batch of a client that was moved from reads no checkpoint", "[batch]") {
  const TemporaryFile file;
  Client client({.credential = inferwire::Credential::none()});
  const Client other = std::move(client);
  BatchOptions options{.checkpoint = file.path()};
  options.call.deadline = TimePoint::min();
  const auto rows = embeddings::create_all(client, numbers(3), model, options);
  REQUIRE(rows.failures.size() == 1);
  CHECK(rows.failures[0].count == 3);
  CHECK_THAT(rows.failures[0].error.message(), contains("moved from"));
  CHECK(file.content().empty());
}
