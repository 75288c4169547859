/// \file
/// Calls that are retried: what the service sees, what the caller gets, and what ends a wait.

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/forwarding.hpp"
#include "inferwire/observer.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "inferwire/transport.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/function_observer.hpp"
#include "support/scripted_client.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

const std::string answer = answer_of("Hi.");

/// Sends a token that is refused until it has been renewed.
class Renewable final : public Credential {
 public:
  Prepared prepare(HttpRequest& request, Instant) override {
    request.headers.push_back({"Authorization", "Bearer token-" + std::to_string(version_)});
    return Ready{version_};
  }
  bool refused(std::uint64_t version) override {
    if (version == version_) ++version_;
    return true;
  }

 private:
  std::uint64_t version_{1};
};

/// Fetches a token before the first request, and fails if it gets none.
class Fetched final : public Credential {
 public:
  explicit Fetched(bool retry = true) : retry_(retry) {}

  Prepared prepare(HttpRequest& request, Instant) override {
    if (status_ == 0) {
      return Fetch{.request = {.method = "GET", .url = "http://localhost/token"}, .retry = retry_};
    }
    if (status_ != 200) {
      return inferwire::Error{.kind = ErrorKind::auth, .detail = "no token for you", .status = status_};
    }
    request.headers.push_back({"Authorization", "Bearer fetched"});
    return Ready{};
  }
  void accept(const inferwire::ResponseHead& head, std::string_view, Instant) override {
    status_ = head.status;
  }
  bool refused(std::uint64_t) override {
    ++refusals;
    return true;
  }
  int refusals{};

 private:
  bool retry_;
  int status_{};
};

}  // namespace

TEST_CASE("a call is retried with the same request after 503 and a reset", "[retry]") {
  const ScriptedClient service({Reply::error(503), Reply::reset(), Reply::json(answer)});
  inferwire::ResponseInfo info;
  const auto before = service.clock->now();
  const auto reply = service.client.chat.create(hello, {.info = &info});
  REQUIRE(reply);
  CHECK(reply->text() == "Hi.");
  CHECK(info.attempts == 3);
  CHECK(info.head.status == 200);
  const auto waited = service.clock->now() - before;
  CHECK(waited > 1125ms);
  CHECK(waited <= 1500ms);
  const auto requests = service.script->requests();
  REQUIRE(requests.size() == 3);
  CHECK(requests[2].body == requests[0].body);
  CHECK(requests[2].body.data() == requests[0].body.data());  // the body is not even copied
  CHECK(requests[2].headers == requests[0].headers);
}

TEST_CASE("a stream is retried until its first element was delivered", "[retry]") {
  const auto broken = unfinished_stream({": ping\n\n"}, Ending::reset);
  const ScriptedClient service({Reply::error(429).with("Retry-After", "3"), broken, whole_stream({"Hi."})});
  auto stream = service.client.chat.stream(hello);
  const auto collected = stream.collect();
  CHECK(collected);
  CHECK(collected.response.text() == "Hi.");
  CHECK(stream.info().attempts == 3);
  CHECK(stream.info().events == 2);
}

TEST_CASE("a stream is not retried after its first element", "[retry]") {
  for (const auto ending : {Ending::reset, Ending::cut, Ending::silence}) {
    const auto broken = unfinished_stream({chunk("Once")}, ending).with("x-request-id", "r1");
    const ScriptedClient service({broken, whole_stream({"Hi."})});
    const auto collected = service.client.chat.stream(hello).collect();
    REQUIRE_FALSE(collected);
    CHECK(collected.response.text() == "Once");
    CHECK(collected.error->status == 200);
    CHECK(collected.error->request_id == "r1");
    CHECK(collected.error->request_id_header == "x-request-id");
    CHECK(service.requests() == 1);
  }
}

TEST_CASE("the error of a stream's last attempt has nothing of the attempts before it", "[retry]") {
  for (const auto& last : {Reply::reset(), Reply::silence()}) {
    const ScriptedClient service({Reply::error(503).with("x-request-id", "r1"), last});
    auto stream = service.client.chat.stream(hello, {.retry = RetryPolicy{.max_retries = 1}});
    const auto collected = stream.collect();
    REQUIRE_FALSE(collected);
    CHECK(collected.error->status == 0);
    CHECK(collected.error->request_id.empty());
    CHECK(stream.info().bytes == 0);
    CHECK(service.requests() == 2);
  }
}

