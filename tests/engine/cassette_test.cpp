// Cassettes: what is recorded over a transport is played again, chunk by chunk.
#include "inferwire/engine/cassette.hpp"

#include "engine/cassettes.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/models.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "support/fake_environment.hpp"
#include "support/http_call.hpp"
#include "support/temporary_file.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

using namespace inferwire;
using namespace inferwire_test;

namespace {

/// Acts as a full disk: while this lives, no file grows beyond `bytes`.
struct FullDisk {
  explicit FullDisk(std::size_t bytes) : handler(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit narrow{.rlim_cur = bytes, .rlim_max = before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &narrow);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

  void (*handler)(int);
  rlimit before{};
};

}  // namespace

TEST_CASE("CassettePlayer plays the recorded chunks, whatever their bytes") {
  const TemporaryFile file;
  const std::vector<std::string> chunks{"data: caf\xC3", "\xA9\n\n", std::string("\0\xFF", 2),
                                        "data: [DONE]\n\n"};
  ScriptedAnswer answer{
      .head = {.status = 201, .headers = {{"content-type", "text/event-stream"}, {"x-mine", "1"}}}};
  for (const auto& chunk : chunks) answer.steps.push_back(send(chunk));
  {
    const auto recorder =
        engine::Recorder::open(file.path(), transport_of(answer), {.shown_headers = {"X-Mine"}}).value();
    const auto heard = call(*recorder, request(R"({"a":1})"));
    CHECK(heard.head->status == 201);
  }
  const auto player = engine::CassettePlayer::open(file.path(), {.speed = 0}).value();
  CHECK(pieces_of(*player, request(R"({ "a" : 1 })")) == chunks);
  const auto played = ask(*player, request(R"({"a":1})"));
  CHECK(played.head.status == 201);
  CHECK(played.streamed);
  CHECK(find_header(played.head.headers, "x-mine") == "1");
}

TEST_CASE("Recorder writes no secret, and CassettePlayer matches requests without them") {
  const TemporaryFile file;
  const ScriptedAnswer answer{.head = {.status = 200,
                                       .headers = {{"set-cookie", "s3cret"},
                                                   {"x-session-id", "s3cret"},
                                                   {"location", "https://u:s3cret@h/?token=s3cret"},
                                                   {"x-request-id", "r1"}}},
                              .steps = {send("x")}};
  const auto asked = [](const std::string& secret) {
    auto made =
        request(R"({"tools":[{"type":"mcp","authorization":")" + secret + R"(","headers":{"X-Pass":")" +
                    secret + R"("}}],"auth_token":{"kind":")" + secret +
                    R"(","pin":1},"max_tokens":5,"table":{"headers":["Name"]}})",
                "/v1/x?api-version=1&api%2Dkey=" + secret + "&Sig=" + secret + "&access_token=" + secret);
    made.headers.push_back({"X-Company-Pass", secret});
    return made;
  };
  const auto recorder = engine::Recorder::open(file.path(), transport_of(answer)).value();
  call(*recorder, asked("s3cret"));
  const auto text = file.content();
  CHECK_THAT(text, !contains("s3cret"));
  CHECK_THAT(text, contains("/v1/x?api-version=1&api%2Dkey=***&Sig=***&access_token=***"));
  CHECK_THAT(text, contains(R"(\"authorization\":\"***\",\"headers\":{\"X-Pass\":\"***\"})"));
  CHECK_THAT(text, contains(R"(\"auth_token\":{\"kind\":\"***\",\"pin\":\"***\"},\"max_tokens\":5)"));
  CHECK_THAT(text, contains(R"(\"table\":{\"headers\":[\"Name\"]})"));
  CHECK_THAT(text, contains("application/json"));
  const auto player = engine::CassettePlayer::open(file.path(), {.speed = 0}).value();
  const auto played = ask(*player, asked("an0ther"));
  CHECK(played.body == "x");
  CHECK(find_header(played.head.headers, "x-request-id") == "r1");
  CHECK(find_header(played.head.headers, "x-session-id") == "***");
  auto unknown = asked("an0ther");
  unknown.url += "&page=2";
  CHECK_THAT(ask(*player, unknown).body, !contains("an0ther") && contains("Sig=***"));
}

