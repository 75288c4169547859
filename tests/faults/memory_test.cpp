// Memory runs out, once or for a while, at every allocation in turn: the result is an Error or
// std::bad_alloc, nothing leaks, and the client still works. This test is a separate program, since it
// replaces operator new and libcurl's allocator.
#include "client/core.hpp"
#include "client/stream/element.hpp"
#include "client/stream/stream_core.hpp"
#include "faults/chat_service.hpp"
#include "inferwire/batch.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/observer.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "inferwire/tools.hpp"
#include "inferwire/when.hpp"
#include "support/catch.hpp"

#include <curl/curl.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <future>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

/// Counts the allocations of one thread, and fails one of them, or several in a row.
class Allowance {
 public:
  /// Whether the next allocation must fail.
  bool refuses() noexcept {
    if (!armed_) return false;
    ++count_;
    return fails_at_ > 0 && count_ >= fails_at_ && count_ < fails_at_ + failures_;
  }
  void arm(long fails_at, long failures = 1) noexcept {
    armed_ = true;
    count_ = 0;
    fails_at_ = fails_at;
    failures_ = failures;
  }
  /// Stops counting; returns the number of allocations since `arm`.
  long disarm() noexcept {
    armed_ = false;
    return count_;
  }

 private:
  bool armed_{};
  long count_{};
  long fails_at_{};
  long failures_{1};
};

/// Larger allocations fail, on any thread.
std::atomic<std::size_t> most_at_once{std::numeric_limits<std::size_t>::max()};

thread_local Allowance ours;
thread_local Allowance curls;
std::atomic<long> held_by_curl{0};

void* curl_allocate(std::size_t size) {
  if (curls.refuses()) return nullptr;
  ++held_by_curl;
  return std::malloc(size);
}
void* curl_allocate_zeros(std::size_t count, std::size_t size) {
  if (curls.refuses()) return nullptr;
  ++held_by_curl;
  return std::calloc(count, size);
}
void* curl_reallocate(void* memory, std::size_t size) {
  if (curls.refuses()) return nullptr;
  if (memory == nullptr) ++held_by_curl;
  return std::realloc(memory, size);
}
void curl_release(void* memory) {
  if (memory != nullptr) --held_by_curl;
  std::free(memory);
}
char* curl_copy(const char* text) {
  auto* const copy = static_cast<char*>(curl_allocate(std::strlen(text) + 1));
  return copy == nullptr ? nullptr : std::strcpy(copy, text);
}

const CURLcode initialised = curl_global_init_mem(CURL_GLOBAL_DEFAULT, &curl_allocate, &curl_release,
                                                  &curl_reallocate, &curl_copy, &curl_allocate_zeros);

/// One small program: a client, an answer, a stream, another answer.
struct Scenario {
  explicit Scenario(const MockServer& server) : server_(server) {}

  /// Runs the program; returns whether all of it succeeded.
  bool run() {
    if (!client_) client_.emplace(strict_client_of(server_));
    const bool answered = client_->chat.create(hello).has_value();
    auto stream = client_->chat.stream(hello);
    bool streamed = true;
    while (const auto* element = stream.next()) streamed &= element->has_value();
    return answered && streamed && client_->chat.create(hello).has_value();
  }

 private:
  const MockServer& server_;
  std::optional<Client> client_;
};

/// Runs the scenario once for each allocation that `allowance` counts, with that one failing.
void fail_each(const MockServer& server, Allowance& allowance) {
  Scenario{server}.run();  // creates what is created once per process
  long count{};
  {
    Scenario counted{server};
    allowance.arm(0);
    const bool good = counted.run();
    count = allowance.disarm();
    REQUIRE(good);
  }
  REQUIRE(count > 20);
  long failures = 0;
  for (long at = 1; at <= count; ++at) {
    CAPTURE(at);
    Scenario scenario{server};
    bool good = false;
    allowance.arm(at);
    try {
      good = scenario.run();
    } catch (const std::bad_alloc&) {}
    allowance.disarm();
    failures += good ? 0 : 1;
    if (!scenario.run()) FAIL("the client is broken after allocation " << at);
  }
  CHECK(failures > count / 4);  // the code recovers from some failures
}