TEST_CASE("a stream whose choices have finished is complete, however the connection ends", "[retry]") {
  for (const auto ending : {Ending::reset, Ending::cut, Ending::silence}) {
    const ScriptedClient service({unfinished_stream({chunk("Once"), stop}, ending), whole_stream({"Hi."})});
    auto stream = service.client.chat.stream(hello);
    const auto collected = stream.collect();
    REQUIRE(collected);
    CHECK(collected.response.text() == "Once");
    CHECK(stream.end_reason() == inferwire::EndReason::eof_after_finish);
    CHECK(service.requests() == 1);
  }
}

// https://github.com/maximhq/bifrost/issues/6784
TEST_CASE("comments do not keep a stream open whose choices have finished", "[retry]") {
  for (const bool finished : {false, true}) {
    auto reply = unfinished_stream({chunk("Once"), finished ? stop : chunk(" upon")}, Ending::silence);
    reply.body.push_back({.bytes = ": ping\n\n", .delay = 20s, .times = 100});
    const ScriptedClient service({reply}, {.timeouts = {.idle = 60s}});
    const auto before = service.clock->now();
    const auto collected = service.client.chat.stream(hello).collect();
    CHECK(collected.error.has_value() == !finished);
    CHECK((service.clock->now() - before > 100 * 20s) == !finished);
  }
}

TEST_CASE("Error::attempts lists all attempts", "[retry]") {
  const ScriptedClient service({Reply::error(503).with("x-request-id", "r1"), Reply::reset(),
                                Reply::json(answer).cut_after(20), Reply::error(500)});
  const auto reply = service.with({.retry = {.max_retries = 3, .jitter = 0}}).chat.create(hello);
  REQUIRE_FALSE(reply);
  const auto& error = reply.error();
  CHECK(error.status == 500);
  REQUIRE(error.attempts.size() == 4);
  CHECK(error.attempts[0].status == 503);
  CHECK(error.attempts[0].failure == "");
  CHECK(error.attempts[0].request_id == "r1");
  CHECK(error.attempts[0].waited == 0ms);
  CHECK(error.attempts[1].status == 0);
  CHECK_THAT(error.attempts[1].failure, contains("connection: "));
  CHECK(error.attempts[1].waited == 500ms);
  CHECK(error.attempts[2].status == 200);
  CHECK_THAT(error.attempts[2].failure, contains("connection: "));
  CHECK(error.attempts[3].waited == 2000ms);
  CHECK_THAT(error.message(), contains("after 4 attempts"));
}

TEST_CASE("a Retry-After longer than max_server_delay ends the call at once", "[retry]") {
  const ScriptedClient service({Reply::error(429).with("Retry-After", "3600")});
  const auto before = service.clock->now();
  const auto reply = service.client.chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::rate_limit);
  CHECK(reply.error().retry_after == 1h);
  CHECK(service.clock->now() == before);
}

TEST_CASE("CallOptions::retry replaces the client's policy", "[retry]") {
  const ScriptedClient service({Reply::error(503), Reply::error(503), Reply::json(answer)});
  const auto client = service.with({.retry = RetryPolicy::none()});
  CHECK_FALSE(client.chat.create(hello));
  CHECK(service.requests() == 1);
  CHECK(client.chat.create(hello, {.retry = RetryPolicy()}));
  CHECK(service.requests() == 3);
}

TEST_CASE("RetryJudge::of decides by a function which failures are retried", "[retry]") {
  const ScriptedClient service({Reply::error(503), Reply::error(500), Reply::json(answer)});
  const auto only_503 = inferwire::RetryJudge::of([](const inferwire::FailedAttempt& failed) {
    return failed.error.status == 503 ? failed.wait : std::nullopt;
  });
  const auto reply = service.with({.retry = {.judge = only_503}}).chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().status == 500);
  CHECK(service.requests() == 2);
}