TEST_CASE("requests that differ in page_token or NextToken are different requests") {
  const TemporaryFile file;
  const auto page = [](const std::string& cursor) {
    return request(R"({"NextToken":")" + cursor + R"("})", "/v1/x?page_token=" + cursor);
  };
  const auto recorder = engine::Recorder::open(file.path(), transport_of({.steps = {send("x")}})).value();
  call(*recorder, page("one"));
  const auto player = engine::CassettePlayer::open(file.path(), {.speed = 0}).value();
  CHECK(ask(*player, page("one")).body == "x");
  CHECK(ask(*player, page("two")).head.status == 404);
}

TEST_CASE("a client over a Recorder of network_transport() needs a host and a key") {
  const TemporaryFile file;
  const auto recorder = engine::Recorder::open(file.path(), network_transport()).value();
  const Client client({.provider = Provider::databricks(),
                       .api_key = "s3cret",
                       .transport = recorder,
                       .environment = std::make_shared<inferwire_test::FakeEnvironment>(
                           inferwire_test::FakeEnvironment::Texts())});
  const auto reply = client.models.list();
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::config);
  CHECK_FALSE(engine::Recorder::open(file.path(), transport_of({})).value()->is_remote());
}

TEST_CASE("Recorder writes a body without secrets byte for byte") {
  const TemporaryFile file;
  const auto recorder = engine::Recorder::open(file.path(), transport_of({.steps = {send("x")}})).value();
  call(*recorder, request(R"({ "b" : 1.0, "a" : [ ] })"));
  call(*recorder, request("token=1&x"));
  CHECK_THAT(file.content(), contains(R"({ \"b\" : 1.0, \"a\" : [ ] })"));
  CHECK_THAT(file.content(), contains("token=1&x"));
}

TEST_CASE("Recorder passes confidential requests on and does not write them") {
  const TemporaryFile file;
  const auto recorder =
      engine::Recorder::open(file.path(), transport_of({.steps = {send(R"({"access_token":"t0ken"})")}}))
          .value();
  auto fetch = request("client_secret=s3cret");
  fetch.confidential = true;
  CHECK_THAT(call(*recorder, fetch).body, contains("t0ken"));
  const auto proxy = engine::Proxy::open(recorder, "https://elsewhere").value();
  CHECK_THAT(ask(*proxy, fetch).body, contains("t0ken"));
  CHECK(file.content().empty());
}

TEST_CASE("CassettePlayer breaks off where the recorded answer did") {
  const TemporaryFile file;
  const auto recorder =
      engine::Recorder::open(file.path(), transport_of({.steps = {send("data: 1\n\n"), break_off()}}))
          .value();
  CHECK(call(*recorder, request("{}")).error);
  const auto player = engine::CassettePlayer::open(file.path(), {.speed = 0}).value();
  CHECK(pieces_of(*player, request("{}")) == std::vector<std::string>{"data: 1\n\n", "broken"});
}

TEST_CASE("a truncated answer is the same error when it is played") {
  struct Case {
    std::string name;
    std::vector<Header> headers;
    ErrorKind kind{};
  };
  for (const auto& [name, headers, kind] :
       {Case{"no length", {}, ErrorKind::truncated},
        Case{"a length", {{"Content-Length", "6"}}, ErrorKind::decode},
        Case{"chunks", {{"Transfer-Encoding", "chunked"}}, ErrorKind::truncated}}) {
    INFO(name);
    const TemporaryFile file;
    ResponseHead head{
        .status = 200, .http_version = "1.1", .headers = {{"content-type", "application/json"}}};
    for (const auto& header : headers) head.headers.add(header.name, header.value);
    const auto ask_over = [](std::shared_ptr<Transport> transport) {
      return Client({.base_url = "http://localhost",
                     .credential = Credential::none(),
                     .retry = RetryPolicy::none(),
                     .transport = std::move(transport)})
          .chat.create({.model = "m", .messages = {chat::user("Hi")}})
          .error();
    };
    const auto recorded = ask_over(
        engine::Recorder::open(file.path(), transport_of({.head = head, .steps = {send(R"({"id":)")}}))
            .value());
    const auto played = ask_over(std::make_shared<engine::EngineTransport>(
        engine::CassettePlayer::open(file.path(), {.speed = 0}).value()));
    CHECK(recorded.kind == kind);
    CHECK(played.kind == recorded.kind);
    CHECK(played.retryable == recorded.retryable);
  }
}

