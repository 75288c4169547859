#include "http/curl_error.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

namespace inferwire::inline v0_1::http {

namespace {

struct Cause {
  ErrorKind kind;
  std::string_view words;
  bool retryable{};  ///< whether the same request may fare better
};

/// Every code that a plain HTTP exchange can end with; others are broken connections.
Cause cause_of(CURLcode code) {
  switch (code) {
    case CURLE_UNSUPPORTED_PROTOCOL:
      return {ErrorKind::config, "this libcurl does not speak the URL's scheme"};
    case CURLE_URL_MALFORMAT: return {ErrorKind::config, "the URL cannot be read"};
    case CURLE_SSL_CACERT_BADFILE:
      return {ErrorKind::config, "the file of trusted certificates cannot be used"};
    case CURLE_COULDNT_RESOLVE_PROXY: return {ErrorKind::connection, "could not resolve the proxy", true};
    case CURLE_COULDNT_RESOLVE_HOST: return {ErrorKind::connection, "could not resolve the host", true};
    case CURLE_COULDNT_CONNECT: return {ErrorKind::connection, "could not connect", true};
    case CURLE_OPERATION_TIMEDOUT: return {ErrorKind::connection, "the connection timed out", true};
    case CURLE_SEND_ERROR:
      return {ErrorKind::connection, "the connection broke while the request was sent", true};
    case CURLE_SEND_FAIL_REWIND:
      return {ErrorKind::connection, "the request could not be sent a second time", true};
    case CURLE_RECV_ERROR: return {ErrorKind::connection, "the connection broke", true};
    case CURLE_GOT_NOTHING:
      return {ErrorKind::connection, "the server closed the connection without an answer", true};
    case CURLE_PARTIAL_FILE: return {ErrorKind::connection, "the answer's body was cut off", true};
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return {ErrorKind::connection, "the server ended the exchange", true};
    case CURLE_WEIRD_SERVER_REPLY: return {ErrorKind::connection, "the answer is not HTTP"};
    case CURLE_PEER_FAILED_VERIFICATION: return {ErrorKind::tls, "the server's certificate does not verify"};
    case CURLE_SSL_CONNECT_ERROR: return {ErrorKind::tls, "the TLS handshake failed"};
    case CURLE_SSL_CERTPROBLEM:
      return {ErrorKind::config, "the client's certificate or its key cannot be used"};
    // libcurl 8.23 gives this for a key that the password does not open, among others.
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_SETOPT_OPTION_SYNTAX:
      return {ErrorKind::config, "libcurl cannot use what one of the options holds"};
    case CURLE_INTERFACE_FAILED: return {ErrorKind::config, "the network interface cannot be used"};
    case CURLE_PROXY: return {ErrorKind::connection, "the proxy gave no way to the service"};
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

/// Whether a TLS handshake ended because the connection did, and not because the two sides disagree.
bool is_interrupted(std::string_view text, int os_error) noexcept {
  if (os_error == ECONNRESET || os_error == EPIPE) return true;
  constexpr std::string_view signs[] = {"SSL_ERROR_SYSCALL", "SSL_ERROR_ZERO_RETURN", "unexpected eof",
                                        "reset by peer"};
  return std::ranges::any_of(signs, [text](std::string_view sign) { return text.find(sign) != text.npos; });
}

/// Whether the server ended TLS for what the client shows of itself: in TLS 1.3 it says so only behind the
/// handshake, where libcurl has a broken connection.
bool is_refused_certificate(std::string_view text) noexcept {
  constexpr std::string_view words[] = {"certificate", "unknown ca", "access denied"};
  const auto alert = text.find(" alert ");
  return alert != text.npos && std::ranges::any_of(words, [rest = text.substr(alert)](std::string_view word) {
           return rest.find(word) != rest.npos;
         });
}

/// Whether the proxy wants a password: it will again.
bool is_for_password(std::string_view text) noexcept {
  return text.find("407") != text.npos && text.find("CONNECT") != text.npos;
}

/// Whether libcurl can do nothing with the proxy or the socket that it was given, for which it has no code.
bool is_unusable_option(std::string_view text) noexcept {
  return text.find("Unsupported proxy") != text.npos || text.find("Unix socket path") != text.npos;
}

/// The text up to what it quotes: that may be a proxy's URL with its password.
std::string_view without_quoted(std::string_view text) noexcept {
  text = text.substr(0, text.find('\''));
  return text.substr(0, text.find_last_not_of(": ") + 1);
}

}  // namespace

Error error_from_curl(CURLcode code, std::string_view text, int os_error, std::string_view place) {
  auto cause = cause_of(code);
  if (cause.kind == ErrorKind::connection && is_refused_certificate(text)) {
    cause = {ErrorKind::tls, "the server does not take the client's certificate, or the lack of one"};
  }
  if (is_unusable_option(text)) {
    cause = cause_of(CURLE_SETOPT_OPTION_SYNTAX);
    text = without_quoted(text);
  }
  Error error{.kind = cause.kind, .detail = std::string(cause.words), .retryable = cause.retryable};
  if (code == CURLE_SSL_CONNECT_ERROR) error.retryable = is_interrupted(text, os_error);
  if (is_for_password(text)) error.retryable = false;
  if (!place.empty()) (error.detail += " (") += std::string(place) + ")";
  if (text.empty()) text = curl_easy_strerror(code);
  (error.detail += ": ") += text;
  if (os_error != 0) {
    const auto system = std::generic_category().message(os_error);
    // libcurl's text often has it already.
    if (error.detail.find(system) == std::string::npos) (error.detail += ": ") += system;
  }
  return error;
}

}  // namespace inferwire::inline v0_1::http
