#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "http/curl_transport.hpp"
#include "support/catch.hpp"
#include "support/http_call.hpp"
#include "support/tls_server.hpp"

using inferwire::ErrorKind;
using inferwire::http::make_curl_transport;
using inferwire_test::call;
using inferwire_test::TlsServer;

namespace {

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
  const TlsServer server;
  const auto sink = call(*make_curl_transport(), {.method = "GET", .url = server.url() + "/v1?key=hunter2"});
  REQUIRE(sink.calls == "e");
  REQUIRE(sink.error);
  REQUIRE(sink.error->kind == ErrorKind::tls);
  REQUIRE_THAT(sink.error->detail, inferwire_test::contains("does not verify"));
  REQUIRE_THAT(sink.error->detail, inferwire_test::contains("127.0.0.1:"));
  REQUIRE(sink.error->message().find("hunter2") == std::string::npos);
}

TEST_CASE("a certificate from the given file is trusted, over one connection for several calls") {
  const TlsServer server;
  const TemporaryFile file(server.certificate());
  const auto transport = make_curl_transport({.ca_file = file.path()});
  for (int i = 0; i < 3; ++i) {  // the server takes one connection at a time: a second one would hang
    const auto sink = call(*transport, {.method = "GET", .url = server.url() + "/"});
    REQUIRE_FALSE(sink.error);
    REQUIRE(sink.body == "{}");
  }
}

TEST_CASE("a trusted certificate of another name is refused") {
  const TlsServer server;
  const TemporaryFile file(server.certificate());
  const auto sink = call(*make_curl_transport({.ca_file = file.path()}),
                         {.method = "GET", .url = server.url("localhost") + "/"});
  REQUIRE(sink.error);
  REQUIRE(sink.error->kind == ErrorKind::tls);
}

TEST_CASE("a file of certificates that is not there is an error of the options") {
  const TlsServer server;
  const auto sink = call(*make_curl_transport({.ca_file = "/nonexistent/ca.pem"}),
                         {.method = "GET", .url = server.url() + "/"});
  REQUIRE(sink.error);
  REQUIRE(sink.error->kind == ErrorKind::config);
  REQUIRE_THAT(sink.error->detail, inferwire_test::contains("/nonexistent/ca.pem"));
}