TEST_CASE("RetryJudge::at_most limits the retries of all calls that share it", "[retry]") {
  std::vector<Reply> refusals(8, Reply::error(503));
  const ScriptedClient service(std::move(refusals));
  const RetryPolicy sparing{.first_delay = 1ms,
                            .judge = inferwire::RetryJudge::at_most(3, 30s, service.clock)};
  const auto one = service.with({.retry = sparing});
  const auto other = service.with({.retry = sparing});
  const auto attempts_of = [](const Client& client) {
    const auto reply = client.chat.create(hello);
    REQUIRE_FALSE(reply);
    CHECK(reply.error().status == 503);
    return reply.error().attempts.size();
  };
  CHECK(attempts_of(one) == 3);
  CHECK(attempts_of(other) == 2);
  CHECK(attempts_of(one) == 1);
  service.clock->advance(10s);
  CHECK(attempts_of(one) == 2);
  CHECK(service.requests() == 8);
}

TEST_CASE("RetryJudge::at_most of 0 retries allows none, of 0 seconds any number", "[retry]") {
  const ScriptedClient service({Reply::error(503), Reply::error(503), Reply::error(503), Reply::error(503)});
  const auto attempts_with = [&service](std::shared_ptr<inferwire::RetryJudge> judge) {
    const auto reply = service.with({.retry = {.judge = std::move(judge)}}).chat.create(hello);
    return reply ? 0 : reply.error().attempts.size();
  };
  CHECK(attempts_with(inferwire::RetryJudge::at_most(0, 1s)) == 1);
  CHECK(attempts_with(inferwire::RetryJudge::at_most(1, 0s)) == 3);
}

TEST_CASE("an invalid RetryPolicy is Error{config} that names the member", "[retry]") {
  const ScriptedClient service({});
  for (const auto& [policy, name] : {std::pair(RetryPolicy{.max_retries = -1}, "max_retries"),
                                     {{.jitter = 1.5}, "jitter"},
                                     {{.first_delay = -1ms}, "first_delay"},
                                     {{.budget = -1ms}, "budget"}}) {
    const auto by_client = service.with({.retry = policy}).chat.create(hello);
    REQUIRE_FALSE(by_client);
    CHECK(by_client.error().kind == ErrorKind::config);
    CHECK_THAT(by_client.error().detail, contains(name));
    const auto by_call = service.client.chat.create(hello, {.retry = policy});
    REQUIRE_FALSE(by_call);
    CHECK_THAT(by_call.error().detail, contains(name));
  }
}

TEST_CASE("a 401 renews the token once, not counted as a retry", "[retry]") {
  const ScriptedClient service(
      {Reply::error(401), Reply::json(answer), Reply::error(401), Reply::error(401)});
  service.script->keep_secrets();
  const auto client =
      service.with({.credential = std::make_shared<Renewable>(), .retry = RetryPolicy::none()});
  CHECK(client.chat.create(hello));
  const auto requests = service.script->requests();
  REQUIRE(requests.size() == 2);
  CHECK(find_header(requests[0].headers, "authorization") == "Bearer token-1");
  CHECK(find_header(requests[1].headers, "authorization") == "Bearer token-2");
  CHECK(requests[1].headers.size() == requests[0].headers.size());
  const auto refused = client.chat.create(hello);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::auth);
  CHECK(refused.error().attempts.size() == 2);
}

