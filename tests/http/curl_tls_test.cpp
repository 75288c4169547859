#include "http/curl_calls.hpp"
#include "http/curl_error.hpp"
#include "inferwire/client.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fake_environment.hpp"
#include "support/http_call.hpp"
#include "support/listeners.hpp"
#include "support/temporary_file.hpp"
#include "testing/openssl.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using inferwire::http::error_of;
using inferwire::http::make_curl_transport;

namespace {

/// A server with a self-signed certificate, by default for 127.0.0.1, that answers every request.
struct TlsServer {
  explicit TlsServer(inferwire::testing::CertificateOptions names = {.hosts = {"127.0.0.1"}},
                     inferwire::testing::MockServerOptions options = {})
      : certificate(make_certificate(names).value()), server(showing(certificate, std::move(options))) {
    REQUIRE_FALSE(server.problem());
    server.set_handler([](const auto&) { return Reply::json("{}"); });
  }
  static inferwire::testing::MockServerOptions showing(Certificate shown,
                                                       inferwire::testing::MockServerOptions options) {
    options.certificate = std::move(shown);
    return options;
  }

  Certificate certificate;
  MockServer server;
};

HttpRequest get_from(const MockServer& server, const std::string& host = "127.0.0.1") {
  return {.method = "GET", .url = server.url(host) + "/"};
}

/// The key, encrypted with `password`.
std::string locked(const std::string& key_pem, const std::string& password) {
  const auto key = inferwire::testing::read_key(key_pem);
  const inferwire::testing::Memory out(BIO_new(BIO_s_mem()));
  const auto* const word = reinterpret_cast<const unsigned char*>(password.data());
  REQUIRE(PEM_write_bio_PrivateKey(out.get(), key.get(), EVP_aes_256_cbc(), word,
                                   static_cast<int>(password.size()), nullptr, nullptr) == 1);
  return inferwire::testing::text_of(out.get());
}

}  // namespace

TEST_CASE("a certificate that nobody vouches for is refused, and nothing is sent") {
  TlsServer tls;
  const auto sink =
      call(*make_curl_transport(), {.method = "GET", .url = tls.server.url() + "/v1?key=hunter2"});
  REQUIRE(sink.calls == "e");
  REQUIRE(sink.error);
  REQUIRE(sink.error->kind == ErrorKind::tls);
  CHECK(sink.error->cause == ErrorCause::certificate);
  REQUIRE_THAT(sink.error->detail, contains("does not verify"));
  REQUIRE_THAT(sink.error->detail, contains("127.0.0.1:"));
  REQUIRE(sink.error->message().find("hunter2") == std::string::npos);
}

TEST_CASE("a certificate from the given file is trusted, over one connection for several calls") {
  TlsServer tls;
  const TemporaryFile file(tls.certificate.pem);
  const auto transport = make_curl_transport({.ca_file = file.path()});
  for (int i = 0; i < 3; ++i) {
    const auto sink = call(*transport, {.method = "GET", .url = tls.server.url() + "/"});
    REQUIRE_FALSE(sink.error);
    REQUIRE(sink.body == "{}");
  }
  REQUIRE(tls.server.connections() == 1);
}

TEST_CASE("a new connection resumes the TLS session of the one before") {
  for (const auto newest : {TlsVersion::v1_2, TlsVersion::v1_3}) {
    CAPTURE(newest);
    TlsServer tls({.hosts = {"127.0.0.1"}}, {.max_tls = newest});
    tls.server.set_handler([](const auto&) {
      auto reply = Reply::json("{}");
      reply.framing = inferwire::testing::BodyFraming::until_close;
      return reply;
    });
    const inferwire::NetworkOptions network{.ca_pem = tls.certificate.pem};
    const auto transport = make_curl_transport(network);
    for (int i = 0; i < 3; ++i) REQUIRE_FALSE(call(*transport, get_from(tls.server)).error);
    // The event loop has its own connections, but shares the sessions.
    const Client client({.base_url = tls.server.url(), .api_key = "sk-test", .transport = transport});
    REQUIRE(client.request("GET", "/"));
    REQUIRE(client.start("GET", "/").get());
    // Other transports do not share them.
    REQUIRE_FALSE(call(*make_curl_transport(network), get_from(tls.server)).error);

    std::vector<bool> resumed;
    for (const auto& entry : tls.server.journal()) {
      if (entry.kind == JournalEntry::Kind::request) resumed.push_back(entry.resumed);
    }
    CHECK(resumed == std::vector<bool>{false, true, true, true, true, false});
    CHECK(tls.server.connections() == 6);
  }
}

