// The network options, as seen by the other end of a socket.
#include "http/curl_calls.hpp"
#include "support/answering_server.hpp"
#include "support/environment.hpp"
#include "support/quiet_listener.hpp"
#include "support/stalled_resolver.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using inferwire::http::make_curl_transport;

namespace {

/// A URL that is reached through a proxy only.
std::string unknown_url() { return "http://" + std::string(unknown_name) + "/"; }

}  // namespace

TEST_CASE("a proxy that answers 407 is Error{config}, and is not sent the key") {
  MockServer proxy;
  proxy.keep_secrets();
  proxy.push(Reply::error(407).with("Proxy-Authenticate", "Basic realm=\"x\""));
  const auto sink = ask({.proxy = proxy.url()}, "https://service.test/v1");
  REQUIRE(sink.calls == "e");
  CHECK(sink.error->kind == ErrorKind::config);
  CHECK_THAT(sink.error->detail, contains("407") && contains("proxy_user") && contains("service.test"));
  const auto asked = proxy.requests().at(0);
  CHECK(asked.method == "CONNECT");
  CHECK(asked.url == "service.test:443");
  CHECK_FALSE(find_header(asked.headers, "authorization"));
}

TEST_CASE("a proxy that offers authentication other than Basic is not said to lack a password that it has") {
  MockServer proxy;
  const auto only_others = Reply::error(407).with("Proxy-Authenticate", "Negotiate");
  proxy.push(only_others);
  const auto sink =
      ask({.proxy = proxy.url(), .proxy_user = "ada", .proxy_password = "pw"}, "https://service.test/");
  REQUIRE(sink.error);
  CHECK(sink.error->kind == ErrorKind::config);
  CHECK_THAT(sink.error->detail, contains("does not take") && contains("Basic"));
  proxy.push(only_others);
  const auto url = "http://ada:pw@127.0.0.1:" + std::to_string(proxy.port());
  const Environment variable("https_proxy", url.c_str());
  const auto by_environment = ask({}, "https://service.test/");
  REQUIRE(by_environment.error);
  CHECK_THAT(by_environment.error->detail, contains("does not take") && !contains("pw@"));
}

TEST_CASE("an error status of a proxy is Error{connection} with the status") {
  for (const int status : {403, 429, 502, 503, 504}) {
    MockServer proxy;
    proxy.push(Reply::error(status));
    const auto sink = ask({.proxy = proxy.url()}, "https://service.test/v1");
    REQUIRE(sink.calls == "e");
    CHECK(sink.error->kind == ErrorKind::connection);
    CHECK_THAT(sink.error->detail, contains(std::to_string(status)));
    CHECK(sink.error->retryable == (status != 403));
  }
}

TEST_CASE("a proxy is sent the whole URL and proxy_user with proxy_password") {
  AnsweringServer proxy;
  const auto sink =
      ask({.proxy = proxy.url(), .proxy_user = "ada", .proxy_password = "pw"}, "http://service.test/v1");
  CHECK(sink.body == "{}");
  const auto asked = proxy.requests().at(0);
  CHECK(asked.url == "http://service.test/v1");
  CHECK(find_header(asked.headers, "proxy-authorization") == "Basic YWRhOnB3");
}

TEST_CASE("hosts in no_proxy are reached without the proxy") {
  AnsweringServer proxy;
  CHECK(ask({.proxy = proxy.url(), .no_proxy = "other.test,.inferwire.test"}, unknown_url()).error->kind ==
        ErrorKind::connection);
  CHECK(proxy.requests().empty());
  CHECK(ask({.proxy = proxy.url(), .no_proxy = "other.test"}, unknown_url()).body == "{}");
  CHECK(proxy.requests().size() == 1);
}

TEST_CASE("a no_proxy of one asterisk keeps every host from the proxy") {
  AnsweringServer proxy;
  CHECK(ask({.proxy = proxy.url(), .no_proxy = "*"}, unknown_url()).error->kind == ErrorKind::connection);
  CHECK(proxy.requests().empty());
}