TEST_CASE("Recorder writes each attempt of a stream that ends with an error event") {
  const std::string failure = R"(data: {"error":{"message":"overloaded","code":503}})";
  const std::string event = GENERATE_COPY(as<std::string>{}, failure, "data: {no JSON");
  CAPTURE(event);
  const TemporaryFile file;
  const auto errors_over = [](std::shared_ptr<Transport> transport) {
    const Client client({.base_url = "http://localhost",
                         .credential = Credential::none(),
                         .retry = {.max_retries = 1, .first_delay = Duration(1), .errors_in_answers = true},
                         .transport = std::move(transport)});
    const chat::Request asked{.model = "m", .messages = {chat::user("Hi")}};
    return std::vector{client.chat.stream(asked).collect().error,
                       client.chat.open(asked).collect().get().error};
  };
  const auto recorder =
      engine::Recorder::open(file.path(), transport_of({.steps = {send(event + "\n\n")}, .endless = true}))
          .value();
  const auto recorded = errors_over(recorder);
  REQUIRE(recorded[0]);
  const int attempts = event == failure ? 2 : 1;
  CHECK(std::ranges::count(file.content(), '\n') == 2 * attempts);
  const auto played = errors_over(std::make_shared<engine::EngineTransport>(
      engine::CassettePlayer::open(file.path(), {.speed = 0}).value()));
  for (const std::size_t at : {0U, 1U}) {
    REQUIRE(played[at]);
    CHECK(played[at]->kind == recorded[0]->kind);
    CHECK(played[at]->detail == recorded[0]->detail);
  }
}

TEST_CASE("Recorder does not write an exchange that was destroyed before its end") {
  const TemporaryFile file;
  const auto recorder =
      engine::Recorder::open(file.path(), transport_of({.steps = {send("data: 1\n\n")}, .endless = true}))
          .value();
  {
    RecordingSink sink;
    const auto exchange = recorder->start(request("{}"), sink, {}).value();
    REQUIRE(drive_until(*exchange, [&] { return !sink.body.empty(); }));
  }
  CHECK(file.content().empty());
}

TEST_CASE("a recorded exchange passes on due(), obstacle() and wake()") {
  struct Telling final : Exchange {
    Progress drive(TimePoint) override { return Progress::deadline; }
    void pause() override {}
    void resume() override {}
    Optional<TimePoint> due() const override { return TimePoint(std::chrono::hours(1)); }
    std::string_view obstacle() const noexcept override { return "the name was not resolved"; }
    bool wake() noexcept override { return true; }
  };
  struct Beginning final : Transport {
    Result<std::unique_ptr<Exchange>> start(HttpRequest, Sink&, const ExchangeOptions&) override {
      return std::unique_ptr<Exchange>(new Telling);
    }
    void wake() noexcept override {}
  };
  const TemporaryFile file;
  const auto recorder = engine::Recorder::open(file.path(), std::make_shared<Beginning>()).value();
  RecordingSink sink;
  const auto exchange = recorder->start(request("{}"), sink, {}).value();
  CHECK(exchange->due() == TimePoint(std::chrono::hours(1)));
  CHECK(exchange->obstacle() == "the name was not resolved");
  CHECK(exchange->wake());
}

