#include "http/curl_error.hpp"

#include "base/system_words.hpp"
#include "base/timers.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::http {

namespace {

struct Cause {
  ErrorKind kind;
  std::string_view words;
  bool retryable{};  ///< whether the same request may succeed when repeated
  ErrorCause cause{ErrorCause::none};
};

constexpr Cause unresolved{ErrorKind::connection, "could not resolve the host", true, ErrorCause::unresolved};
constexpr Cause proxy_failed{ErrorKind::connection, "the proxy did not get through to the service", true};
constexpr Cause unusable_option{ErrorKind::config, "libcurl cannot use what one of the options holds"};

/// Whether a TLS handshake ended because the connection broke, not because the two sides disagree.
bool is_interrupted(std::string_view text) {
  constexpr std::string_view signs[] = {"SSL_ERROR_SYSCALL", "SSL_ERROR_ZERO_RETURN", "unexpected eof",
                                        "reset by peer", "Broken pipe", "Send failure", "Recv failure",
                                        "getpeername",  // it was gone as soon as it was made
                                        // On Windows, in libcurl's words.
                                        "Connection was reset", "Connection was aborted",
                                        "schannel: failed to receive handshake"};
  if (std::ranges::any_of(signs, [text](std::string_view sign) { return text.find(sign) != text.npos; })) {
    return true;
  }
  // The system's words depend on the program's locale.
  constexpr int errors[] = {ECONNRESET, EPIPE};
  return std::ranges::any_of(errors,
                             [text](int error) { return text.find(system_words(error)) != text.npos; });
}

/// Whether OpenSSL found something else than TLS, such as an answer of plain HTTP.
bool is_no_tls(std::string_view text) noexcept { return text.find("wrong version number") != text.npos; }

/// The cause of a SOCKS proxy's refusal or failure.
Cause cause_of_proxy(long proxy_error, bool has_user) {
  switch (proxy_error) {
    case CURLPX_NO_AUTH:
    case CURLPX_USER_REJECTED:
      return {ErrorKind::config, has_user
                                     ? "the proxy does not take the name and the password that it was given"
                                     : "the proxy wants NetworkOptions::proxy_user and proxy_password"};
    case CURLPX_RESOLVE_HOST: return unresolved;  // by libcurl itself, for socks4 and socks5
    case CURLPX_CLOSED:
    case CURLPX_RECV_ADDRESS:
    case CURLPX_RECV_AUTH:
    case CURLPX_RECV_CONNECT:
    case CURLPX_RECV_REQACK:
    case CURLPX_SEND_AUTH:
    case CURLPX_SEND_CONNECT:
    case CURLPX_SEND_REQUEST:
    case CURLPX_REPLY_CONNECTION_REFUSED:
    case CURLPX_REPLY_GENERAL_SERVER_FAILURE:
    case CURLPX_REPLY_HOST_UNREACHABLE:
    case CURLPX_REPLY_NETWORK_UNREACHABLE:
    case CURLPX_REPLY_TTL_EXPIRED:
    case CURLPX_REQUEST_FAILED:  // the only refusal that SOCKS 4 knows
      return proxy_failed;
    default: return {ErrorKind::connection, "the proxy gave no way to the service"};
  }
}

/// Why a socket could not be connected; it may be a Unix socket that is not there.
ErrorCause cause_of_no_connection(const CurlOutcome& outcome) noexcept {
  if (outcome.socket_error != 0) return ErrorCause::none;  // there was no socket
  const bool nobody_listens = outcome.os_error == connection_refused || outcome.os_error == ENOENT;
  return nobody_listens ? ErrorCause::refused : ErrorCause::unreachable;
}

/// Handles every code that a plain HTTP exchange can end with; others are broken connections.
Cause cause_of(const CurlOutcome& outcome) {
  switch (outcome.code) {
    case CURLE_UNSUPPORTED_PROTOCOL:
      return {ErrorKind::config, "this libcurl does not speak the URL's scheme"};
    case CURLE_URL_MALFORMAT: return {ErrorKind::config, "the URL cannot be read"};
    case CURLE_SSL_CACERT_BADFILE:
      if (const auto file = outcome.default_ca_file;
          !file.empty() && outcome.text.find(file) != outcome.text.npos)
        return {ErrorKind::config,
                "the file of trusted certificates that SSL_CERT_FILE names cannot be used"};
      return {ErrorKind::config, "the file of trusted certificates cannot be used"};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {ErrorKind::connection, "could not resolve the proxy", true, ErrorCause::unresolved};
    case CURLE_COULDNT_RESOLVE_HOST: return unresolved;
    case CURLE_COULDNT_CONNECT:
      return {ErrorKind::connection, "could not connect", true, cause_of_no_connection(outcome)};
    case CURLE_OPERATION_TIMEDOUT:
      return {ErrorKind::connection, "the connection timed out", true, ErrorCause::unreachable};
    case CURLE_SEND_ERROR:
      return {ErrorKind::connection, "the connection broke while the request was sent", true,
              ErrorCause::broken};
    case CURLE_SEND_FAIL_REWIND:
      return {ErrorKind::connection, "the request could not be sent a second time", true, ErrorCause::broken};
    case CURLE_RECV_ERROR:
      // Before it is connected, libcurl receives only a proxy's answer to CONNECT.
      if (!outcome.connected) return proxy_failed;
      return {ErrorKind::connection, "the connection broke", true, ErrorCause::broken};
    case CURLE_GOT_NOTHING:
      return {ErrorKind::connection, "the server closed the connection without an answer", true,
              ErrorCause::broken};
    case CURLE_PARTIAL_FILE:
      return {ErrorKind::connection, "the answer's body was cut off", true, ErrorCause::broken};
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return {ErrorKind::connection, "the server ended the exchange", true, ErrorCause::broken};
    // On a reused connection, these may be late bytes of another exchange.
    case CURLE_WEIRD_SERVER_REPLY:
      return {ErrorKind::connection, "the answer is not HTTP",
              outcome.connected && !outcome.on_own_connection};
    case CURLE_PEER_FAILED_VERIFICATION:
      return {ErrorKind::tls, "the server's certificate does not verify", false, ErrorCause::certificate};
    case CURLE_SSL_CONNECT_ERROR:
      if (is_no_tls(outcome.text))
        return {ErrorKind::tls, "the server, or the proxy if its URL begins with https, does not speak TLS"};
      return {ErrorKind::tls, "the TLS handshake failed", is_interrupted(outcome.text)};
    case CURLE_SSL_CERTPROBLEM:
      return {ErrorKind::config, "the client's certificate or its key cannot be used"};
    // libcurl 8.23 returns this for a key that the password does not decrypt, among others.
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_SETOPT_OPTION_SYNTAX: return unusable_option;
    case CURLE_INTERFACE_FAILED: return {ErrorKind::config, "the network interface cannot be used"};
    case CURLE_PROXY: return cause_of_proxy(outcome.proxy_error, outcome.has_proxy_user);
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_USE_SSL_FAILED: return {ErrorKind::tls, "TLS could not be set up"};
    case CURLE_OUT_OF_MEMORY: return {ErrorKind::connection, "memory ran out, or a header line was too long"};
    default: return {ErrorKind::connection, "the exchange failed"};
  }
}

/// Whether the server ended TLS because of the client's certificate or the lack of one: in TLS 1.3 it reports
/// this only after the handshake, where libcurl sees a broken connection.
bool is_refused_certificate(std::string_view text) noexcept {
  constexpr std::string_view words[] = {"certificate", "unknown ca", "access denied"};
  const auto alert = text.find(" alert ");
  return alert != text.npos && std::ranges::any_of(words, [rest = text.substr(alert)](std::string_view word) {
           return rest.find(word) != rest.npos;
         });
}

/// Whether libcurl cannot use the given proxy or Unix socket; it has no code for these errors.
bool is_unusable_option(std::string_view text) noexcept {
  return text.find("Unsupported proxy") != text.npos || text.find("Unix socket path") != text.npos;
}

/// The text up to the part that it quotes, which may be a proxy's URL with its password.
std::string_view without_quoted(std::string_view text) noexcept {
  text = text.substr(0, text.find('\''));
  return text.substr(0, text.find_last_not_of(": ") + 1);
}

/// Whether libcurl only says that it could not connect to this place; with a proxy it names the proxy.
bool says_nothing_new(const CurlOutcome& outcome) {
  const auto host = outcome.place.substr(0, outcome.place.rfind(':'));
  return outcome.code == CURLE_COULDNT_CONNECT && outcome.os_error != 0 &&
         outcome.text.starts_with("Failed to connect to " + std::string(host) + " port ");
}

/// The place that the connection is made to.
std::string_view place_of(const CurlOutcome& outcome) noexcept {
  return outcome.unix_socket.empty() ? outcome.place : outcome.unix_socket;
}

Error refused_tunnel(const CurlOutcome& outcome) {
  auto detail = "the proxy gave no way to " + std::string(outcome.place) + ": it answered with status " +
                std::to_string(outcome.proxy_status);
  constexpr long wants_password = 407;
  constexpr long wrong_password = 401;  // tinyproxy
  if (outcome.proxy_status == wants_password || outcome.proxy_status == wrong_password) {
    detail += outcome.has_proxy_user ? "; it does not take the name and the password that it was given "
                                       "(only Basic authentication is supported)"
                                     : "; it wants NetworkOptions::proxy_user and proxy_password";
    return Error{.kind = ErrorKind::config, .detail = std::move(detail)};
  }
  constexpr long passing[] = {408, 429, 500, 502, 503, 504};  // 500: tinyproxy, if the service refuses it
  return Error{.kind = ErrorKind::connection,
               .detail = std::move(detail),
               .retryable = std::ranges::find(passing, outcome.proxy_status) != std::end(passing)};
}

/// libcurl's code for a line beyond its limit (100 KiB).
bool is_too_large(CURLcode code) noexcept {
#if CURL_AT_LEAST_VERSION(8, 6, 0)
  if (code == CURLE_TOO_LARGE) return true;
#endif
  return code == CURLE_OUT_OF_MEMORY;
}

/// Whether libcurl's connection limit, which is later than the caller's, ended the exchange. The system's own
/// timeout, which libcurl reports with the same code, ends it earlier.
bool is_late(const CurlOutcome& outcome) noexcept {
  // The longest limit does not fit into microseconds.
  return outcome.code == CURLE_OPERATION_TIMEDOUT && outcome.connect_limit &&
         std::chrono::floor<Duration>(outcome.taken) >= *outcome.connect_limit;
}

/// Whether libcurl found the connection closed when it first used it. In TLS 1.3 the client finishes the
/// handshake before the server has checked its certificate, or noticed that there is none.
bool is_gone_behind_handshake(const CurlOutcome& outcome) noexcept {
  return outcome.code == CURLE_SEND_ERROR && outcome.is_secure && outcome.head == HeadPart::none &&
         outcome.text.starts_with("getpeername");
}

/// Corrects an outcome for which libcurl reports too little, or something else.
CurlOutcome put_right(CurlOutcome outcome) noexcept {
  // libcurl accepts a head that breaks off as an answer.
  if (outcome.code == CURLE_OK && outcome.head == HeadPart::begun) {
    outcome.code = CURLE_GOT_NOTHING;
    outcome.text = "it was closed inside the answer's head";
  }
  // libcurl 7.88 returns this for all streams of an HTTP/2 connection that breaks.
  if (outcome.code == CURLE_PARTIAL_FILE && outcome.head != HeadPart::whole) outcome.code = CURLE_GOT_NOTHING;
  // After connecting, the unsupported protocol is the one that the server speaks, and the bad argument a line
  // of its answer's head or trailers.
  const bool blames_us =
      outcome.code == CURLE_UNSUPPORTED_PROTOCOL || outcome.code == CURLE_BAD_FUNCTION_ARGUMENT;
  if (outcome.code == CURLE_OK || (blames_us && outcome.connected)) outcome.code = CURLE_WEIRD_SERVER_REPLY;
  if (outcome.code != CURLE_COULDNT_CONNECT) {
    outcome.os_error = 0;  // it may be that of an earlier exchange, and otherwise the text says it, too
  } else {
    // libcurl only says that it could not connect.
    if (outcome.socket_error != 0) {
      outcome.text = "no socket";
      outcome.os_error = outcome.socket_error;
    } else if (!outcome.unix_socket.empty()) {
      outcome.text = "the Unix socket takes no connection";  // libcurl names the URL's host and port
    }
  }
  if (is_gone_behind_handshake(outcome)) {
    outcome.text =
        "the server was gone as soon as the TLS handshake was over; perhaps it wants a client certificate";
  }
  return outcome;
}

Error explained(const CurlOutcome& outcome) {
  auto text = outcome.text;
  auto cause = cause_of(outcome);
  if (cause.kind == ErrorKind::connection && is_refused_certificate(text)) {
    cause = {ErrorKind::tls, "the server does not take the client's certificate, or the lack of one"};
  }
  if (is_unusable_option(text)) {
    cause = unusable_option;
    text = without_quoted(text);
  }
  Error error{.kind = cause.kind,
              .cause = cause.cause,
              .detail = std::string(cause.words),
              .retryable = cause.retryable};
  if (const auto place = place_of(outcome); !place.empty())
    (error.detail += " (") += std::string(place) + ")";
  if (text.empty()) text = curl_easy_strerror(outcome.code);
  if (!says_nothing_new(outcome)) (error.detail += ": ") += text;
  if (outcome.os_error != 0) {
    const auto system = system_words(outcome.os_error);
    // libcurl's text often contains it already.
    if (error.detail.find(system) == std::string::npos) (error.detail += ": ") += system;
  }
  return error;
}

}  // namespace

std::optional<Error> error_of(const CurlOutcome& outcome) {
  if (outcome.code == CURLE_OK && outcome.head == HeadPart::whole) return std::nullopt;
  if (is_refused_tunnel(outcome.proxy_status)) return refused_tunnel(outcome);
  if (outcome.sent && outcome.head != HeadPart::whole && is_too_large(outcome.code)) {
    return Error{.kind = ErrorKind::too_large,
                 .detail = "a line of the answer's head is longer than libcurl takes, or memory ran out"};
  }
  if (is_late(outcome)) {
    return Error{.kind = ErrorKind::timeout,
                 .detail = "could not connect to " + std::string(place_of(outcome)) + " within " +
                           std::to_string(outcome.connect_limit->count()) +
                           " ms: " + std::string(outcome.text),
                 .timer = timers::connect,
                 .retryable = true};
  }
  return explained(put_right(outcome));
}

}  // namespace inferwire::inline v0_1::http
