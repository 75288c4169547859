// Proxies in front of a service: CONNECT, SOCKS, and proxies that use TLS themselves.
#include "http/curl_calls.hpp"
#include "http/tunnel_proxy.hpp"
#include "support/answering_server.hpp"
#include "support/quiet_listener.hpp"
#include "support/raw_socket.hpp"

#include <string>
#include <thread>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

using Asked = std::vector<std::string>;

const TunnelProxy::Login ada{.user = "ada", .password = "sesame", .basic = "YWRhOnNlc2FtZQ=="};

NetworkOptions through(const std::string& proxy, const std::string& password = "sesame") {
  return {.proxy = proxy, .proxy_user = "ada", .proxy_password = password};
}

}  // namespace

TEST_CASE("a CONNECT proxy with a password opens a tunnel to the service") {
  const auto certificate = make_certificate({.hosts = {"service.test"}}).value();
  AnsweringServer server(Reply::json("{}"), {.certificate = certificate});
  TunnelProxy proxy(TunnelProxy::Kind::connect, server.port(), ada);
  auto options = through("http://" + proxy.place());
  options.ca_pem = certificate.pem;
  const auto sink = ask(options, "https://service.test/v1");
  CHECK_FALSE(sink.error);
  CHECK(sink.body == "{}");
  CHECK(proxy.asked() == Asked{"service.test:443"});
  CHECK_FALSE(find_header(server.requests().at(0).headers, "proxy-authorization"));

  const auto refused = ask(through("http://" + proxy.place(), "barley"), "https://service.test/v1");
  REQUIRE(refused.error);
  CHECK(refused.error->kind == ErrorKind::config);
  CHECK_FALSE(refused.error->retryable);
  CHECK_THAT(refused.error->detail, contains("407") && contains("does not take") && !contains("barley"));
  CHECK(server.requests().size() == 1);
}

TEST_CASE("a confidential request goes through a tunnel, since the proxy cannot read it") {
  const auto certificate = make_certificate({.hosts = {"service.test"}}).value();
  AnsweringServer server(Reply::json("{}"), {.certificate = certificate});
  TunnelProxy proxy(TunnelProxy::Kind::connect, server.port(), ada);
  auto options = through("http://" + proxy.place());
  options.ca_pem = certificate.pem;
  const auto transport = inferwire::http::make_curl_transport(options);
  CHECK(call(*transport, {.url = "https://service.test/v1", .confidential = true}).body == "{}");
  CHECK(proxy.asked() == Asked{"service.test:443"});
}

TEST_CASE("the certificate behind a tunnel is the service's own, and verified") {
  AnsweringServer server(Reply::json("{}"),
                         {.certificate = make_certificate({.hosts = {"other.test"}}).value()});
  TunnelProxy proxy(TunnelProxy::Kind::connect, server.port(), ada);
  const auto sink = ask(through("http://" + proxy.place()), "https://service.test/v1");
  REQUIRE(sink.error);
  CHECK(sink.error->kind == ErrorKind::tls);
  CHECK(server.requests().empty());
}

TEST_CASE("a reused tunnel that breaks is replaced by one other, or none") {
  const auto certificate = make_certificate({.hosts = {"service.test"}}).value();
  AnsweringServer server(Reply::json("{}"), {.certificate = certificate});
  TunnelProxy proxy(TunnelProxy::Kind::connect, server.port(), ada, 1);
  auto options = through("http://" + proxy.place());
  options.ca_pem = certificate.pem;
  const auto transport = inferwire::http::make_curl_transport(options);
  const HttpRequest request{.url = "https://service.test/v1", .body = "{}"};
  REQUIRE_FALSE(call(*transport, request).error);
  server.push(Reply::reset());
  const auto sink = call(*transport, request);
  REQUIRE(sink.error);
  CHECK_THAT(sink.error->detail, contains("status 503"));
  CHECK(proxy.asked() == Asked(2, "service.test:443"));
}