TEST_CASE("a trusted certificate of another name is refused") {
  TlsServer tls;
  const TemporaryFile file(tls.certificate.pem);
  const auto sink = call(*make_curl_transport({.ca_file = file.path()}),
                         {.method = "GET", .url = tls.server.url("localhost") + "/"});
  REQUIRE(sink.error);
  REQUIRE(sink.error->kind == ErrorKind::tls);
  CHECK(sink.error->cause == ErrorCause::certificate);
}

TEST_CASE("a ca_file that is not there is Error{config}") {
  TlsServer tls;
  const auto sink = call(*make_curl_transport({.ca_file = "/nonexistent/ca.pem"}),
                         {.method = "GET", .url = tls.server.url() + "/"});
  REQUIRE(sink.error);
  REQUIRE(sink.error->kind == ErrorKind::config);
  REQUIRE_THAT(sink.error->detail, contains("/nonexistent/ca.pem"));
}

TEST_CASE("SSL_CERT_FILE names the certificates to trust, unless the options do") {
  TlsServer tls;
  const TemporaryFile file(tls.certificate.pem);
  const inferwire_test::FakeEnvironment::Texts variables{{"SSL_CERT_FILE", file.path()}};
  const auto asked_with = [&](inferwire::NetworkOptions network) {
    return Client({.base_url = tls.server.url(),
                   .api_key = "sk-test",
                   .network = std::move(network),
                   .environment = std::make_shared<inferwire_test::FakeEnvironment>(variables)})
        .request("GET", "/");
  };
  CHECK(asked_with({}));
  const inferwire::NetworkOptions others[] = {{.ca_pem = make_certificate().value().pem},
                                              {.native_ca = true}};
  for (const auto& other : others) {
    const auto refused = asked_with(other);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::tls);
  }
  const inferwire_test::Environment variable("SSL_CERT_FILE", file.path().c_str());
  CHECK(call(*inferwire::network_transport(), get_from(tls.server)).body == "{}");
}

TEST_CASE("a file that SSL_CERT_FILE names is ignored if it is not there, and named if it cannot be used") {
  TlsServer tls;
  const TemporaryFile no_certificates("nothing");
  const auto lines = std::make_shared<inferwire_test::Lines>(inferwire::LogLevel::warning);
  const auto error_with = [&](const std::string& file) {
    const Client client({.base_url = tls.server.url(),
                         .api_key = "sk-test",
                         .log = lines,
                         .environment = std::make_shared<inferwire_test::FakeEnvironment>(
                             inferwire_test::FakeEnvironment::Texts{{"SSL_CERT_FILE", file}})});
    auto refused = client.request("GET", "/");
    REQUIRE_FALSE(refused);
    return refused.error();
  };
  CHECK(error_with("/nonexistent/ca.pem").kind == ErrorKind::tls);
  REQUIRE_FALSE(lines->lines().empty());
  CHECK_THAT(lines->lines()[0], contains("SSL_CERT_FILE") && contains("/nonexistent/ca.pem"));
  const auto unusable = error_with(no_certificates.path());
  CHECK(unusable.kind == ErrorKind::config);
  CHECK_THAT(unusable.detail, contains("SSL_CERT_FILE names") && contains(no_certificates.path()));
}

