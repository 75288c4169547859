/// \file
/// Calls that were started: their results, their continuations, and what cancels them.

#include "inferwire/batch.hpp"
#include "inferwire/inferwire.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/coroutine.hpp"
#include "support/eventually.hpp"
#include "support/mock_calls.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

TEST_CASE("start() gives what create() gives", "[async]") {
  MockServer server;
  server.push(Reply::json(answer_of("Hi.")));
  server.push(Reply::error(400, "no such thing"));
  const auto client = client_of(server);
  inferwire::ResponseInfo info;
  auto good = client.chat.start(hello, {.info = &info});
  const auto reply = good.get();
  REQUIRE(reply);
  CHECK(reply->text() == "Hi.");
  CHECK(info.head.status == 200);
  CHECK(info.attempts == 1);
  CHECK_FALSE(good.valid());

  const auto refused = client.chat.start(hello).get();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::invalid_request);
  CHECK(refused.error().status == 400);
  CHECK(server.requests().size() == 2);
  CHECK(server.connections() == 1);
}

TEST_CASE("a started call and an opened stream are retried with all that their options add", "[async]") {
  MockServer server;
  const auto client = client_of(server, {.retry = {.max_retries = 1, .first_delay = Duration(1)}});
  const CallOptions options{.headers = {{"X-Team", "red"}},
                            .without_headers = {"User-Agent"},
                            .query = {{"version", "2"}},
                            .body = {BodyEdit::set("/user", Json::string("u"))}};
  server.push(Reply::error(503));
  SECTION("call") {
    server.push(Reply::json(answer_of("Hi.")));
    CHECK(client.chat.start(hello, options).get());
  }
  SECTION("stream") {
    server.push(whole_stream({"Hi."}));
    auto stream = client.chat.open(hello, options);
    const auto* const first = stream.get();
    REQUIRE(first != nullptr);
    CHECK(*first);
  }
  const auto requests = server.requests();
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].url == requests[1].url);
  CHECK(requests[0].headers == requests[1].headers);
  CHECK(requests[0].body == requests[1].body);
  CHECK(requests[1].url.ends_with("?version=2"));
  CHECK(find_header(requests[1].headers, "X-Team") == "red");
  CHECK_FALSE(find_header(requests[1].headers, "User-Agent"));
  CHECK_THAT(std::string(requests[1].body.text()), contains(R"("user":"u")"));
}

TEST_CASE("start() of a call that cannot be sent is ready at once with its error", "[async]") {
  const Client broken({.base_url = "no url", .credential = Credential::none()});
  auto pending = broken.chat.start(hello);
  CHECK(pending.ready());
  const auto reply = pending.get();
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::config);

  Client moved = broken;
  const auto taken = std::move(moved);
  CHECK(moved.chat.start(hello).get().error().kind == ErrorKind::config);  // NOLINT: deliberately moved from
}

namespace {

constexpr int in_a_row = 10'000;

/// Starts the next call in the callback of the one before.
struct Pump {
  explicit Pump(const Client& asked) : client(asked) {}

  void next() {
    if (left-- == 0) return;
    client.chat.start(hello).then([this](const Result<chat::Response>& reply) {
      ++depth;
      deepest = std::max(deepest, depth);
      if (!reply) ++failed;
      next();
      --depth;
    });
  }

  const Client& client;
  int left{in_a_row};
  int failed{};
  int depth{};
  int deepest{};
};

}  // namespace

TEST_CASE("start() in the callback of a call that could not be sent does not deepen the stack", "[async]") {
  const Client broken({.base_url = "no url", .credential = Credential::none()});
  Pump pump(broken);
  pump.next();
  CHECK(pump.failed == in_a_row);
  CHECK(pump.deepest == 1);
}

TEST_CASE("create_all works inside the callback of a call that could not be sent", "[async]") {
  const Client broken({.base_url = "no url", .credential = Credential::none()});
  std::size_t failed = 0;
  broken.chat.start(hello).then([&](const Result<chat::Response>&) {
    for (const auto& reply : chat::create_all(broken, std::vector<chat::Request>(3, hello))) failed += !reply;
  });
  CHECK(failed == 3);
}