TEST_CASE("a proxy that breaks off before there is a tunnel is a retryable error, told as its own") {
  const QuietListener listener;
  for (const std::string_view answer : {"", "HTTP/1.1 2", "HTTP/1.1 200 Go on\r\n"}) {
    std::thread proxy([&] {
      auto client = RawSocket::owning(listener.accept());
      client.read_until("\r\n\r\n");
      client.write(answer);
    });
    const auto sink = ask({.proxy = "http://" + listener.place()}, "https://service.test/v1");
    proxy.join();
    REQUIRE(sink.error);
    CHECK(sink.error->kind == ErrorKind::connection);
    CHECK(sink.error->cause == ErrorCause::none);
    CHECK(sink.error->retryable);
    CHECK_THAT(sink.error->detail, contains("the proxy did not get through"));
  }
}

TEST_CASE("the body in which a proxy refuses a tunnel is not read") {
  for (const bool many : {false, true}) {
    const QuietListener listener;
    bool hung_up = false;
    std::thread proxy([&] {
      auto client = RawSocket::owning(listener.accept());
      client.read_until("\r\n\r\n");
      client.write("HTTP/1.1 407 Who are you?\r\nContent-Length: 99999999999\r\n\r\n");
      const std::string piece(1 << 16, 'x');
      for (int i = 0; i < 1'000 && !hung_up; ++i) hung_up = !client.write(piece);
      auto next = RawSocket::owning(listener.accept());
      next.read_until("\r\n\r\n");
      next.write("HTTP/1.1 403 You again?\r\nContent-Length: 0\r\n\r\n");
    });
    const auto transport = curl_door(many, {.proxy = "http://" + listener.place()});
    const HttpRequest request{.url = "https://service.test/v1", .body = "{}"};
    const auto first = call(*transport, request);
    const auto second = call(*transport, request);
    proxy.join();
    CHECK(hung_up);
    CHECK_THAT(first.error.value().detail, contains("status 407"));
    CHECK_THAT(second.error.value().detail, contains("status 403"));
  }
}

TEST_CASE("a SOCKS proxy resolves the service's name") {
  AnsweringServer server;
  TunnelProxy proxy(TunnelProxy::Kind::socks5, server.port(), ada);
  const auto sink = ask(through("socks5h://" + proxy.place()), "http://service.invalid:8080/v1");
  CHECK_FALSE(sink.error);
  CHECK(sink.body == "{}");
  CHECK(proxy.asked() == Asked{"service.invalid:8080"});

  const auto refused = ask(through("socks5h://" + proxy.place(), "barley"), "http://service.invalid/v1");
  REQUIRE(refused.error);
  CHECK(refused.error->kind == ErrorKind::config);
  CHECK_FALSE(refused.error->retryable);
  CHECK_THAT(refused.error->detail, contains("password that it was given") && !contains("barley"));
  CHECK(server.requests().size() == 1);
}

TEST_CASE("a SOCKS proxy that cannot reach the service is a retryable error") {
  const QuietListener listener;
  std::thread proxy([&] {
    auto client = RawSocket::owning(listener.accept());
    client.read();
    client.write(std::string("\x05\0", 2));  // no login is required
    client.read();
    client.write(std::string("\x05\x05\0\x01\0\0\0\0\0\0", 10));  // connection refused
    client.read_all();
  });
  const auto sink = ask({.proxy = "socks5h://" + listener.place()}, "http://service.invalid/v1");
  proxy.join();
  REQUIRE(sink.error);
  CHECK(sink.error->kind == ErrorKind::connection);
  CHECK(sink.error->retryable);
}

TEST_CASE("a proxy may speak TLS, and its certificate is verified like a service's") {
  const auto certificate = make_certificate().value();
  AnsweringServer proxy(Reply::json("{}"), {.certificate = certificate});
  auto options = through(proxy.url());
  options.ca_pem = certificate.pem;
  CHECK(ask(options, "http://service.test/v1").body == "{}");
  CHECK(proxy.requests().at(0).url == "http://service.test/v1");

  const auto stranger = ask(through(proxy.url()), "http://service.test/v1");
  REQUIRE(stranger.error);
  CHECK(stranger.error->kind == ErrorKind::tls);
  CHECK(proxy.requests().size() == 1);
}
