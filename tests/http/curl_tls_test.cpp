#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "http/curl_transport.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"
#include "support/http_call.hpp"

using inferwire::ErrorKind;
using inferwire::http::make_curl_transport;
using inferwire::testing::Certificate;
using inferwire::testing::make_certificate;
using inferwire::testing::MockServer;
using inferwire::testing::Reply;
using inferwire_test::call;
using inferwire_test::contains;

namespace {

/// A server that shows a certificate made for 127.0.0.1, signed by itself, and answers everything.
struct TlsServer {
  TlsServer() {
    REQUIRE_FALSE(server.problem());
    server.set_handler([](const auto&) { return Reply::json("{}"); });
  }
  Certificate certificate = make_certificate({.hosts = {"127.0.0.1"}}).value();
  MockServer server{{.certificate = certificate}};
};

/// A file that goes with its object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content)
      : path_("/tmp/inferwire-tls-" + std::to_string(::getpid())) {
    std::ofstream(path_) << content;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("a certificate that nobody vouches for is refused, and nothing is sent") {
  TlsServer tls;
  const auto sink =
      call(*make_curl_transport(), {.method = "GET", .url = tls.server.url() + "/v1?key=hunter2"});
  REQUIRE(sink.calls == "e");
  REQUIRE(sink.error);
  REQUIRE(sink.error->kind == ErrorKind::tls);
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

TEST_CASE("a trusted certificate of another name is refused") {
  TlsServer tls;
  const TemporaryFile file(tls.certificate.pem);
  const auto sink = call(*make_curl_transport({.ca_file = file.path()}),
                         {.method = "GET", .url = tls.server.url("localhost") + "/"});
  REQUIRE(sink.error);
  REQUIRE(sink.error->kind == ErrorKind::tls);
}

TEST_CASE("a file of certificates that is not there is an error of the options") {
  TlsServer tls;
  const auto sink = call(*make_curl_transport({.ca_file = "/nonexistent/ca.pem"}),
                         {.method = "GET", .url = tls.server.url() + "/"});
  REQUIRE(sink.error);
  REQUIRE(sink.error->kind == ErrorKind::config);
  REQUIRE_THAT(sink.error->detail, contains("/nonexistent/ca.pem"));
}