TEST_CASE("a 401 for the caller's own Authorization does not renew the token", "[retry]") {
  const ScriptedClient service({Reply::error(401), Reply::json(answer)});
  const auto client =
      service.with({.credential = std::make_shared<Renewable>(), .retry = RetryPolicy::none()});
  const auto refused = client.chat.create(hello, {.headers = {{"authorization", "Bearer mine"}}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::auth);
  CHECK(service.requests() == 1);
}

TEST_CASE("a 401 for an Authorization that an observer added does not renew the token", "[retry]") {
  const auto observer = std::make_shared<FunctionObserver>();
  observer->at_attempt = [](auto& add) { add.push_back({"Authorization", "Bearer mine"}); };
  const ScriptedClient service({Reply::error(401), Reply::json(answer)});
  const auto client = service.with(
      {.credential = std::make_shared<Renewable>(), .retry = RetryPolicy::none(), .observer = observer});
  CHECK_FALSE(client.chat.create(hello));
  CHECK(service.requests() == 1);
}

TEST_CASE("the retry policy and total of a call do not hold for fetching its token", "[retry]") {
  const ScriptedClient service(
      {Reply::error(503), Reply::json("{}").in_pieces_of(1, 40ms), Reply::json(answer)});
  const auto client = service.with({.credential = std::make_shared<Fetched>()});
  const auto reply = client.chat.create(hello, {.timeouts = {.total = 30ms}, .retry = RetryPolicy::none()});
  CHECK((reply ? "" : reply.error().message()) == "");
  CHECK(service.requests() == 3);
}

TEST_CASE("a call with overall = no_limit has none for fetching its token", "[retry]") {
  const ScriptedClient service({Reply::json("{}").in_pieces_of(1, 40ms), Reply::json(answer)});
  const auto client =
      service.with({.credential = std::make_shared<Fetched>(), .timeouts = {.overall = 30ms}});
  const auto reply = client.chat.create(hello, {.timeouts = {.overall = inferwire::no_limit}});
  CHECK((reply ? "" : reply.error().message()) == "");
}

TEST_CASE("fetching a token is retried by the client's policy", "[retry]") {
  const ScriptedClient service(
      {Reply::error(503), Reply::reset(), Reply::json("{}"), Reply::error(503), Reply::json(answer)});
  inferwire::ResponseInfo info;
  const auto client = service.with({.credential = std::make_shared<Fetched>()});
  CHECK(client.chat.create(hello, {.info = &info}));
  CHECK(info.attempts == 2);
  const auto requests = service.script->requests();
  REQUIRE(requests.size() == 5);
  CHECK(requests[2].url == "http://localhost/token");
  CHECK(requests[3].method == "POST");
}

TEST_CASE("a fetch that is not to be retried is made once", "[retry]") {
  const ScriptedClient service({Reply::error(503), Reply::json("{}"), Reply::json(answer)});
  const auto client = service.with({.credential = std::make_shared<Fetched>(false)});
  const auto reply = client.chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().detail == "no token for you");
  CHECK(reply.error().status == 503);
  CHECK(client.chat.stream(hello).collect().error->status == 503);
  CHECK(service.requests() == 1);
}

TEST_CASE("a failed token fetch ends the call and keeps the cached token", "[retry]") {
  const ScriptedClient service({Reply::error(401)});
  const auto credential = std::make_shared<Fetched>();
  const auto reply = service.with({.credential = credential}).chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().detail == "no token for you");
  CHECK(credential->refusals == 0);
  CHECK(service.requests() == 1);
}

TEST_CASE("a credential that keeps asking for tokens is Error{auth}", "[retry]") {
  struct Insatiable final : Credential {
    Prepared prepare(HttpRequest&, Instant) override {
      return Fetch{.request = {.method = "GET", .url = "http://localhost/token"}};
    }
  };
  const ScriptedClient service({});
  service.script->set_handler([](const HttpRequest&) { return Reply::json("{}"); });
  const auto reply =
      service.with({.credential = std::make_shared<Insatiable>(), .retry = RetryPolicy::none()})
          .chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::auth);
  CHECK(reply.error().detail == "the credential keeps asking for tokens");
  CHECK(service.requests() > 30);
  CHECK(service.requests() < 40);
}

TEST_CASE("overall limits the fetching of a token too", "[retry]") {
  const ScriptedClient service({Reply::silence()});
  const auto before = service.clock->now();
  const auto reply = service.with({.credential = std::make_shared<Fetched>(), .timeouts = {.overall = 700ms}})
                         .chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().timer == "overall");
  CHECK(reply.error().detail ==
        "the timer overall fired after 700 ms before the first attempt; there was no token by then");
  CHECK(service.clock->now() - before == 700ms);
}

TEST_CASE("a credential may pass on the error of a timer that its client does not have", "[retry]") {
  const ScriptedClient service({});
  const auto late = Credential::callback([]() -> Result<Secret> {
    return Error{.kind = ErrorKind::timeout, .detail = "the vault is slow", .timer = "overall"};
  });
  const auto reply = service.with({.credential = late}).chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().detail == "the vault is slow");
}