TEST_CASE("Recorder::problem says why an exchange could not be written, and the next is refused") {
  const auto recorder = engine::Recorder::open("/dev/full", transport_of({.steps = {send("x")}})).value();
  CHECK_FALSE(recorder->problem());
  CHECK(call(*recorder, request("{}")).body == "x");
  REQUIRE(recorder->problem());
  CHECK(recorder->problem()->kind == ErrorKind::config);
  CHECK_THAT(recorder->problem()->detail, contains("/dev/full: No space left"));
  RecordingSink sink;
  CHECK(recorder->start(request("{}"), sink, {}).error() == *recorder->problem());
}

TEST_CASE("Recorder takes back a line that a full disk cut") {
  const TemporaryFile file;
  const auto recorder = engine::Recorder::open(file.path(), transport_of({.steps = {send("x")}})).value();
  call(*recorder, request("{}"));
  const auto before = file.content();
  {
    const FullDisk full(before.size() + 10);
    call(*recorder, request("{}"));
  }
  CHECK(recorder->problem());
  CHECK(file.content() == before);
}

TEST_CASE("Recorder::open refuses a cassette whose last line is cut") {
  const TemporaryFile file;
  call(*engine::Recorder::open(file.path(), transport_of({.steps = {send("x")}})).value(), request("{}"));
  const auto whole = file.content();
  file.write(whole + whole.substr(0, 50));
  const auto refused = engine::Recorder::open(file.path(), transport_of({}));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::config);
  CHECK_THAT(refused.error().detail, contains("not whole"));
  CHECK(file.content() == whole + whole.substr(0, 50));
}

TEST_CASE("Recorder::open refuses a file that is no cassette") {
  const TemporaryFile file;
  for (const auto* text : {"Notes.\n", "\r\nNotes", "{}\n{}\n"}) {
    CAPTURE(text);
    file.write(text);
    const auto refused = engine::Recorder::open(file.path(), transport_of({}));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::config);
    CHECK_THAT(refused.error().detail, contains("is no cassette"));
    CHECK(file.content() == text);
  }
}

TEST_CASE("Recorder completes a last line that lacks its line end only") {
  const TemporaryFile file;
  call(*engine::Recorder::open(file.path(), transport_of({.steps = {send("x")}})).value(), request("{}"));
  const auto whole = file.content();
  file.write(whole.substr(0, whole.size() - 1));
  call(*engine::Recorder::open(file.path(), transport_of({.steps = {send("x")}})).value(), request("[]"));
  CHECK(file.content().starts_with(whole));
  CHECK(ask(*engine::CassettePlayer::open(file.path()).value(), request("[]")).head.status == 200);
}

