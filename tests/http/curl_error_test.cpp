#include "http/curl_error.hpp"

#include "base/system_words.hpp"
#include "support/catch.hpp"

#include <cerrno>
#include <string>
#include <utility>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire_test;
using inferwire::http::connection_refused;
using inferwire::http::CurlOutcome;
using inferwire::http::error_of;
using inferwire::http::HeadPart;

TEST_CASE("error_of: only a whole answer is no error") {
  CHECK_FALSE(error_of({.connected = true, .sent = true, .head = HeadPart::whole}));
  CHECK(error_of({.connected = true, .sent = true, .head = HeadPart::begun}));
  CHECK(error_of({.connected = true, .sent = true}));
}

TEST_CASE("error_of tells why a connection failed") {
  const auto unconnected = [](int error, int socket_error = 0) {
    return CurlOutcome{.code = CURLE_COULDNT_CONNECT, .os_error = error, .socket_error = socket_error};
  };
  const std::pair<CurlOutcome, ErrorCause> rows[] = {
      {{.code = CURLE_COULDNT_RESOLVE_HOST}, ErrorCause::unresolved},
      {{.code = CURLE_COULDNT_RESOLVE_PROXY}, ErrorCause::unresolved},
      {{.code = CURLE_PROXY, .proxy_error = CURLPX_RESOLVE_HOST}, ErrorCause::unresolved},
      {unconnected(connection_refused), ErrorCause::refused},
      {unconnected(ENOENT), ErrorCause::refused},  // no such Unix socket
      {unconnected(ENETUNREACH), ErrorCause::unreachable},
      {unconnected(EHOSTUNREACH), ErrorCause::unreachable},
      {unconnected(connection_refused, EMFILE), ErrorCause::none},
      {{.code = CURLE_OPERATION_TIMEDOUT}, ErrorCause::unreachable},  // by the system's own limit
      {{.code = CURLE_SEND_ERROR, .connected = true}, ErrorCause::broken},
      {{.code = CURLE_RECV_ERROR, .connected = true, .sent = true}, ErrorCause::broken},
      {{.code = CURLE_GOT_NOTHING, .connected = true, .sent = true}, ErrorCause::broken},
      {{.connected = true, .sent = true, .head = HeadPart::begun}, ErrorCause::broken},
      {{.code = CURLE_PARTIAL_FILE, .connected = true, .sent = true, .head = HeadPart::whole},
       ErrorCause::broken},
      {{.code = CURLE_HTTP2_STREAM, .connected = true, .sent = true}, ErrorCause::broken},
      {{.code = CURLE_PEER_FAILED_VERIFICATION}, ErrorCause::certificate},
      {{.code = CURLE_SSL_CONNECT_ERROR}, ErrorCause::none},
      {{.code = CURLE_WEIRD_SERVER_REPLY, .connected = true, .sent = true}, ErrorCause::none},
      {{.code = CURLE_RECV_ERROR, .text = "tlsv13 alert certificate required", .connected = true},
       ErrorCause::none},
      {{.code = CURLE_RECV_ERROR}, ErrorCause::none},  // a proxy, before there was a tunnel
      {{.code = CURLE_RECV_ERROR, .proxy_status = 503}, ErrorCause::none},
  };
  for (const auto& [outcome, cause] : rows) {
    const auto error = error_of(outcome);
    REQUIRE(error);
    CAPTURE(error->detail);
    CHECK(error->cause == cause);
  }
}