TEST_CASE("CallOptions::deadline limits calls, token fetches and waits together", "[retry]") {
  const ScriptedClient service({Reply::silence()});
  const auto start = service.clock->now();
  const CallOptions due{.deadline = start + 700ms};
  const auto client = service.with({.credential = std::make_shared<Fetched>()});
  CHECK(client.chat.create(hello, due).error().timer == "overall");
  CHECK(service.clock->now() - start == 700ms);

  const auto late = client.chat.create(hello, due);
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::timeout);
  CHECK(late.error().timer == "overall");
  CHECK(service.requests() == 1);

  auto stream = client.chat.stream(hello, due);
  CHECK(stream.next()->error().timer == "overall");
  CHECK(service.clock->now() - start == 700ms);
}

TEST_CASE("CallOptions::timeouts changes single timers of the client", "[retry]") {
  const ScriptedClient service({Reply::silence(), Reply::silence()});
  const auto client =
      service.with({.timeouts = {.first_byte = 400ms, .total = 300ms}, .retry = RetryPolicy::none()});
  const auto by_total = client.chat.create(hello);
  REQUIRE_FALSE(by_total);
  CHECK(by_total.error().timer == "total");
  const auto without = client.chat.create(hello, {.timeouts = {.total = inferwire::no_limit}});
  REQUIRE_FALSE(without);
  CHECK(without.error().timer == "first_byte");
}

TEST_CASE("a 401 for a key that never changes is not retried", "[retry]") {
  const ScriptedClient service({Reply::error(401), Reply::json(answer)});
  CHECK_FALSE(service.with({.credential = Credential::bearer("k")}).chat.create(hello));
  CHECK(service.requests() == 1);
}

TEST_CASE("the idempotency key is the same for all attempts of a call", "[retry]") {
  const ScriptedClient service({Reply::error(503), Reply::json(answer), Reply::json(answer)});
  service.script->keep_secrets();
  const auto client = service.with({.retry = {.idempotency_header = "Idempotency-Key"}});
  CHECK(client.chat.create(hello));
  CHECK(client.chat.create(hello));
  std::vector<std::string> keys;
  for (const auto& request : service.script->requests()) {
    keys.emplace_back(find_header(request.headers, "Idempotency-Key").value_or(""));
  }
  REQUIRE(keys.size() == 3);
  CHECK(keys[0].size() == std::string("inferwire-").size() + 36);
  CHECK(keys[0] == keys[1]);
  CHECK(keys[0] != keys[2]);
  service.script->push(Reply::json(answer));
  CHECK(client.chat.create(hello, {.headers = {{"idempotency-key", "mine"}}}));
  CHECK(find_header(service.script->requests().back().headers, "Idempotency-Key") == "mine");
  service.script->push(Reply::json(answer));
  CHECK(client.chat.create(hello, {.without_headers = {"idempotency-key"}}));
  CHECK_FALSE(find_header(service.script->requests().back().headers, "Idempotency-Key"));
}

TEST_CASE("no idempotency key is sent unless it is asked for", "[retry]") {
  const ScriptedClient service({Reply::json(answer)});
  CHECK(service.client.chat.create(hello));
  const auto request = service.script->requests().at(0);
  for (const auto& header : request.headers) {
    CHECK(header.value.find("inferwire-") == std::string::npos);
  }
}

TEST_CASE("cancelling ends the wait before a retry at once", "[retry][cancel]") {
  const auto script = std::make_shared<ScriptTransport>();
  script->push(Reply::error(503).with("Retry-After", "50"));
  inferwire::CancelSource source;
  Baton<bool> waits;
  const auto observer = std::make_shared<FunctionObserver>();
  observer->at_retry = [&] { waits.pass(true); };
  const Client client({.base_url = "http://localhost",
                       .credential = Credential::none(),
                       .observer = observer,
                       .transport = script});
  std::thread other([&] {
    waits.take();
    source.cancel();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto reply = client.chat.create(hello, {.cancel = source.token()});
  const auto took = std::chrono::steady_clock::now() - begin;
  other.join();
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::cancelled);
  CHECK(reply.error().attempts.size() == 1);
  CHECK(script->requests().size() == 1);
  CHECK(took < 25s);  // less than the 50 s that the server asks for
}

TEST_CASE("overall limits the attempts and the waits between them", "[retry]") {
  std::vector<Reply> replies(10, Reply::silence());
  const ScriptedClient service(replies);
  const auto before = service.clock->now();
  const auto reply = service.with({.timeouts = {.first_byte = 400ms, .overall = 1000ms}}).chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::timeout);
  CHECK(service.clock->now() - before <= 1000ms);
  CHECK(service.requests() == 2);
}

