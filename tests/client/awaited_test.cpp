/// \file
/// Coroutines that are destroyed, and handles that are moved, while an answer or an element is awaited.

#include "client/held_tasks.hpp"
#include "inferwire/inferwire.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/coroutine.hpp"

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

const chat::Request slow{.model = "m", .messages = {chat::user("Hello")}};
const chat::Request quick{.model = "m", .messages = {chat::user("quick")}};

/// Answers at once if the question is "quick", else when `gate` opens; streams continue when `more` opens.
struct Service {
  explicit Service(std::shared_ptr<inferwire::Executor> executor = nullptr)
      : client({.base_url = server.url() + "/v1",
                .credential = Credential::none(),
                .executor = std::move(executor)}) {
    server.set_handler([this](const HttpRequest& request) {
      const auto& body = request.body.text();
      Reply reply;
      if (body.find(R"("stream":true)") == std::string::npos) {
        reply = Reply::json(answer_of("Hi."));
      } else {
        reply = inferwire_test::whole_stream({"one", "two"});
        reply.body.at(1).gate = more;
      }
      if (body.find("quick") == std::string::npos) reply.head_gate = gate;
      return reply;
    });
  }

  /// Calls `function` on the loop's thread, and waits until it has returned.
  template <class Function>
  void on_loop(Function function) {
    Baton<int> done;
    client.chat.start(quick, {.executor = inferwire::Executor::on_loop()})
        .then([&](const Result<chat::Response>&) {
          function();
          done.pass(1);
        });
    done.take();
  }

  Gate gate;
  Gate more;
  MockServer server;
  Client client;
};

std::string text_of(const Result<chat::Response>& reply) {
  return reply ? reply->text() : reply.error().message();
}
std::string text_of(const Result<chat::Chunk>* element) {
  if (element == nullptr) return "the end";
  return *element ? (*element)->text() : element->error().message();
}

Owned await(Pending<chat::Response>& call, Baton<std::string>& went_on) {
  const auto reply = co_await call;
  went_on.pass(text_of(reply));
}
Owned await(AsyncStream<chat::Chunk>& stream, Baton<std::string>& went_on) {
  const auto* const element = co_await stream.next();
  went_on.pass(text_of(element));
}

Pending<chat::Response> begin(const Service& service, const Pending<chat::Response>*) {
  return service.client.chat.start(slow);
}
AsyncStream<chat::Chunk> begin(const Service& service, const AsyncStream<chat::Chunk>*) {
  return service.client.chat.open(slow);
}
std::string first_of(const Pending<chat::Response>*) { return "Hi."; }
std::string first_of(const AsyncStream<chat::Chunk>*) { return "one"; }

}  // namespace

TEMPLATE_TEST_CASE(
    "an element goes to the next reader when the awaiting coroutine was destroyed before it came", "[async]",
    Pending<chat::Response>, AsyncStream<chat::Chunk>) {
  const bool on_loop = GENERATE(false, true);
  CAPTURE(on_loop);
  Service service;
  auto call = begin(service, static_cast<TestType*>(nullptr));
  Baton<std::string> first;
  Baton<std::string> second;
  std::unique_ptr<Owned> coroutine(new Owned(await(call, first)));
  REQUIRE(service.server.wait_for_requests(1));
  if (on_loop) {
    service.on_loop([&] { coroutine.reset(); });
  } else {
    coroutine.reset();
  }
  SECTION("and the next reader is a coroutine") {
    const auto next = await(call, second);
    service.gate.open();
    CHECK(second.take() == first_of(&call));
    service.on_loop([] {});  // until the coroutine has ended there
  }
  SECTION("and the next reader blocks") {
    service.gate.open();
    CHECK(text_of(call.get()) == first_of(&call));
  }
  CHECK_FALSE(first.passed());
}

TEMPLATE_TEST_CASE(
    "an element goes to the next reader when the coroutine was destroyed before its executor ran", "[async]",
    Pending<chat::Response>, AsyncStream<chat::Chunk>) {
  const auto later = std::make_shared<HeldTasks>();
  Service service(later);
  auto call = begin(service, static_cast<TestType*>(nullptr));
  Baton<std::string> first;
  Baton<std::string> second;
  {
    const auto coroutine = await(call, first);
    service.gate.open();
    later->wait_for();
  }
  SECTION("and the next reader comes after the executor ran") {
    later->run();
    const auto next = await(call, second);
    CHECK(second.take() == first_of(&call));
  }
  SECTION("and the next reader comes before the executor ran") {
    const auto next = await(call, second);
    CHECK(second.take() == first_of(&call));
    later->run();
  }
  CHECK_FALSE(first.passed());
}