TEST_CASE("loopback is reached without the proxy unless no_proxy is empty") {
  AnsweringServer proxy;
  AnsweringServer server;
  CHECK(ask({.proxy = proxy.url()}, server.url()).body == "{}");
  CHECK(ask({.proxy = proxy.url(), .no_proxy = ".example.com,10.0.0.0/8"}, server.url()).body == "{}");
  CHECK(ask({.proxy = proxy.url(), .no_proxy = ".example.com"}, server.url("localhost")).body == "{}");
  CHECK(proxy.requests().empty());
  CHECK(ask({.proxy = proxy.url(), .no_proxy = ""}, server.url()).body == "{}");
  CHECK(proxy.requests().size() == 1);
}

TEST_CASE("every address of loopback is reached without the proxy") {
  AnsweringServer proxy;
  for (const std::string address : {"127.0.0.2", "::1"}) {
    CAPTURE(address);
    MockServer server({.address = address});
    if (server.problem()) {
      WARN("not tested: this machine has no " << address);
      continue;
    }
    server.push(Reply::json("{}"));
    CHECK(ask({.proxy = proxy.url()}, server.url()).body == "{}");
    CHECK(server.requests().size() == 1);
  }
  CHECK(proxy.requests().empty());
}

TEST_CASE("the proxy of the environment is used, but not for loopback or when it is ruled out") {
  AnsweringServer proxy;
  AnsweringServer server;
  const Environment variable("http_proxy", proxy.url().c_str());
  CHECK(ask({}, server.url()).body == "{}");
  CHECK(ask({}, server.url("localhost")).body == "{}");
  CHECK(proxy.requests().empty());
  CHECK(ask({}, "http://service.test/").body == "{}");
  CHECK(proxy.requests().size() == 1);
  CHECK(ask({.proxy = ""}, unknown_url()).error->kind == ErrorKind::connection);
  CHECK(ask({.no_proxy = ".inferwire.test"}, unknown_url()).error->kind == ErrorKind::connection);
  const Environment exception("no_proxy", std::string(unknown_name).c_str());
  CHECK(ask({}, unknown_url()).error->kind == ErrorKind::connection);
  CHECK(proxy.requests().size() == 1);
  CHECK(ask({.no_proxy = ""}, unknown_url()).body == "{}");
  const Environment another("NO_PROXY", "service.test");
  CHECK(ask({.no_proxy = ""}, "http://service.test/").body == "{}");
  CHECK(proxy.requests().size() == 3);
}

TEST_CASE("an invalid proxy in the environment is Error{config} without its password") {
  for (const auto* proxy : {"ftp://ada:hunter2@proxy.test", "http://ada:hunter2 @pro xy.test",
                            "gopher://ada:hunter2/x@proxy.test:1"}) {
    CAPTURE(proxy);
    const Environment variable("http_proxy", proxy);
    const auto sink = ask({}, "http://service.test/");
    REQUIRE(sink.error);
    CHECK(sink.error->kind == ErrorKind::config);
    CHECK_FALSE(sink.error->retryable);
    CHECK_THAT(sink.error->detail, contains("Unsupported proxy"));
    CHECK(sink.error->message().find("hunter2") == std::string::npos);
  }
}

TEST_CASE("a confidential request over plain http uses no proxy") {
  AnsweringServer proxy;
  AnsweringServer server;
  const auto port = static_cast<std::uint16_t>(std::stoi(server.url().substr(server.url().rfind(':') + 1)));
  const auto address = "http://keys.test:" + std::to_string(port) + "/";
  const std::vector<inferwire::PinnedHost> pinned{{"keys.test", port, {"127.0.0.1"}}};
  const Environment variable("http_proxy", proxy.url().c_str());
  for (const auto& options : {NetworkOptions{.resolve = pinned},
                              {.proxy = proxy.url(), .resolve = pinned},
                              {.proxy = proxy.url(), .no_proxy = "other.test", .resolve = pinned}}) {
    const auto transport = make_curl_transport(options);
    const auto at_proxy = proxy.requests().size();
    const auto at_server = server.requests().size();
    for (const bool confidential : {false, true, false, true}) {
      CHECK(call(*transport, {.url = address, .confidential = confidential}).body == "{}");
    }
    CHECK(proxy.requests().size() == at_proxy + 2);
    CHECK(server.requests().size() == at_server + 2);
  }
}