TEST_CASE("a callback that is called at once may wait for another on the loop", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server);
  const Client broken({.base_url = "no url", .credential = Credential::none()});
  auto spare = client.chat.start(hello);
  REQUIRE(spare.wait_for(10s));
  std::string text;
  broken.chat.start(hello).then([&](const Result<chat::Response>&) {
    Baton<std::string> baton;
    spare.then([&](const Result<chat::Response>& reply) { baton.pass(reply->text()); });
    text = baton.take();
  });
  CHECK(text == "Hi.");
}

TEST_CASE("then() on an answer that is there does not nest callbacks", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server);
  std::vector<Pending<chat::Response>> calls;
  for (int i = 0; i < 20; ++i) calls.push_back(client.chat.start(hello));
  for (auto& call : calls) REQUIRE(call.wait_for(10s));

  // Each callback requests the next answer, on the loop's thread.
  struct Chain {
    void next() {
      calls[at++].then([this](const Result<chat::Response>&) {
        deepest = std::max(deepest, ++depth);
        const bool last = at == calls.size();
        if (!last) next();
        --depth;
        if (last) done.pass(deepest);  // lets the test end
      });
    }
    std::vector<Pending<chat::Response>>& calls;
    Baton<int> done{};
    std::size_t at{};
    int depth{};
    int deepest{};
  } chain{calls};
  client.chat.start(hello).then([&](const Result<chat::Response>&) { chain.next(); });
  CHECK(chain.done.take() == 1);
}

TEST_CASE("Pending::wait_for ends with the answer or the time", "[async]") {
  const Gate gate;
  MockServer server;
  server.push(held_back(gate));
  const auto client = client_of(server);
  auto pending = client.chat.start(hello);
  CHECK_FALSE(pending.wait_for(10ms));
  CHECK_FALSE(pending.ready());
  Gate(gate).open();
  CHECK(pending.wait_for(10s));
  CHECK(pending.ready());
  CHECK(pending.get()->text() == "Late.");
  CHECK(pending.get().error().kind == ErrorKind::config);
}

TEST_CASE("Pending::wait_for takes Duration::max()", "[async]") {
  Gate gate;
  AnsweringServer server(held_back(gate));
  const auto client = client_of(server);
  auto call = client.chat.start(hello, {.timeouts = {.total = inferwire::Duration::max()}});
  CHECK_FALSE(call.wait_for(5ms));
  std::thread opener([&] {
    REQUIRE(server.wait_for_requests(1));
    gate.open();
  });
  CHECK(call.wait_for(inferwire::Duration::max()));
  opener.join();
  CHECK(call.get());
}

TEST_CASE("get, then, co_await and when_any of an answer that was taken give Error{config}", "[async]") {
  MockServer server;
  server.push(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server);
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(client.chat.start(hello));
  auto& taken = calls.front();
  REQUIRE(taken.get());

  const auto complains = [](const auto& result) {
    return !result && result.error().kind == ErrorKind::config && !result.error().detail.empty();
  };
  CHECK(complains(taken.get()));
  CHECK(taken.ready());
  CHECK(taken.wait_for(10s));
  bool called_back = false;
  taken.then([&](Result<chat::Response> reply) { called_back = complains(reply); });
  CHECK(called_back);
  bool awaited = false;
  [](Pending<chat::Response>& pending, auto check, bool& out) -> Detached { out = check(co_await pending); }(
                                                                  taken, complains, awaited);
  CHECK(awaited);
  CHECK(complains(inferwire::when_any(calls).get()));
  std::vector<Pending<chat::Response>> none;
  CHECK(complains(inferwire::when_any(none).get()));
}

TEST_CASE("a Pending whose answer was taken is ready and not valid, and cancel() does nothing", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  auto taken = client_of(server).chat.start(hello);
  REQUIRE(taken.get());
  CHECK_FALSE(taken.valid());
  CHECK(taken.ready());
  CHECK(taken.wait_for(0s));
  taken.cancel();
  std::vector<ErrorKind> kinds{taken.get().error().kind};
  taken.then([&](Result<chat::Response> reply) { kinds.push_back(reply.error().kind); });
  [](Pending<chat::Response>& empty, std::vector<ErrorKind>& told) -> Detached {
    told.push_back((co_await empty).error().kind);
  }(taken, kinds);
  CHECK(kinds == std::vector(3, ErrorKind::config));
}