/// The text of a stream, and its error if it has one.
struct Told {
  std::string text{};
  std::optional<Error> error{};
};

/// Reads a stream with this body as an event loop does for other threads: after each element, what else has
/// arrived. Sets `allocations` to their number.
Told read_ahead(const std::string& body, long fails_at, long& allocations) {
  using Stream = detail::StreamCore;
  const auto script = std::make_shared<ScriptTransport>();
  script->push(Reply::stream({body}));
  const auto core = detail::Core::make({.credential = Credential::none(),
                                        .retry = RetryPolicy::none(),
                                        .transport = script,
                                        .environment = Environment::none()});
  auto http = core->request({.path = "/chat", .body = "{}", .form = client::AnswerForm::stream}, {}).value();
  Stream stream(core, {.operation = "chat", .http = std::move(http)}, client::element_ops<chat::Chunk>());
  Told told;
  chat::Chunk chunk;
  ours.arm(fails_at);
  auto next = stream.next(&chunk);
  for (; next == Stream::Next::element; next = stream.next(&chunk)) {
    do told.text += chunk.text();
    while (stream.step_ahead(&chunk));
  }
  allocations = ours.disarm();
  if (next == Stream::Next::failed) told.error = stream.take_error();
  return told;
}

/// Calls a function with one of its allocations failing. False: it throws std::bad_alloc.
template <class Function>
bool fits(long fails_at, Function function) {
  bool fits = true;
  ours.arm(fails_at);
  try {
    function();
  } catch (const std::bad_alloc&) {
    fits = false;
  }
  ours.disarm();
  return fits;
}

/// Lets allocations that a call makes on its thread fail, or libcurl's.
class FailingWithin final : public Observer {
 public:
  explicit FailingWithin(bool of_curl = false) : of_curl_(of_curl) {}
  std::unique_ptr<CallObserver> begin(const CallStart&) noexcept override {
    return std::make_unique<Call>(*this);
  }

  std::atomic<long> fails_at{};     ///< 0: none fails
  std::atomic<long> failures{1};    ///< how many fail in a row
  std::atomic<long> allocations{};  ///< those of the last call

 private:
  struct Call final : CallObserver {
    explicit Call(FailingWithin& owner) : all(owner) { all.allowance().arm(all.fails_at, all.failures); }
    ~Call() override { all.allocations = all.allowance().disarm(); }
    FailingWithin& all;
  };
  Allowance& allowance() const noexcept { return of_curl_ ? curls : ours; }

  bool of_curl_;
};

/// At the end of each call, lets allocations of its thread fail.
class FailingAtEnd final : public Observer {
 public:
  explicit FailingAtEnd(long fails_at, long failures = 1) : fails_at_(fails_at), failures_(failures) {}
  std::unique_ptr<CallObserver> begin(const CallStart&) noexcept override {
    return std::make_unique<Call>(*this);
  }

 private:
  struct Call final : CallObserver {
    explicit Call(const FailingAtEnd& owner) : all(owner) {}
    ~Call() override { ours.arm(all.fails_at_, all.failures_); }
    const FailingAtEnd& all;
  };
  long fails_at_;
  long failures_;
};

}  // namespace

void* operator new(std::size_t size) {
  if (!ours.refuses() && size <= most_at_once) {
    if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  }
  throw std::bad_alloc();
}
// simdjson uses the nothrow forms, and version 3.0.1 does not check the result.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
// If they were inlined, GCC would warn of a free() of memory not allocated by malloc.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// The standard library's array forms call these, but a sanitizer's do not.
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

TEST_CASE("any allocation of libcurl may fail") {
  REQUIRE(initialised == CURLE_OK);
  MockServer server;
  server.set_handler(&good_answer);
  Scenario{server}.run();
  const long before = held_by_curl;
  fail_each(server, curls);
  CHECK(held_by_curl == before);
}

TEST_CASE("any allocation of the library may fail") {
  MockServer server;
  server.set_handler(&good_answer);
  const long before = held_by_curl;
  fail_each(server, ours);
  CHECK(held_by_curl == before);
}