TEST_CASE("a client's log says that its transport ignores the file of SSL_CERT_FILE") {
  const TlsServer tls;
  const TemporaryFile file;
  const inferwire_test::Environment variable("SSL_CERT_FILE", file.path().c_str());
  const auto lines = std::make_shared<inferwire_test::Lines>(inferwire::LogLevel::warning);
  const auto is_told = [&](std::shared_ptr<inferwire::Transport> transport) {
    const Client client({.base_url = tls.server.url(),
                         .api_key = "sk-test",
                         .log = lines,
                         .transport = std::move(transport)});
    static_cast<void>(client.request("GET", "/"));
    return std::ranges::any_of(
        lines->lines(), [](const std::string& line) { return line.find("SSL_CERT_FILE") != line.npos; });
  };
  const auto made_before = inferwire::network_transport();
  file.write(tls.certificate.pem);
  CHECK_FALSE(is_told(nullptr));
  CHECK_FALSE(is_told(inferwire::network_transport()));
  CHECK(is_told(made_before));
}

TEST_CASE("a certificate's issuer, host and times are verified, and the error names the fault") {
  const auto issuer = make_certificate().value();
  struct Row {
    inferwire::testing::CertificateOptions options;
    const Certificate* issuer;
    const char* fault;  ///< nullptr: the certificate is good
  };
  const Row rows[] = {
      {{.hosts = {"a.service.test"}}, &issuer, nullptr},
      {{.hosts = {"*.service.test"}}, &issuer, nullptr},
      {{.hosts = {"a.service.test"}, .until = -1h}, &issuer, "expired"},
      {{.hosts = {"a.service.test"}, .from = 1h}, &issuer, "not yet valid"},
      {{.hosts = {"other.test"}}, &issuer, "no alternative certificate subject name matches"},
      {{.hosts = {"a.service.test"}}, nullptr, "self-signed certificate"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.fault == nullptr ? "good" : row.fault);
    MockServer server({.certificate = make_certificate(row.options, row.issuer).value()});
    REQUIRE_FALSE(server.problem());
    server.push(Reply::json("{}"));
    const auto sink = call(
        *make_curl_transport(
            {.ca_pem = issuer.pem,
             .resolve = {{.host = "a.service.test", .port = server.port(), .addresses = {"127.0.0.1"}}}}),
        get_from(server, "a.service.test"));
    if (row.fault == nullptr) {
      CHECK_FALSE(sink.error);
      CHECK(sink.body == "{}");
      continue;
    }
    REQUIRE(sink.calls == "e");
    CHECK(sink.error->kind == ErrorKind::tls);
    CHECK_FALSE(sink.error->retryable);
    auto words = sink.error->detail;  // OpenSSL 1.1 writes "self signed"
    if (const auto at = words.find("self signed"); at != words.npos) words[at + 4] = '-';
    CHECK_THAT(words, contains(row.fault) && contains("a.service.test:"));
    CHECK(server.requests().empty());
  }
}

TEST_CASE("ca_pem may hold several issuers") {
  const auto first = make_certificate().value();
  const auto second = make_certificate().value();
  for (const auto* issuer : {&first, &second}) {
    MockServer server({.certificate = make_certificate({}, issuer).value()});
    server.push(Reply::json("{}"));
    const auto sink = call(*make_curl_transport({.ca_pem = first.pem + second.pem}), get_from(server));
    CHECK_FALSE(sink.error);
  }
}

TEST_CASE("an issuer that is not in ca_pem is named as the fault") {
  const auto trusted = make_certificate().value();
  const auto other = make_certificate().value();
  MockServer server({.certificate = make_certificate({}, &other).value()});
  const auto sink = call(*make_curl_transport({.ca_pem = trusted.pem}), get_from(server));
  REQUIRE(sink.error);
  CHECK_THAT(sink.error->detail, contains("issuer"));
}

TEST_CASE("make_certificate refuses times that X.509 cannot hold") {
  using std::chrono::seconds;
  CHECK(make_certificate({.until = seconds::max()}).error().kind == ErrorKind::config);
  CHECK(make_certificate({.from = seconds::min()}).error().kind == ErrorKind::config);
}

TEST_CASE("a certificate for an IPv6 address holds for that address only") {
  const auto issuer = make_certificate().value();
  for (const std::string address : {"::1", "::2"}) {
    MockServer server(
        {.certificate = make_certificate({.hosts = {address}}, &issuer).value(), .address = "::1"});
    if (server.problem()) {
      WARN("not tested: this machine has no IPv6");
      return;
    }
    server.push(Reply::json("{}"));
    const auto sink = call(*make_curl_transport({.ca_pem = issuer.pem}), get_from(server, "::1"));
    CHECK(sink.error.has_value() == (address == "::2"));
    CHECK(server.requests().size() == (address == "::1" ? 1 : 0));
    if (sink.error) CHECK_THAT(sink.error->detail, contains("[::1]:") || contains("::1"));
  }
}