TEST_CASE("errors_in_answers retries an error that comes with status 200", "[retry]") {
  const auto busy = Reply::json(R"({"error":{"message":"busy","code":503}})");
  const auto busy_stream = Reply::stream({"data: {\"error\":{\"message\":\"busy\",\"code\":503}}\n\n"});
  const ScriptedClient service(
      {busy, busy, Reply::json(answer), busy_stream, busy_stream, whole_stream({"Hi."})});
  const auto& client = service.client;
  const CallOptions patient{.retry = RetryPolicy{.errors_in_answers = true}};
  CHECK_FALSE(client.chat.create(hello));
  CHECK(client.chat.create(hello, patient));
  CHECK_FALSE(client.chat.stream(hello).collect());
  CHECK(client.chat.stream(hello, patient).collect());
}

TEST_CASE("a retry after a connection broke or stayed silent asks for one opened since", "[retry]") {
  class Asked final : public ForwardingTransport {
   public:
    using ForwardingTransport::ForwardingTransport;
    std::vector<bool> for_new;

   protected:
    Result<std::unique_ptr<Exchange>> start_at(Transport& inner, HttpRequest request, Sink& sink,
                                               const ExchangeOptions& options) override {
      for_new.push_back(options.connected_since.has_value());
      return ForwardingTransport::start_at(inner, std::move(request), sink, options);
    }
  };
  for (const auto& failure :
       {Reply::silence(), Reply::fails({.kind = ErrorKind::connection, .retryable = true})}) {
    const ScriptedClient service({Reply::error(503), failure, Reply::json(answer)});
    const auto asked = std::make_shared<Asked>(service.script);
    const Client client({.base_url = "http://localhost/v1",
                         .credential = Credential::none(),
                         .timeouts = {.first_byte = 400ms},
                         .transport = asked,
                         .clock = service.clock});
    CHECK(client.chat.create(hello));
    CHECK(asked->for_new == std::vector{false, false, true});
  }
}

TEST_CASE("a connect timeout that the transport reports reads like the client's own") {
  class Late final : public inferwire::Transport {
   public:
    Result<std::unique_ptr<inferwire::Exchange>> start(HttpRequest, inferwire::Sink& sink,
                                                       const inferwire::ExchangeOptions&) override {
      return std::unique_ptr<inferwire::Exchange>(new TooLate(sink));
    }
    void wake() noexcept override {}

   private:
    class TooLate final : public inferwire::Exchange {
     public:
      explicit TooLate(inferwire::Sink& sink) : sink_(sink) {}
      inferwire::Progress drive(inferwire::TimePoint) override {
        const inferwire::Error late{.kind = ErrorKind::timeout, .detail = "late", .timer = "connect"};
        sink_.on_end(&late);
        return inferwire::Progress::ended;
      }
      void pause() override {}
      void resume() override {}
      std::string_view obstacle() const noexcept override { return "nobody took the connection"; }

     private:
      inferwire::Sink& sink_;
    };
  };
  const auto told = [](inferwire::Optional<Duration> limit) {
    const Client client({.base_url = "https://models.test/v1",
                         .api_key = "sk-test",
                         .timeouts = {.connect = limit},
                         .transport = std::make_shared<Late>()});
    return client.chat.create(hello).error().detail;
  };
  CHECK(told(10s) ==
        "could not connect to models.test within 10000 ms in attempt 1: nobody took the connection");
  CHECK(told({}) == "late");  // the transport's own limit
}