TEST_CASE("any allocation of a call on the event loop may fail, and those after it") {
  const bool streamed = GENERATE(false, true);
  const long in_a_row = GENERATE(1, 20, 1000);
  MockServer server;
  server.set_handler(&good_answer);
  const auto failing = std::make_shared<FailingWithin>();
  failing->failures = in_a_row;
  auto options = options_for(server);
  options.observer = failing;
  const Client client(std::move(options));
  const auto is_good = [&] {
    if (!streamed) return client.chat.start(hello).get().has_value();
    return static_cast<bool>(client.chat.open(hello).collect().get());
  };
  REQUIRE(is_good());  // the loop's lists have their size
  REQUIRE(is_good());
  const long count = failing->allocations;
  REQUIRE(count > 5);
  long failures = 0;
  for (long at = 1; at <= count; ++at) {
    CAPTURE(streamed, in_a_row, at);
    failing->fails_at = at;
    failures += is_good() ? 0 : 1;
    failing->fails_at = 0;
    CHECK(is_good());
  }
  CHECK(failures > count / 4);
}

TEST_CASE("a callback is called by its executor once there is memory for that") {
  const auto way = GENERATE(as<std::string>{}, "start", "collect", "when_all");
  CAPTURE(way);
  std::promise<void> called;
  MockServer server;
  server.set_handler(&good_answer);
  auto options = options_for(server);
  options.observer = std::make_shared<FailingAtEnd>(1, 5);
  options.executor = Executor::of([](Executor::Task task) { task(); });
  const Client client(std::move(options));
  const auto callback = [&called](const auto&) { called.set_value(); };
  if (way == "start") {
    client.chat.start(hello).then(callback);
  } else if (way == "collect") {
    client.chat.open(hello).collect().then(callback);
  } else {
    when_all(client.chat.start(hello), client.chat.start(hello)).then(callback);
  }
  CHECK(called.get_future().wait_for(std::chrono::seconds(60)) == std::future_status::ready);
}

TEST_CASE("an Error that there is no memory for keeps its kind") {
  inferwire::Error error{.kind = ErrorKind::rate_limit, .detail = "as long as others, which are allocated"};
  ours.arm(1);
  const inferwire::Result<int> failed(std::move(error));
  ours.disarm();
  CHECK(failed.error().kind == ErrorKind::rate_limit);
  CHECK(failed.error().detail == "no memory");
  auto copy = failed;
  copy.error().detail = "changed";
  CHECK(std::move(copy).error().detail == "changed");
  auto other = failed;
  CHECK(std::move(other).error() == failed.error());
}

TEST_CASE("an event loop whose libcurl could not be set up sets it up for the next call") {
  MockServer server;
  server.set_handler(&good_answer);
  const auto failing = std::make_shared<FailingWithin>(true);
  constexpr long of_setup = 20;
  int failures = 0;
  for (long at = 1; at <= of_setup; ++at) {
    CAPTURE(at);
    auto options = options_for(server);
    options.observer = failing;
    const Client client(std::move(options));
    failing->fails_at = at;
    failures += client.chat.start(hello).get() ? 0 : 1;
    failing->fails_at = 0;
    CHECK(client.chat.start(hello).get());
  }
  CHECK(failures > of_setup / 2);
}

TEST_CASE("a message can be copied as far as there is memory") {
  const std::string text = "as long as others, which are allocated";
  const auto message = GENERATE_COPY(chat::user(text), chat::user({chat::TextPart{.text = text}}));
  long failures = 0;
  for (long at = 1;; ++at) {
    CAPTURE(at);
    std::vector<chat::Message> copies;
    copies.reserve(1);
    const bool copied = fits(at, [&] { copies.push_back(message); });
    CHECK(copies.empty() != copied);
    if (copied) break;
    ++failures;
  }
  CHECK(failures > 0);
}