TEST_CASE("Recorders that share a cassette write whole lines") {
  const TemporaryFile file;
  constexpr int calls = 100;
  const auto record = [&] {
    const auto recorder =
        engine::Recorder::open(file.path(), transport_of({.steps = {send(std::string(20'000, 'x'))}}))
            .value();
    for (int i = 0; i < calls; ++i) {
      RecordingSink sink;
      const auto exchange = recorder->start(request("{}"), sink, {}).value();
      drive_until(*exchange, [&] { return sink.ended(); });
    }
  };
  std::thread other(record);
  record();
  other.join();
  CHECK(engine::CassettePlayer::open(file.path()));
  CHECK(std::ranges::count(file.content(), '\n') == 2 * calls);
}

TEST_CASE("Recorder::open waits for a line that another Recorder is writing") {
  const TemporaryFile file;
  const auto open = [&] {
    return engine::Recorder::open(file.path(), transport_of({.steps = {send(std::string(1u << 16, 'x'))}}));
  };
  constexpr int lines = 100;
  const auto other = open().value();
  std::atomic<bool> written = false;
  std::thread writer([&] {
    for (int i = 0; i < lines; ++i) {
      RecordingSink sink;
      const auto exchange = other->start(request("{}"), sink, {}).value();
      drive_until(*exchange, [&] { return sink.ended(); });
    }
    written = true;
  });
  std::string refusal;
  while (!written && refusal.empty()) {
    if (const auto opened = open(); !opened) refusal = opened.error().detail;
  }
  writer.join();
  CHECK(refusal == "");
  CHECK(std::ranges::count(file.content(), '\n') == lines);
}

TEST_CASE("CassettePlayer::open refuses invalid cassettes and options") {
  const TemporaryFile file;
  CHECK(engine::CassettePlayer::open(file.path()).error().kind == ErrorKind::config);
  CHECK(engine::CassettePlayer::open(std::filesystem::temp_directory_path()).error().kind ==
        ErrorKind::config);
  file.write("\n{}\n");
  const auto bad = engine::CassettePlayer::open(file.path());
  REQUIRE_FALSE(bad);
  CHECK(bad.error().kind == ErrorKind::decode);
  CHECK(bad.error().detail ==
        file.path() + " is no cassette: line 2: a member of it is missing, or of another type");
  file.write("some text\n");
  CHECK(engine::CassettePlayer::open(file.path()).error().detail ==
        file.path() + " is no cassette: line 1: it is not JSON");
  file.write("");
  CHECK(engine::CassettePlayer::open(file.path(), {.speed = -1}).error().kind == ErrorKind::config);
  CHECK(engine::CassettePlayer::open(file.path(), {.ignore = {"user"}}).error().kind == ErrorKind::config);
  CHECK(engine::CassettePlayer::open(file.path(), {.ignore = {"/a~b"}}).error().kind == ErrorKind::config);
  CHECK(engine::CassettePlayer::open(file.path(), {.ignore = {""}}).error().kind == ErrorKind::config);
  CHECK(engine::Recorder::open("/no/such/directory/x", transport_of({})).error().kind == ErrorKind::config);
  CHECK(engine::Recorder::open(file.path(), nullptr).error().kind == ErrorKind::config);
}

TEST_CASE("a cassette may have CRLF and blank lines") {
  const TemporaryFile file;
  call(*engine::Recorder::open(file.path(), transport_of({.steps = {send("x")}})).value(), request("{}"));
  auto text = file.content();
  text.insert(text.size() - 1, "\r");
  file.write(text + "\r\n \t\n");
  const auto player = engine::CassettePlayer::open(file.path(), {.speed = 0}).value();
  CHECK(ask(*player, request("{}")).body == "x");
}

TEST_CASE("Recorder writes a stream that its client leaves at the end marker") {
  const TemporaryFile file;
  const auto recorder =
      engine::Recorder::open(file.path(), transport_of({.steps = {send("data: [DONE]\n\n"), work()}}))
          .value();
  const auto proxy = engine::Proxy::open(recorder, "https://elsewhere").value();
  {
    const auto answer = proxy->start(request("{}"), TimePoint());
    while (answer->step(TimePoint()).bytes.empty()) {}
  }
  CHECK_THAT(file.content(), contains("[DONE]"));
}

TEST_CASE("Recorder writes a stream that its client leaves at the finish reason, before the end marker") {
  const TemporaryFile file;
  const auto event = [](const std::string& finish, const std::string& rest = {}) {
    return send(R"(data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":)" + finish +
                "}]}\n\n" + rest);
  };
  const auto recorder =
      engine::Recorder::open(
          file.path(), transport_of({.steps = {event("null"), work(), event("\"stop\"", "data: [DONE]\n\n")},
                                     .endless = true}))
          .value();
  const Client client({.credential = Credential::none(), .transport = recorder});
  const chat::Request question{.model = "m", .messages = {chat::user("x")}};
  {
    auto stream = client.chat.stream(question);
    REQUIRE(stream.next());
  }
  CHECK(file.content().empty());
  {
    auto stream = client.chat.stream(question);
    REQUIRE(stream.next());
    REQUIRE(stream.next());
  }
  CHECK_THAT(file.content(), contains("stop"));
}