TEST_CASE("the client's certificate is sent from PEM text or files") {
  const auto issuer = make_certificate().value();
  const auto own = make_certificate({}, &issuer).value();
  TlsServer tls({.hosts = {"127.0.0.1"}}, {.client_issuer = issuer.pem});
  const auto& trusted = tls.certificate.pem;
  const auto text =
      call(*make_curl_transport(
               {.ca_pem = trusted, .client_certificate_pem = own.pem, .client_key_pem = own.key_pem}),
           get_from(tls.server));
  CHECK(text.body == "{}");
  const TemporaryFile both(own.pem + own.key_pem);
  const auto files =
      call(*make_curl_transport(
               {.ca_pem = trusted, .client_certificate_file = both.path(), .client_key_file = both.path()}),
           get_from(tls.server));
  CHECK(files.body == "{}");
  const auto none = call(*make_curl_transport({.ca_pem = trusted}), get_from(tls.server));
  REQUIRE(none.error);
  CHECK(none.error->kind == ErrorKind::tls);
  CHECK_FALSE(none.error->retryable);
  CHECK_THAT(none.error->detail, contains("certificate required"));
  const auto missing =
      call(*make_curl_transport({.ca_pem = trusted, .client_certificate_file = "/nonexistent/client.pem"}),
           get_from(tls.server));
  REQUIRE(missing.error);
  CHECK(missing.error->kind == ErrorKind::config);
  CHECK_THAT(missing.error->detail, contains("/nonexistent/client.pem"));
}

TEST_CASE("client_key_password unlocks the client's key") {
  const auto issuer = make_certificate().value();
  const auto own = make_certificate({}, &issuer).value();
  TlsServer tls({.hosts = {"127.0.0.1"}}, {.client_issuer = issuer.pem});
  const auto show_key = [&](const char* password) {
    return call(*make_curl_transport({.ca_pem = tls.certificate.pem,
                                      .client_certificate_pem = own.pem,
                                      .client_key_pem = locked(own.key_pem, "open-sesame"),
                                      .client_key_password = password}),
                get_from(tls.server));
  };
  CHECK(show_key("open-sesame").body == "{}");
  for (const auto* const other : {"open-barley", ""}) {
    const auto wrong = show_key(other);
    REQUIRE(wrong.error);
    CHECK(wrong.error->kind == ErrorKind::config);
    CHECK_THAT(wrong.error->detail, !contains("open-"));
  }
  // Newer versions of libcurl report a wrong password like this.
  const auto newer =
      error_of({.code = CURLE_BAD_FUNCTION_ARGUMENT, .text = "unable to set private key file"});
  CHECK(newer->kind == ErrorKind::config);
}

TEST_CASE("min_tls refuses a server of an older version") {
  TlsServer tls({.hosts = {"127.0.0.1"}}, {.max_tls = inferwire::TlsVersion::v1_2});
  const auto& trusted = tls.certificate.pem;
  CHECK(call(*make_curl_transport({.ca_pem = trusted}), get_from(tls.server)).body == "{}");
  const auto sink = call(*make_curl_transport({.ca_pem = trusted, .min_tls = inferwire::TlsVersion::v1_3}),
                         get_from(tls.server));
  REQUIRE(sink.error);
  CHECK(sink.error->kind == ErrorKind::tls);
}