TEST_CASE("a Pending can be default-constructed and assigned", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  Pending<chat::Response> call;
  CHECK_FALSE(call.valid());
  CHECK(call.get().error().kind == ErrorKind::config);
  call = client_of(server).chat.start(hello);
  CHECK(call.valid());
  CHECK(call.get()->text() == "Hi.");
}

TEST_CASE("Pendings in a vector may be awaited one by one", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server);
  Baton<std::string> baton;
  [](const Client& asked, Baton<std::string>& out) -> Detached {
    std::vector<Pending<chat::Response>> calls;
    for (int i = 0; i < 3; ++i) calls.push_back(asked.chat.start(hello));
    std::string texts;
    for (auto& call : calls) texts += (co_await call)->text();
    texts += (co_await calls[0]) ? "again" : "none";
    out.pass(std::move(texts));
  }(client, baton);
  CHECK(baton.take() == "Hi.Hi.Hi.none");
}

TEST_CASE("timings.end of a call that was cancelled before it began is 0", "[async]") {
  const MockServer server;
  const auto client = client_of(server);
  inferwire::CancelSource cancel;
  cancel.cancel();
  inferwire::ResponseInfo info;
  const auto reply = client.chat.create(hello, {.cancel = cancel.token(), .info = &info});
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::cancelled);
  CHECK(info.timings.end.value_or(0us) == 0us);
}

TEST_CASE("then() on an answer that is there runs its callback on the loop", "[async]") {
  MockServer server;
  server.push(Reply::json(answer_of("Hi.")));
  const auto loop = std::make_shared<EventLoop>();
  const auto client = client_of(server, {.loop = loop});
  auto pending = client.chat.start(hello);
  REQUIRE(pending.wait_for(10s));
  Baton<std::string> baton;
  pending.then([&](Result<chat::Response> reply) {
    baton.pass(reply->text() + (loop->is_here() ? " here" : " elsewhere"));
    throw std::runtime_error("for the log");
  });
  CHECK(baton.take() == "Hi. here");
}

TEST_CASE("then() after the loop's end runs the callback on the caller's thread", "[async]") {
  MockServer server;
  server.push(Reply::json(answer_of("Hi.")));
  auto client = std::make_optional(client_of(server));
  auto pending = client->chat.start(hello);
  REQUIRE(pending.wait_for(10s));
  client.reset();  // the handle of the answer is the last one, which `then` releases first
  std::string text;
  pending.then([&](Result<chat::Response> reply) { text = reply->text(); });
  CHECK(text == "Hi.");
}

TEST_CASE("coroutines of any type await answers", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    return Reply::json(answer_of(request.body.text().find("second") != std::string::npos ? "Two." : "One."));
  });
  const auto client = client_of(server);
  Baton<std::string> baton;
  [](const Client& asked, Baton<std::string>& texts) -> Detached {
    const auto first = co_await asked.chat.start(hello);
    auto pending = asked.chat.start({.model = "m", .messages = {chat::user("second")}});
    const auto second = co_await pending;
    texts.pass(first->text() + " " + second->text());
  }(client, baton);
  CHECK(baton.take() == "One. Two.");
}

TEST_CASE("a call is cancelled by its handle, its token, and its destructor", "[async]") {
  const Gate never;
  AnsweringServer server(held_back(never));
  const auto client = client_of(server);

  auto by_handle = client.chat.start(hello);
  REQUIRE(server.wait_for_requests(1));
  by_handle.cancel();
  const auto first = by_handle.get();
  REQUIRE_FALSE(first);
  CHECK(first.error().kind == ErrorKind::cancelled);
  CHECK(server.wait_for_close(1));

  CancelSource source;
  auto by_token = client.chat.start(hello, {.cancel = source.token()});
  REQUIRE(server.wait_for_requests(2));
  source.cancel();
  CHECK(by_token.get().error().kind == ErrorKind::cancelled);
  CHECK(server.wait_for_close(2));

  {
    const auto forgotten = client.chat.start(hello);
    REQUIRE(server.wait_for_requests(3));
  }
  CHECK(server.wait_for_close(3));
}