TEST_CASE("error_of maps libcurl's codes to kinds, retryable and words") {
  struct Case {
    CurlOutcome outcome;
    ErrorKind kind;
    bool retryable;
    std::string words;
  };
  const auto proxy = [](long error, bool has_user = false) {
    return CurlOutcome{.code = CURLE_PROXY, .proxy_error = error, .has_proxy_user = has_user};
  };
  const auto tunnel = [](long status, bool has_user = false) {
    return CurlOutcome{.code = CURLE_RECV_ERROR, .proxy_status = status, .has_proxy_user = has_user};
  };
  const auto second_tunnel = [tunnel](long status) {  // to repeat the request when a reused one broke
    auto outcome = tunnel(status);
    outcome.connected = true;
    return outcome;
  };
  const CurlOutcome late{.code = CURLE_OPERATION_TIMEDOUT, .taken = 2s, .connect_limit = 2000ms};
  auto system_was_first = late;
  system_was_first.taken = 1999ms;
  const CurlOutcome gone{.code = CURLE_SEND_ERROR,
                         .text = "getpeername() failed with errno 107: Transport endpoint is not connected",
                         .place = "models.test",
                         .os_error = ENOTCONN,
                         .is_secure = true,
                         .connected = false};
  const auto reset = "OpenSSL SSL_connect: " + system_words(ECONNRESET);
  const auto unreachable = "Send failure: " + system_words(EHOSTUNREACH);
  const Case cases[] = {
      {{.head = HeadPart::begun}, ErrorKind::connection, true, "inside the answer's head"},
      {{.code = CURLE_PARTIAL_FILE, .connected = true}, ErrorKind::connection, true, "without an answer"},
      {{.code = CURLE_PARTIAL_FILE, .connected = true, .head = HeadPart::whole},
       ErrorKind::connection,
       true,
       "cut off"},
      {{.connected = true, .on_own_connection = true}, ErrorKind::connection, false, "not HTTP"},
      {{.connected = true}, ErrorKind::connection, true, "not HTTP"},  // late bytes of another exchange
      {{.code = CURLE_UNSUPPORTED_PROTOCOL}, ErrorKind::config, false, "scheme"},
      {{.code = CURLE_UNSUPPORTED_PROTOCOL, .connected = true, .on_own_connection = true},
       ErrorKind::connection,
       false,
       "not HTTP"},
      {{.code = CURLE_BAD_FUNCTION_ARGUMENT}, ErrorKind::config, false, "one of the options"},
      {{.code = CURLE_BAD_FUNCTION_ARGUMENT, .connected = true, .on_own_connection = true},
       ErrorKind::connection,
       false,
       "not HTTP"},
      {{.code = CURLE_OUT_OF_MEMORY, .sent = true}, ErrorKind::too_large, false, "head"},
      {{.code = CURLE_OUT_OF_MEMORY}, ErrorKind::connection, false, "memory"},
      {late, ErrorKind::timeout, true, "within 2000 ms"},
      {system_was_first, ErrorKind::connection, true, "timed out"},
      {{.code = CURLE_COULDNT_CONNECT, .os_error = connection_refused, .socket_error = EMFILE},
       ErrorKind::connection,
       true,
       "no socket: "},
      {{.code = CURLE_SSL_CONNECT_ERROR, .text = reset}, ErrorKind::tls, true, "TLS handshake"},
      {{.code = CURLE_SSL_CONNECT_ERROR, .text = unreachable}, ErrorKind::tls, true, "TLS handshake"},
      {{.code = CURLE_SSL_CONNECT_ERROR, .text = gone.text}, ErrorKind::tls, true, "TLS handshake"},
      {{.code = CURLE_SSL_CONNECT_ERROR, .text = "Recv failure: Connection was reset"},
       ErrorKind::tls,
       true,
       "TLS handshake"},
      {{.code = CURLE_SSL_CONNECT_ERROR,
        .text = "schannel: failed to receive handshake, SSL/TLS connection failed"},
       ErrorKind::tls,
       true,
       "TLS handshake"},
      {{.code = CURLE_SSL_CONNECT_ERROR, .text = "wrong version number", .os_error = ECONNRESET},
       ErrorKind::tls,
       false,
       "does not speak TLS: wrong version number"},
      {{.code = CURLE_COULDNT_CONNECT, .place = "localhost", .unix_socket = "/run/models.sock"},
       ErrorKind::connection,
       true,
       "could not connect (/run/models.sock): "},
      {{.code = CURLE_COULDNT_CONNECT,
        .text = "Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect to server",
        .place = "127.0.0.1:9",
        .os_error = connection_refused},
       ErrorKind::connection,
       true,
       "could not connect (127.0.0.1:9): " + system_words(connection_refused)},
      {{.code = CURLE_COULDNT_CONNECT,
        .text = "Failed to connect to proxy.test port 8080 after 0 ms: Couldn't connect to server",
        .place = "models.test",
        .os_error = connection_refused},
       ErrorKind::connection,
       true,
       "(models.test): Failed to connect to proxy.test"},
      {tunnel(0), ErrorKind::connection, true, "the proxy did not get through"},
      {tunnel(100), ErrorKind::connection, true, "the proxy did not get through"},
      {tunnel(407), ErrorKind::config, false, "wants NetworkOptions::proxy_user"},
      {tunnel(407, true), ErrorKind::config, false,
       "does not take the name and the password that it was given"},
      {tunnel(401, true), ErrorKind::config, false,
       "does not take the name and the password that it was given"},
      {tunnel(403), ErrorKind::connection, false, "status 403"},
      {tunnel(500), ErrorKind::connection, true, "status 500"},
      {tunnel(501), ErrorKind::connection, false, "status 501"},
      {tunnel(503), ErrorKind::connection, true, "status 503"},
      {second_tunnel(407), ErrorKind::config, false, "wants NetworkOptions::proxy_user"},
      {second_tunnel(403), ErrorKind::connection, false, "status 403"},
      {proxy(CURLPX_USER_REJECTED, true), ErrorKind::config, false,
       "does not take the name and the password"},
      {proxy(CURLPX_NO_AUTH), ErrorKind::config, false, "wants NetworkOptions::proxy_user"},
      {proxy(CURLPX_REPLY_CONNECTION_REFUSED), ErrorKind::connection, true, "did not get through"},
      {proxy(CURLPX_RESOLVE_HOST), ErrorKind::connection, true, "could not resolve the host"},
      {proxy(CURLPX_CLOSED), ErrorKind::connection, true, "did not get through"},
      {proxy(CURLPX_REPLY_NOT_ALLOWED), ErrorKind::connection, false, "gave no way"},
      {gone, ErrorKind::connection, true, "(models.test): the server was gone"},
  };
  for (const auto& [outcome, kind, retryable, words] : cases) {
    const auto error = error_of(outcome);
    CAPTURE(words);
    REQUIRE(error);
    CHECK(error->kind == kind);
    CHECK(error->retryable == retryable);
    CHECK_THAT(error->detail, contains(words));
  }
}