namespace {

/// An HTTP/2 frame.
std::string h2_frame(char type, char flags, char stream, std::string payload) {
  return std::string{'\0', '\0', static_cast<char>(payload.size()), type, flags, '\0', '\0', '\0', stream} +
         payload;
}
const auto h2_settings =
    h2_frame(4, 0, 0, "") + h2_frame(4, 1, 0, "");  // SETTINGS, and the acknowledgement of the client's
const auto h2_answer =
    h2_frame(1, 4, 1, "\x88") + h2_frame(0, 1, 1, "{}");  // ":status: 200"; end of stream 1

/// An exchange that has ended; `asked` was opened once its request was sent.
std::unique_ptr<inferwire::Exchange> ended(inferwire::Transport& door, const MockServer& server,
                                           inferwire::testing::Gate& asked,
                                           inferwire_test::RecordingSink& sink,
                                           const inferwire::ExchangeOptions& options = {}) {
  sink.at_sent = [&] { asked.open(); };
  auto exchange = door.start(get_from(server), sink, options);
  REQUIRE(exchange);
  REQUIRE(drive_until(**exchange, [&] { return sink.ended(); }));
  return *std::move(exchange);
}

}  // namespace

TEST_CASE("HTTP/2 is spoken only where it is wanted and negotiated") {
  TlsServer tls({.hosts = {"127.0.0.1"}}, {.alpn = "h2"});
  const auto& trusted = tls.certificate.pem;
  CHECK(call(*make_curl_transport({.ca_pem = trusted}), get_from(tls.server)).head->http_version == "1.1");

  // The mock server reads the client's preface as two HTTP/1.1 requests.
  inferwire::testing::Gate asked;
  tls.server.push({.raw = h2_settings});
  tls.server.push({.ending = Ending::silence, .head_gate = asked, .raw = h2_answer});
  inferwire_test::RecordingSink sink;
  const auto transport =
      make_curl_transport({.ca_pem = trusted, .http_version = inferwire::HttpVersion::http2});
  auto exchange = transport->start(get_from(tls.server), sink, {});
  REQUIRE(exchange);
  REQUIRE(drive_until(**exchange, [&] { return sink.calls.ends_with('s'); }));
  asked.open();
  REQUIRE(drive_until(**exchange, [&] { return sink.ended(); }));
  CHECK(sink.calls == "cshbe");
  CHECK(sink.head->http_version == "2");
  CHECK(sink.body == "{}");
}

TEST_CASE("an answer over TLS that came before its request is not taken, even if HTTP/2 was asked for") {
  const bool many = GENERATE(false, true);
  const auto version = GENERATE(inferwire::HttpVersion::http1, inferwire::HttpVersion::http2);
  CAPTURE(many, version == inferwire::HttpVersion::http2);
  TlsServer tls;  // speaks HTTP/1.1 only
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
  inferwire::testing::Gate first_is_over;
  tls.server.push({.body = {{.bytes = head + "stale", .gate = first_is_over}},
                   .ending = Ending::cut,
                   .raw = head + "first"});
  tls.server.push(Reply::json("second"));
  const auto door = curl_door(many, {.ca_pem = tls.certificate.pem, .http_version = version});
  CHECK(call(*door, get_from(tls.server)).body == "first");
  first_is_over.open();
  REQUIRE(tls.server.wait_until_all_closed());
  const auto sink = call(*door, get_from(tls.server));
  CHECK(sink.calls == "cshbe");
  CHECK(sink.body == "second");
}

TEST_CASE("calls that begin together do not wait for each other's answers if TLS did not choose HTTP/2") {
  TlsServer tls;  // speaks HTTP/1.1 only
  inferwire::testing::Gate all_are_there;
  auto late = Reply::json("{}");
  late.head_gate = all_are_there;
  tls.server.set_handler([&](const auto&) { return late; });
  const auto transport =
      make_curl_transport({.ca_pem = tls.certificate.pem, .http_version = inferwire::HttpVersion::http2});
  const auto multiplexer = transport->multiplexer();
  std::vector<inferwire_test::RecordingSink> sinks(3);
  std::vector<std::unique_ptr<inferwire::Exchange>> calls;
  for (auto& sink : sinks) calls.push_back(*multiplexer->start(get_from(tls.server), sink, {}));
  const auto limit = std::chrono::steady_clock::now() + 5s;
  while (tls.server.requests().size() < calls.size() && std::chrono::steady_clock::now() < limit) {
    multiplexer->run(std::chrono::steady_clock::now() + 1ms);
  }
  CHECK(tls.server.requests().size() == calls.size());
  all_are_there.open();
  for (auto& call : calls) {
    while (call->drive(inferwire::TimePoint::max()) != inferwire::Progress::ended) continue;
  }
  for (const auto& sink : sinks) CHECK(sink.body == "{}");
}

