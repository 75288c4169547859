#include "http/curl_error.hpp"

#include <cerrno>
#include <string>

#include "support/catch.hpp"

using namespace std::chrono_literals;
using inferwire::ErrorKind;
using inferwire::http::Ending;
using inferwire::http::error_of;
using inferwire::http::HeadPart;
using inferwire_test::contains;

TEST_CASE("a whole answer is no error, and nothing else is none") {
  CHECK_FALSE(error_of({.connected = true, .sent = true, .head = HeadPart::whole}));
  CHECK(error_of({.connected = true, .sent = true, .head = HeadPart::begun}));
  CHECK(error_of({.connected = true, .sent = true}));
}

TEST_CASE("how libcurl ended an exchange says what went wrong, and whether it may pass") {
  struct Case {
    Ending ending;
    ErrorKind kind;
    bool retryable;
    const char* words;
  };
  const auto tunnel = [](long status) { return Ending{.code = CURLE_RECV_ERROR, .proxy_status = status}; };
  const Ending late{.code = CURLE_OPERATION_TIMEDOUT, .taken = 2s, .connect_limit = 2000ms};
  auto system_was_first = late;
  system_was_first.taken = 1999ms;
  const Case cases[] = {
      {{.head = HeadPart::begun}, ErrorKind::connection, true, "inside the answer's head"},
      {{.connected = true, .on_own_connection = true}, ErrorKind::connection, false, "not HTTP"},
      {{.connected = true}, ErrorKind::connection, true, "not HTTP"},  // late bytes of another exchange
      {{.code = CURLE_UNSUPPORTED_PROTOCOL}, ErrorKind::config, false, "scheme"},
      {{.code = CURLE_UNSUPPORTED_PROTOCOL, .connected = true, .on_own_connection = true},
       ErrorKind::connection,
       false,
       "not HTTP"},
      {{.code = CURLE_OUT_OF_MEMORY, .sent = true}, ErrorKind::too_large, false, "head"},
      {{.code = CURLE_OUT_OF_MEMORY}, ErrorKind::connection, false, "memory"},
      {late, ErrorKind::timeout, true, "within 2000 ms"},
      {system_was_first, ErrorKind::connection, true, "timed out"},
      {{.code = CURLE_COULDNT_CONNECT, .socket_error = EMFILE}, ErrorKind::connection, true, "no socket: "},
      {tunnel(407), ErrorKind::config, false, "proxy_password"},
      {tunnel(403), ErrorKind::connection, false, "status 403"},
      {tunnel(503), ErrorKind::connection, true, "status 503"},
  };
  for (const auto& [ending, kind, retryable, words] : cases) {
    const auto error = error_of(ending);
    CAPTURE(words);
    REQUIRE(error);
    CHECK(error->kind == kind);
    CHECK(error->retryable == retryable);
    CHECK_THAT(error->detail, contains(words));
  }
}