TEST_CASE("a call keeps its shared ResponseInfo until it ends", "[async]") {
  MockServer server;
  server.push(Reply::json(answer_of("Hi.")));
  server.push(Reply::json(answer_of("Hi again.")));
  const auto client = client_of(server);
  const auto start = [&client](std::weak_ptr<inferwire::ResponseInfo>& seen) {
    const auto info = std::make_shared<inferwire::ResponseInfo>();
    seen = info;
    return client.chat.start(hello, {.info = info});
  };
  std::weak_ptr<inferwire::ResponseInfo> seen;
  {
    auto pending = start(seen);
    REQUIRE_FALSE(seen.expired());
    REQUIRE(pending.wait_for(10s));
    CHECK(seen.lock()->head.status == 200);
    REQUIRE(pending.get());
  }
  CHECK(eventually([&] { return seen.expired(); }));

  std::promise<int> status;
  const auto info = std::make_shared<inferwire::ResponseInfo>();
  client.chat.start(hello, {.info = info}).then([info, &status](const Result<chat::Response>&) {
    status.set_value(info->head.status);
  });
  CHECK(status.get_future().get() == 200);
}

TEST_CASE("start() retries and renews tokens like create()", "[async]") {
  MockServer server;
  server.push(Reply::error(503).with("Retry-After", "0"));
  server.push(Reply::error(429).with("retry-after-ms", "5"));
  server.push(Reply::json(answer_of("At last.")));
  const auto client = client_of(server);
  inferwire::ResponseInfo info;
  const auto reply = client.chat.start(hello, {.info = &info}).get();
  REQUIRE(reply);
  CHECK(reply->text() == "At last.");
  CHECK(info.attempts == 3);

  server.push(Reply::error(503));
  const auto refused = client.chat.start(hello, {.retry = inferwire::RetryPolicy::none()}).get();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().attempts.size() == 1);
  CHECK(refused.error().provider == "openai");
}

TEST_CASE("cancelling ends the wait before a retry on the loop", "[async]") {
  AnsweringServer server(Reply::error(503).with("Retry-After", "30"));
  const auto client = client_of(server);
  CancelSource source;
  auto pending = client.chat.start(hello, {.cancel = source.token()});
  REQUIRE(server.wait_for_requests(1));
  CHECK_FALSE(pending.wait_for(20ms));
  source.cancel();
  const auto reply = pending.get();
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::cancelled);
  CHECK(reply.error().attempts.size() == 1);
}

TEST_CASE("first_byte and overall fire on the loop", "[async]") {
  const Gate never;
  AnsweringServer server(held_back(never));
  const auto client = client_of(server, {.retry = inferwire::RetryPolicy::none()});
  auto first = client.chat.start(hello, {.timeouts = {.first_byte = 30ms}});
  auto overall = client.chat.start(hello, {.timeouts = {.overall = 40ms}});
  const auto late = first.get();
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::timeout);
  CHECK(late.error().timer == "first_byte");
  CHECK(overall.get().error().timer == "overall");
}

TEST_CASE("300 calls at once get their own answers", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto begin = request.body.text().find("number ") + 7;
    return Reply::json(
        answer_of(request.body.text().substr(begin, request.body.text().find('"', begin) - begin)));
  });
  const auto client = client_of(server);
  std::vector<Pending<chat::Response>> calls;
  for (int i = 0; i < 300; ++i) {
    calls.push_back(
        client.chat.start({.model = "m", .messages = {chat::user("number " + std::to_string(i))}}));
  }
  auto replies = inferwire::when_all(std::move(calls)).get();
  REQUIRE(replies);
  REQUIRE(replies->size() == 300);
  for (std::size_t i = 0; i < replies->size(); ++i) {
    REQUIRE((*replies)[i]);
    CHECK((*replies)[i]->text() == std::to_string(i));
  }
}