TEST_CASE("a request is not resent when a reused HTTP/2 connection breaks a second after it was sent") {
  const bool many = GENERATE(false, true);
  CAPTURE(many);
  TlsServer tls({.hosts = {"127.0.0.1"}}, {.alpn = "h2"});
  inferwire::testing::Gate asked;
  tls.server.push({.raw = h2_settings});
  tls.server.push(
      {.body = {{.delay = 1300ms}}, .ending = Ending::reset, .head_gate = asked, .raw = h2_answer});
  tls.server.push({.raw = h2_settings});  // on the connection that replaces it
  tls.server.push({.ending = Ending::silence, .raw = h2_answer});
  const auto door =
      curl_door(many, {.ca_pem = tls.certificate.pem, .http_version = inferwire::HttpVersion::http2});
  inferwire_test::RecordingSink first;
  auto exchange = ended(*door, tls.server, asked, first);
  CHECK(first.body == "{}");
  exchange.reset();

  const auto sink = call(*door, get_from(tls.server));
  CHECK(sink.calls == "cse");
  REQUIRE(sink.error);
  CHECK(sink.error->kind == ErrorKind::connection);
  CHECK(sink.error->retryable);
  CHECK_THAT(sink.error->detail, contains("broke without an answer after 1"));
}

TEST_CASE("a request that a new HTTP/2 connection refuses is the caller's to repeat") {
  const bool many = GENERATE(false, true);
  CAPTURE(many);
  TlsServer tls({.hosts = {"127.0.0.1"}}, {.alpn = "h2"});
  inferwire::testing::Gate asked;
  tls.server.push({.raw = h2_settings});
  tls.server.push({.ending = Ending::silence,
                   .head_gate = asked,
                   .raw = h2_frame(3, 0, 1, std::string("\0\0\0\x07", 4))});
  tls.server.push({.raw = h2_settings});  // on a connection that libcurl would make to repeat it
  tls.server.push({.ending = Ending::silence, .raw = h2_answer});
  const auto door =
      curl_door(many, {.ca_pem = tls.certificate.pem, .http_version = inferwire::HttpVersion::http2});
  inferwire_test::RecordingSink sink;
  ended(*door, tls.server, asked, sink);
  CHECK(sink.calls == "cse");
  REQUIRE(sink.error);
  CHECK(sink.error->kind == ErrorKind::connection);
  CHECK(sink.error->retryable);
}

TEST_CASE("a server of HTTP/2 is told at once that its answer is too large") {
  const bool many = GENERATE(false, true);
  CAPTURE(many);
  TlsServer tls({.hosts = {"127.0.0.1"}}, {.alpn = "h2"});
  inferwire::testing::Gate asked;
  tls.server.push({.raw = h2_settings});
  tls.server.push({.ending = Ending::silence,
                   .head_gate = asked,
                   .raw = h2_frame(1, 4, 1, "\x88") + h2_frame(0, 0, 1, "{\"endless\": ")});
  const auto door =
      curl_door(many, {.ca_pem = tls.certificate.pem, .http_version = inferwire::HttpVersion::http2});
  inferwire_test::RecordingSink sink;
  const auto kept = ended(*door, tls.server, asked, sink, {.max_body_bytes = 2});
  REQUIRE(sink.error);
  CHECK(sink.error->kind == ErrorKind::too_large);
  CHECK(tls.server.wait_for_close(1));
}

TEST_CASE("a server that speaks no TLS gives no progress until the deadline") {
  MockServer plain;
  plain.push_connection(inferwire::testing::Ending::whole);
  const auto url = "https://127.0.0.1:" + std::to_string(plain.port()) + "/";
  inferwire_test::RecordingSink sink;
  const auto transport = make_curl_transport();
  auto exchange = transport->start({.method = "GET", .url = url}, sink, {});
  REQUIRE(exchange);
  // The server waits for a line that never comes, so it sends nothing.
  CHECK((*exchange)->drive(std::chrono::steady_clock::now() + 50ms) == inferwire::Progress::deadline);
  CHECK(sink.calls.empty());
}
