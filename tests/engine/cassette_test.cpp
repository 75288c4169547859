// Cassettes: what is recorded over a transport is played again, chunk by chunk.
#include "inferwire/engine/cassette.hpp"

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/engine_transport.hpp"
#include "inferwire/models.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "support/fake_environment.hpp"
#include "support/http_call.hpp"
#include "support/scripted_service.hpp"
#include "support/shortest.hpp"
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

HttpRequest request(std::string body, std::string path = "/v1/x") {
  return {.url = "http://localhost" + path,
          .headers = {{"content-type", "application/json"}, {"Authorization", "Bearer s3cret"}},
          .body = std::move(body)};
}

std::shared_ptr<Transport> transport_of(ScriptedAnswer answer) {
  return std::make_shared<engine::EngineTransport>(std::make_shared<ScriptedService>(std::move(answer)));
}

/// Sends nothing.
struct NoTransport final : Transport {
  Result<std::unique_ptr<Exchange>> start(HttpRequest, Sink&, const ExchangeOptions&) override {
    return Error{.kind = ErrorKind::config, .detail = "there is no way"};
  }
  void wake() noexcept override {}
};

/// The pieces in which a service sends its answer.
std::vector<std::string> pieces_of(engine::Service& service, const HttpRequest& asked,
                                   Duration* waited = nullptr) {
  using Kind = engine::Step::Kind;
  const TimePoint start{std::chrono::hours(1)};
  auto now = start;
  std::vector<std::string> out;
  const auto answer = service.start(asked, now);
  for (;;) {
    const auto step = answer->step(now);
    if (step.kind == Kind::bytes && !step.bytes.empty()) out.emplace_back(step.bytes);
    if (step.kind == Kind::wait) now = step.until;
    if (step.kind == Kind::broken) out.emplace_back("broken");
    if (step.kind == Kind::done || step.kind == Kind::broken) break;
  }
  if (waited != nullptr) *waited = std::chrono::duration_cast<Duration>(now - start);
  return out;
}

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
        Case{"chunks", {{"Transfer-Encoding", "chunked"}}, ErrorKind::decode}}) {
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
    REQUIRE(drive_until(*exchange, Clock::system(), [&] { return !sink.body.empty(); }));
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
      drive_until(*exchange, Clock::system(), [&] { return sink.ended(); });
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
      drive_until(*exchange, Clock::system(), [&] { return sink.ended(); });
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

TEST_CASE("CassettePlayer's speed scales the time between chunks") {
  const TemporaryFile file;
  file.write(R"({"method":"POST","target":"/v1/x","headers":[],"body":"","status":200,"answer_headers":[],)"
             R"("chunks":[[100,"a"],[400,"b"]],"broken":false})"
             "\n\n");
  const auto waited = [&](double speed) {
    Duration time{};
    const auto player = engine::CassettePlayer::open(file.path(), {.speed = speed}).value();
    CHECK(pieces_of(*player, request(""), &time) == std::vector<std::string>{"a", "b"});
    return time;
  };
  CHECK(waited(1) == Duration(400));
  CHECK(waited(4) == Duration(100));
  CHECK(waited(0) == Duration(0));
  CHECK(waited(1e-300) > std::chrono::hours(24 * 365));
}

TEST_CASE("CassettePlayer plays the recordings of a request in turn, matched without `ignore`") {
  const TemporaryFile file;
  const auto line = [](const std::string& body, const std::string& says) {
    return R"({"method":"POST","target":"/v1/x?q=1","headers":[],"body":)" + body +
           R"(,"status":200,"answer_headers":[],"chunks":[[0,")" + says + R"("]],"broken":false})" + "\n";
  };
  file.write(line(R"("{\"b\":2,\"a\":1,\"user\":\"ann\"}")", "one") +
             line(R"("{\"a\":1,\"b\":2,\"user\":\"bob\"}")", "two"));
  const auto player = engine::CassettePlayer::open(file.path(), {.speed = 0, .ignore = {"/user"}}).value();
  const auto said = [&] { return ask(*player, request(R"({"a":1,"b":2})", "/v1/x?q=1")).body; };
  CHECK(said() == "one");
  CHECK(said() == "two");
  CHECK(said() == "two");
  const auto unknown = ask(*player, request(R"({"a":2,"b":2})", "/v1/x?q=1"));
  CHECK(unknown.head.status == 404);
  CHECK_THAT(unknown.body, contains("POST /v1/x?q=1"));
  CHECK_THAT(unknown.body, contains("differs at '/a'"));
  CHECK_THAT(ask(*player, request(R"({"a":1,"b":2})", "/v1/y")).body, !contains("differs"));
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

TEST_CASE("CassettePlayer::open refuses a damaged line") {
  struct Line {
    std::string status{"200"};
    std::string time{"0"};
    std::string bytes{R"("a")"};
  };
  const TemporaryFile file;
  const auto open = [&](const Line& line) {
    file.write(R"({"method":"GET","target":"/","headers":[],"body":"","status":)" + line.status +
               R"(,"answer_headers":[],"chunks":[[)" + line.time + "," + line.bytes +
               R"(]],"broken":false})");
    return engine::CassettePlayer::open(file.path(), {.speed = 0});
  };
  CHECK(open({}));
  CHECK(open({.bytes = R"({"base64":"YQ=="})"}));
  for (const Line& bad : {Line{.status = "-3"}, Line{.status = "99"}, Line{.status = "1000"},
                          Line{.status = "1e300"}, Line{.status = "true"}, Line{.status = "99999999999"},
                          Line{.time = "-1"}, Line{.time = "0.5"}, Line{.time = "9223372036854775808"},
                          Line{.time = "18446744073709551615"}, Line{.bytes = R"({"base64":"@@@"})"}}) {
    CAPTURE(bad.status, bad.time, bad.bytes);
    const auto refused = open(bad);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::decode);
    CHECK_THAT(refused.error().detail, contains("line 1"));
  }
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

TEST_CASE("CassettePlayer's `ignore` may name members that a request does not have") {
  const TemporaryFile file;
  file.write("");
  const auto player =
      engine::CassettePlayer::open(file.path(), {.ignore = {"/a/", "/a/99999999999999999999999", "/b/c"}})
          .value();
  CHECK(ask(*player, request(R"({"a":[1],"b":2})")).head.status == 404);
}

TEST_CASE("Proxy passes requests and answers on") {
  const auto upstream = std::make_shared<engine::Engine>(engine::EngineOptions{.created = 1});
  const auto proxy =
      engine::Proxy::open(std::make_shared<engine::EngineTransport>(upstream), "https://elsewhere/").value();
  const std::string chat =
      R"({"model":"inferwire-toy","max_tokens":5,"seed":1,"messages":[{"role":"user","content":"x"}]})";
  const auto whole = ask(*proxy, "/v1/chat/completions", chat);
  CHECK(whole.head.status == 200);
  CHECK_FALSE(whole.streamed);
  CHECK_THAT(whole.body, contains("chat.completion"));
  const auto streamed =
      ask(*proxy, "/v1/chat/completions", chat.substr(0, chat.size() - 1) + R"(,"stream":true})");
  CHECK(streamed.streamed);
  CHECK_THAT(streamed.body, contains("[DONE]"));
  CHECK(ask(*proxy, "/v1/nothing", "{}").head.status == 404);
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

TEST_CASE("Proxy answers 502 without an upstream, and passes a break on") {
  const auto broken =
      engine::Proxy::open(transport_of({.steps = {send("data: 1\n\n"), break_off()}}), "https://elsewhere")
          .value();
  CHECK(ask(*broken, request("{}")).broken);
  const auto unsendable = engine::Proxy::open(std::make_shared<NoTransport>(), "https://elsewhere").value();
  CHECK(ask(*unsendable, request("{}")).head.status == 502);
}

TEST_CASE("Proxy ends an answer whose transport throws, and does not tell the client why") {
  const auto late = transport_of({.steps = {send("data: 1\n\n"), fail()}});
  const auto broken = engine::Proxy::open(late, "https://elsewhere").value();
  const auto cut = ask(*broken, request("{}"));
  CHECK(cut.broken);
  CHECK(cut.body == "data: 1\n\n");
  {
    const auto left = broken->start(request("{}"), TimePoint());
    while (left->step(TimePoint()).bytes.empty()) {}
  }
  const auto early = transport_of({.streamed = false, .steps = {fail()}});
  const auto refused = ask(*engine::Proxy::open(early, "https://elsewhere").value(), request("{}"));
  CHECK(refused.head.status == 502);
  CHECK_THAT(refused.body, contains("the transport threw") && !contains("hunter2"));
}

TEST_CASE("Proxy::open refuses what is not a base URL") {
  const auto transport = transport_of({});
  for (const auto* url : {"", "no url", "ftp://h.test", "http://user@h.test", "http://h.test/?key=1"}) {
    CAPTURE(url);
    const auto proxy = engine::Proxy::open(transport, url);
    REQUIRE_FALSE(proxy);
    CHECK(proxy.error().kind == ErrorKind::config);
  }
  CHECK_FALSE(engine::Proxy::open(nullptr, "https://h.test"));
}

TEST_CASE("Proxy forwards no key over plain http to another machine, unless allow_plain_http_key is set") {
  const auto upstream = std::make_shared<ScriptedService>(ScriptedAnswer{.steps = {send("x")}});
  const auto transport = std::make_shared<engine::EngineTransport>(upstream);
  const auto status = [&](std::string_view base_url, const HttpRequest& asked,
                          engine::ProxyOptions options = {}) {
    return ask(*engine::Proxy::open(transport, base_url, options).value(), asked).head.status;
  };
  const HttpRequest keyless{.url = "http://localhost/v1/x",
                            .headers = {{"content-type", "application/json"}}};
  HttpRequest with_keys[] = {keyless, keyless, keyless, keyless};
  with_keys[0].headers.push_back({"Authorization", "Bearer key"});
  with_keys[1].headers.push_back({"x-api-key", "key"});
  with_keys[2].url += "?api-key=key";
  with_keys[3].confidential = true;
  for (const auto& asked : with_keys) {
    CHECK(status("http://h.test", asked) == 400);
    CHECK(status("http://0127.0.0.1", asked) == 400);
  }
  CHECK(upstream->requests().empty());
  for (const auto& asked : with_keys) {
    CHECK(status("https://h.test", asked) == 200);
    CHECK(status("http://127.0.0.1:1", asked) == 200);
    CHECK(status("http://h.test", asked, {.allow_plain_http_key = true}) == 200);
  }
  CHECK(status("http://h.test", keyless) == 200);
}

TEST_CASE("CassettePlayer and Proxy refuse a body beyond max_request_bytes") {
  const TemporaryFile file;
  file.write("");
  const auto player = engine::CassettePlayer::open(file.path()).value();
  const auto upstream = std::make_shared<ScriptedService>(ScriptedAnswer{.steps = {send("x")}});
  const auto proxy =
      engine::Proxy::open(std::make_shared<engine::EngineTransport>(upstream), "https://elsewhere").value();
  const auto cut = request(std::string(static_cast<std::size_t>(player->max_request_bytes()) + 1, 'x'));
  CHECK(ask(*player, cut).head.status == 413);
  CHECK(ask(*proxy, cut).head.status == 413);
  CHECK(upstream->requests().empty());
}

TEST_CASE("CassettePlayer takes bodies nested 200,000 deep") {
  const TemporaryFile file;
  const auto deep = [](char open) { return std::string(200'000, open); };
  file.write("");
  const auto player = engine::CassettePlayer::open(file.path(), {.ignore = {"/b"}});
  REQUIRE(player);
  const auto answer = ask(**player, request("{\"a\":" + deep('[') + deep(']') + "}"));
  CHECK(answer.head.status == 404);
}

TEST_CASE("CassettePlayer compares an object of 100,000 members in linear time") {
  const TemporaryFile file;
  file.write("");
  const auto player = engine::CassettePlayer::open(file.path());
  REQUIRE(player);
  std::string members;
  for (int i = 0; i < 100'000; ++i) members += "\"" + std::to_string(i) + "\":1,";
  const auto work =
      work_of([&] { CHECK(ask(**player, request("{" + members + "\"a\":1}")).head.status == 404); });
  CHECK(work < std::chrono::seconds(4));
}