TEST_CASE("a call of a tool stays whole if memory runs out while it is run") {
  const bool is_cancelled = GENERATE(false, true);
  const CalledTool asked{.id = "call_0123456789abcdef",
                         .name = "repeat_what_you_are_told",
                         .arguments = R"({"text": "as long as others"})"};
  Toolbox tools;
  tools.add(asked.name, "", Json::raw("{}"), [](const Json& arguments) { return arguments.text(); });
  CancelSource cancel;
  if (is_cancelled) cancel.cancel();
  long failures = 0;
  for (long at = 1;; ++at) {
    CAPTURE(is_cancelled, at);
    std::vector<CalledTool> calls{asked};
    const bool ran_out = !fits(at, [&] { tools.run_all(calls, cancel.token()); });
    const auto& call = calls[0];
    CHECK(call.id == asked.id);
    CHECK(call.name == asked.name);
    CHECK(call.arguments == asked.arguments);
    CHECK(call.result.empty() == ran_out);
    if (ran_out) CHECK_FALSE(call.error);
    failures += ran_out ? 1 : 0;
    if (ours.disarm() < at) break;  // no allocation was left to fail
  }
  CHECK(failures > 0);
}

TEST_CASE("an answer that does not fit into memory ends its call, on the event loop too") {
  const std::string choice = R"({"message":{"content":"as long as others"}})";
  std::string choices = choice;
  while (choices.size() < 900'000) choices += "," + choice;
  const auto whole = R"({"id":"c","choices":[)" + choices + "]}";
  MockServer server;
  const auto client = strict_client_of(server);
  REQUIRE(whole.size() < 1u << 20);
  most_at_once = 4u << 20;
  server.push(Reply::json(whole));
  const auto reply = client.chat.start(hello).get();
  server.push(Reply::stream({"data: " + whole + "\n\n"}));
  const auto streamed = client.chat.stream(hello).collect();
  server.set_handler(&good_answer);
  const auto next = client.chat.start(hello).get();
  most_at_once = std::numeric_limits<std::size_t>::max();
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == inferwire::ErrorKind::too_large);
  REQUIRE(streamed.error);
  CHECK(streamed.error->kind == inferwire::ErrorKind::too_large);
  CHECK(next);
}

TEST_CASE("the event loop needs no memory to pass on an answer or an error to a batch") {
  for (const long fails_at : {1, 2}) {
    for (const int status : {200, 400}) {
      CAPTURE(fails_at, status);
      MockServer server;
      server.set_handler([status](const HttpRequest& request) {
        return status == 200 ? good_answer(request) : Reply::error(status, "no");
      });
      auto options = options_for(server);
      options.observer = std::make_shared<FailingAtEnd>(fails_at);
      const auto replies = chat::create_all(Client(options), {hello});
      CHECK(replies.at(0).has_value() == (status == 200));
    }
  }
}

TEST_CASE("a stream is read on when there is no memory to read ahead") {
  constexpr int events = 40;
  std::string body;
  std::string text;
  for (int i = 0; i < events; ++i) {
    const auto digits = std::to_string(i) + " ";
    body += R"(data: {"choices":[{"delta":{"content":")" + digits +
            R"("}}]})"
            "\n\n";
    text += digits;
  }
  MockServer server;
  server.push(Reply::stream({body + "data: [DONE]\n\n"}));
  const auto client = strict_client_of(server);
  auto stream = client.chat.open(hello);
  // Fewer than 32 elements take this in one allocation, and it is more than any other allocation.
  most_at_once = 16 * sizeof(inferwire::Result<inferwire::chat::Chunk>);
  std::string read;
  while (const auto* chunk = stream.get()) {
    if (!*chunk) break;
    read += (*chunk)->text();
  }
  most_at_once = std::numeric_limits<std::size_t>::max();
  CHECK(read == text);
  CHECK(stream.end_reason() == inferwire::EndReason::done);
}

TEST_CASE("a stream that has no memory to read ahead repeats nothing and says why it ends") {
  const auto end = GENERATE(std::string("data: [DONE]\n\n"),
                            std::string("data: {\"error\":{\"message\":\"no more\"}}\n\n"));
  const auto body = chunk("one ") + chunk("two ", R"("stop")") + end;
  long count{};
  const auto good = read_ahead(body, 0, count);
  REQUIRE(good.text == "one two ");
  REQUIRE(count > 20);
  for (long at = 1, all = count; at <= all; ++at) {
    CAPTURE(end, at);
    const auto told = read_ahead(body, at, count);
    CHECK(good.text.starts_with(told.text));
    if (good.error) CHECK(told.error);
    if (told.error) CHECK(told.error->kind != ErrorKind::config);
    if (!told.error) CHECK(told.text == good.text);
  }
}