TEST_CASE("then() runs on the executor after a coroutine that awaited the same call is destroyed",
          "[async]") {
  const auto later = std::make_shared<HeldTasks>();
  Service service(later);
  auto call = service.client.chat.start(slow);
  Baton<std::string> first;
  {
    const auto coroutine = await(call, first);
    service.gate.open();
    later->wait_for();
  }
  later->run();
  std::vector<std::thread::id> ran;
  call.then([&](const Result<chat::Response>&) { ran.push_back(std::this_thread::get_id()); });
  later->wait_for();
  CHECK(ran.empty());
  later->run();
  CHECK(ran == std::vector{std::this_thread::get_id()});
  CHECK_FALSE(first.passed());
}

TEST_CASE("a coroutine that awaits the second element is not resumed for the first", "[async]") {
  const auto later = std::make_shared<HeldTasks>();
  Service service(later);
  auto stream = service.client.chat.open(slow);
  Baton<std::string> first;
  Baton<std::string> second;
  {
    const auto coroutine = await(stream, first);
    service.gate.open();
    later->wait_for();
  }
  CHECK(text_of(stream.get()) == "one");
  const auto next = await(stream, second);
  later->run();
  CHECK_FALSE(second.passed());
  service.more.open();
  later->wait_for();
  later->run();
  CHECK(second.take() == "two");
  CHECK_FALSE(first.passed());
}

TEST_CASE("an element goes to get() when the coroutine that awaited it was destroyed", "[async]") {
  Service service;
  auto stream = service.client.chat.open(slow);
  CHECK_FALSE(stream.wait_for(inferwire::Duration::zero()));
  Baton<std::string> first;
  { const auto coroutine = await(stream, first); }
  CHECK_FALSE(stream.wait_for(inferwire::Duration::zero()));
  service.gate.open();
  CHECK(text_of(stream.get()) == "one");
  CHECK_FALSE(first.passed());
}

TEST_CASE("a Pending may be moved while it is awaited", "[async]") {
  Service service;
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(service.client.chat.start(slow));
  Baton<std::string> went_on;
  const auto coroutine = await(calls[0], went_on);
  for (int i = 0; i < 5; ++i) calls.push_back(service.client.chat.start(slow));
  service.gate.open();
  CHECK(went_on.take() == "Hi.");
  service.on_loop([] {});
  CHECK_FALSE(calls[0].valid());
  for (std::size_t i = 1; i < calls.size(); ++i) CHECK(text_of(calls[i].get()) == "Hi.");
}

TEST_CASE("an AsyncStream may be moved while an element is awaited", "[async]") {
  Service service;
  std::vector<AsyncStream<chat::Chunk>> streams;
  streams.push_back(service.client.chat.open(slow));
  Baton<std::string> went_on;
  const auto coroutine = await(streams[0], went_on);
  for (int i = 0; i < 5; ++i) streams.push_back(service.client.chat.open(slow));
  service.gate.open();
  service.more.open();
  CHECK(went_on.take() == "one");
  service.on_loop([] {});
  CHECK(text_of(streams[0].get()) == "two");
}

TEST_CASE("Pending::cancel resumes the coroutine that awaits it with Error{cancelled}", "[async]") {
  Service service;
  auto call = service.client.chat.start(slow);
  Baton<std::string> went_on;
  const auto coroutine = await(call, went_on);
  call.cancel();
  CHECK(went_on.take().find("cancelled") != std::string::npos);
  service.on_loop([] {});
  CHECK_FALSE(call.valid());
  CHECK(call.get().error().kind == ErrorKind::config);
}

TEMPLATE_TEST_CASE("destroying the handle leaves the awaiting coroutine suspended", "[async]",
                   Pending<chat::Response>, AsyncStream<chat::Chunk>) {
  Service service;
  Baton<std::string> went_on;
  auto call = std::make_unique<TestType>(begin(service, static_cast<TestType*>(nullptr)));
  std::unique_ptr<Owned> coroutine(new Owned(await(*call, went_on)));
  REQUIRE(service.server.wait_for_requests(1));
  call.reset();
  service.gate.open();
  service.on_loop([] {});
  coroutine.reset();
  CHECK_FALSE(went_on.passed());
}

TEST_CASE("a coroutine that awaits when_all may be destroyed before its executor runs", "[async]") {
  const auto later = std::make_shared<HeldTasks>();
  Service service(later);
  std::vector<Pending<chat::Response>> calls;
  for (int i = 0; i < 3; ++i) calls.push_back(service.client.chat.start(slow));
  auto all = inferwire::when_all(std::move(calls));
  bool went_on = false;
  {
    const auto coroutine = [](Pending<std::vector<Result<chat::Response>>>& awaited, bool& on) -> Owned {
      static_cast<void>(co_await awaited);
      on = true;
    }(all, went_on);
    service.gate.open();
    later->wait_for();
  }
  later->run();
  CHECK_FALSE(went_on);
  CHECK(all.get()->size() == 3);
}