TEST_CASE("a transport reads the proxy of the environment when it is made") {
  AnsweringServer server;
  const NetworkOptions options{
      .resolve = {{.host = "service.test", .port = server.port(), .addresses = {"127.0.0.1"}}}};
  const auto before = make_curl_transport(options);
  AnsweringServer proxy;
  const Environment variable("all_proxy", proxy.url().c_str());
  const auto url = server.url("service.test");
  CHECK(call(*before, {.url = url}).body == "{}");
  CHECK(proxy.requests().empty());
  CHECK(ask(options, url).body == "{}");
  CHECK(proxy.requests().size() == 1);
}

TEST_CASE("a URL may have an IPv6 address") {
  MockServer server({.address = "::1"});
  if (server.problem()) {
    WARN("not tested: this machine has no IPv6");
    return;
  }
  server.push(Reply::json("{}"));
  CHECK_THAT(server.url(), contains("[::1]"));
  CHECK(ask({}, server.url()).body == "{}");
}

TEST_CASE("NetworkOptions::resolve replaces the resolver") {
  AnsweringServer server;
  const NetworkOptions options{
      .resolve = {{.host = "service.invalid", .port = server.port(), .addresses = {"127.0.0.1"}}}};
  CHECK(ask(options, server.url("service.invalid")).body == "{}");
  CHECK_THAT(std::string(*find_header(server.requests().at(0).headers, "host")), contains("service.invalid"));
}

TEST_CASE("options that libcurl refuses are errors that are not retryable") {
  const NetworkOptions wrong[] = {
      {.resolve = {{.host = "service.invalid", .port = 80, .addresses = {"no address"}}}},
      {.unix_socket = "/tmp/" + std::string(200, 'x')},
  };
  for (const auto& options : wrong) {
    const auto sink = ask(options, "http://service.invalid/");
    REQUIRE(sink.error);
    CAPTURE(sink.error->detail);
    CHECK(sink.error->kind == ErrorKind::config);
    CHECK_FALSE(sink.error->retryable);
  }
}

TEST_CASE("a host whose first address is silent is reached at its second") {
  for (const bool many : {false, true}) {
    CAPTURE(many);
    AnsweringServer server;
    const auto port = server.port();
    inferwire_test::QuietListener mute(0, "127.0.0.2", port);
    mute.fill();
    const auto door = curl_door(many, {.resolve = {{"two.test", port, {"127.0.0.2", "127.0.0.1"}}}});
    const auto sink =
        call(*door, {.url = "http://two.test:" + std::to_string(port) + "/", .body = "{}"}, {.connect = 1s});
    CHECK((sink.error ? sink.error->detail : "") == "");
    CHECK(sink.body == "{}");
  }
}

TEST_CASE("exchanges that connect reach a second address, whichever others connect and end meanwhile") {
  AnsweringServer server;
  const auto port = server.port();
  inferwire_test::QuietListener mute(0, "127.0.0.2", port);
  mute.fill();
  const auto transport = make_curl_transport({.resolve = {{"two.test", port, {"127.0.0.2", "127.0.0.1"}}}});
  const auto multiplexer = transport->multiplexer();
  constexpr std::string_view hosts[] = {"two.test", "127.0.0.1", "two.test", "127.0.0.1", "two.test"};
  RecordingSink sinks[std::size(hosts)];
  std::vector<std::unique_ptr<Exchange>> exchanges;
  for (auto* sink = sinks; const auto host : hosts) {
    const auto url = "http://" + std::string(host) + ":" + std::to_string(port) + "/";
    exchanges.push_back(*multiplexer->start({.url = url, .body = "{}"}, *sink++, {.connect = 1s}));
  }
  exchanges.front().reset();
  for (std::size_t i = 1; i < exchanges.size(); ++i) {
    CHECK(drive_until(*exchanges[i], [&] { return sinks[i].ended(); }));
    CHECK((sinks[i].error ? sinks[i].error->detail : "") == "");
    CHECK(sinks[i].body == "{}");
  }
  const auto later = std::chrono::steady_clock::now() + 1s;
  int runs = 0;
  for (; std::chrono::steady_clock::now() < later; ++runs) multiplexer->run(later);
  CHECK(runs <= 3);  // nobody connects any more, and there is nothing to look at
}

