// Cassettes that are only played, and proxies.
#include "engine/cassettes.hpp"
#include "inferwire/engine/cassette.hpp"
#include "inferwire/engine/engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "support/shortest.hpp"
#include "support/temporary_file.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;

namespace {

/// Sends nothing.
struct NoTransport final : Transport {
  Result<std::unique_ptr<Exchange>> start(HttpRequest, Sink&, const ExchangeOptions&) override {
    return Error{.kind = ErrorKind::config, .detail = "there is no way"};
  }
  void wake() noexcept override {}
};

}  // namespace

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