TEST_CASE("an error status counts although its body breaks off") {
  struct Case {
    int status;
    ErrorKind kind;
    std::size_t asked;
  };
  for (const auto& [status, kind, asked] :
       {Case{413, ErrorKind::too_large, 1}, Case{400, ErrorKind::invalid_request, 1},
        Case{503, ErrorKind::overloaded, 3}}) {
    for (const auto how : {Ending::cut, Ending::reset}) {
      for (const std::size_t bytes : {0U, 12U}) {
        const auto refusal = Reply::error(status).cut_after(bytes, how);
        CAPTURE(status, bytes);
        const ScriptedClient whole({refusal, refusal, refusal});
        const auto reply = whole.client.chat.create(hello);
        REQUIRE_FALSE(reply);
        CHECK(reply.error().kind == kind);
        CHECK(reply.error().status == status);
        CHECK(whole.requests() == asked);
        const ScriptedClient streamed({refusal, refusal, refusal});
        const auto collected = streamed.client.chat.stream(hello).collect();
        REQUIRE(collected.error);
        CHECK(collected.error->kind == kind);
        CHECK(streamed.requests() == asked);
      }
    }
  }
}

TEST_CASE("an error status counts although its body stalls") {
  const auto refusal = Reply::error(401).cut_after(5, Ending::silence);
  const ScriptedClient service({refusal, refusal, refusal, refusal});
  const auto client = service.with({.timeouts = {.idle = 200ms, .total = 300ms}});
  CHECK(client.chat.create(hello).error().kind == ErrorKind::auth);
  CHECK(client.chat.stream(hello).collect().error->kind == ErrorKind::auth);
  CHECK(service.requests() == 2);
  const CallOptions hurried{.timeouts = {.overall = 100ms}};
  CHECK(client.chat.create(hello, hurried).error().timer == "overall");
  CHECK(client.chat.stream(hello, hurried).collect().error->timer == "overall");
}

TEST_CASE("create() takes a stream that is complete, however the connection ends") {
  for (const auto ending : {Ending::cut, Ending::reset, Ending::silence}) {
    auto whole = whole_stream({"Hi."});
    auto part = Reply::stream({chunk("Hi.")});
    whole.ending = part.ending = ending;
    const ScriptedClient service({part, whole});
    const auto client = service.with({.timeouts = {.total = 300ms}});
    CHECK(client.chat.create(hello)->text() == "Hi.");
    CHECK(service.requests() == 2);
  }
}

TEST_CASE("the error of a stream in place of an answer has its status and request id") {
  for (const auto& broken : {unfinished_stream({chunk("Hi.")}, Ending::reset),
                             unfinished_stream({chunk("Hi.") + "data: {no\n\n"}, Ending::whole)}) {
    const ScriptedClient service({broken.with("x-request-id", "r1")});
    const auto reply = service.client.chat.create(hello, {.retry = RetryPolicy::none()});
    REQUIRE_FALSE(reply);
    CHECK(reply.error().status == 200);
    CHECK(reply.error().request_id == "r1");
  }
}

TEST_CASE("ResponseInfo of a call cancelled before a retry has the last answer", "[cancel]") {
  const ScriptedClient service({Reply::error(503)});
  inferwire::CancelSource source;
  const RetryPolicy leaving{.judge = inferwire::RetryJudge::of([&](const inferwire::FailedAttempt& failed) {
                              source.cancel();
                              return failed.wait;
                            })};
  inferwire::ResponseInfo info;
  const auto reply =
      service.client.chat.create(hello, {.retry = leaving, .cancel = source.token(), .info = &info});
  CHECK(reply.error().kind == ErrorKind::cancelled);
  CHECK(reply.error().status == 503);
  CHECK(info.head.status == 503);
}

TEST_CASE("ResponseInfo and Stream::info are filled before the answer's end") {
  const auto cut = Reply::json(answer).cut_after(50, Ending::silence);
  const ScriptedClient service({cut, Reply::error(503), whole_stream({"Hi."})});
  const auto client = service.with({.timeouts = {.total = 300ms}});
  inferwire::ResponseInfo info;
  CHECK_FALSE(client.chat.create(hello, {.retry = RetryPolicy::none(), .info = &info}));
  CHECK(info.bytes == 50);
  auto stream = client.chat.stream(hello);
  REQUIRE(stream.next());
  CHECK(stream.info().head.status == 200);
  CHECK(stream.info().attempts == 2);
  CHECK(stream.info().timings.first_event);
  CHECK_FALSE(stream.info().timings.end);
  while (const auto* element = stream.next()) CHECK(*element);
  CHECK(stream.info().timings.end);
}