TEST_CASE("a connect limit that libcurl reports is Error{timeout}") {
  for (const bool many : {false, true}) {
    CAPTURE(many);
    AnsweringServer server;
    const auto port = server.port();
    inferwire_test::QuietListener mute(0, "127.0.0.2", port);
    mute.fill();
    const auto door = curl_door(many);
    const auto sink = call(*door, {.url = "http://127.0.0.2:" + std::to_string(port) + "/", .body = "{}"},
                           {.connect = 100ms});
    REQUIRE(sink.error);
    CHECK(sink.error->kind == ErrorKind::timeout);
    CHECK(sink.error->timer == "connect");
    CHECK(sink.error->retryable);
  }
}

TEST_CASE("a connection older than max_age is replaced") {
  AnsweringServer server;
  const auto transport = make_curl_transport({.max_age = 1s});
  const auto limit = std::chrono::steady_clock::now() + 10s;
  while (server.connections() < 2 && std::chrono::steady_clock::now() < limit) {
    REQUIRE_FALSE(call(*transport, {.url = server.url() + "/"}).error);
    std::this_thread::sleep_for(50ms);  // the connection's age is counted in seconds
  }
  CHECK(server.connections() == 2);
}

TEST_CASE("NetworkOptions that contradict each other are refused before anything is sent") {
  const NetworkOptions wrong[] = {
      {.proxy = "http://ada:hunter2@proxy.test"},
      {.ca_file = "/etc/ca.pem", .ca_pem = "PEM"},
      {.client_certificate_file = "/c.pem", .client_certificate_pem = "PEM"},
      {.client_certificate_file = "/c.pem", .client_key_file = "/k.pem", .client_key_pem = "PEM"},
      {.client_key_file = "/k.pem"},
      {.client_key_pem = "PEM"},
      {.client_key_password = "open-sesame"},
      {.resolve = {{.host = "service.test"}}},
      {.resolve = {{.host = "LOCALHOST", .addresses = {"192.0.2.2"}}}},
      {.resolve = {{.host = "127.0.0.1", .addresses = {"127.0.0.2", "192.0.2.2"}}}},
      {.resolve = {{.host = "*", .addresses = {"192.0.2.2"}}}},
      {.resolve = {{.host = "+localhost", .addresses = {"192.0.2.2"}}}},
      {.max_redirects = -1},
      {.keep_alive = 0s},
      {.max_idle = 0s},
      {.max_age = -1s},
      {.proxy = "ftp://proxy.test"},
  };
  for (const auto& options : wrong) {
    RecordingSink sink;
    const auto transport = make_curl_transport(options);
    auto started = transport->start({.url = "http://127.0.0.1:1/"}, sink, {});
    REQUIRE_FALSE(started);
    CHECK(started.error().kind == ErrorKind::config);
    CHECK(started.error().message().find("hunter2") == std::string::npos);
  }
}

TEST_CASE("NetworkOptions with NUL, where libcurl would end the text, are Error{config}") {
  const std::string nul("a\0b", 3);
  const auto detail_of = [](const NetworkOptions& options) {
    RecordingSink sink;
    const auto transport = make_curl_transport(options);
    auto started = transport->start({.url = "http://127.0.0.1:1/"}, sink, {});
    REQUIRE_FALSE(started);
    CHECK(started.error().kind == ErrorKind::config);
    return started.error().detail;
  };
  const NetworkOptions texts[] = {
      {.proxy = nul},           {.proxy_user = nul},
      {.proxy_password = nul},  {.no_proxy = nul},
      {.ca_file = nul},         {.client_certificate_file = nul},
      {.client_key_file = nul}, {.client_key_password = nul},
      {.unix_socket = nul},     {.local_interface = nul},
  };
  for (const auto& options : texts) CHECK(detail_of(options) == "an option of the network holds NUL");
  CHECK(detail_of({.resolve = {{.host = nul, .addresses = {"127.0.0.1"}}}}) == "a pinned host holds NUL");
  CHECK(detail_of({.resolve = {{.host = "service.test", .addresses = {nul}}}}) == "a pinned host holds NUL");
}
