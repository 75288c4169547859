/// \file
/// The error of a call, in a form that a program can act on.
#pragma once

#include "inferwire/duration.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1 {

/// The kind of an error, to decide what to do about it. The set is closed: an HTTP status that is not listed
/// is mapped to the nearest kind.
enum class ErrorKind : std::uint8_t {
  config,             ///< incomplete or contradictory options, nothing was sent; a proxy requires a password
  auth,               ///< 401, an invalid or expired token, or none was found
  invalid_request,    ///< the request was refused (400 and similar), or could not be encoded
  permission_denied,  ///< 403
  not_found,          ///< 404, 410
  conflict,           ///< 409
  request_timeout,    ///< 408, and 499: the server gave up on the request
  too_large,          ///< 413 and similar, or a limit of this client was exceeded
  unprocessable,      ///< 422
  failed_dependency,  ///< 424: the model behind the server failed
  rate_limit,         ///< 429, and waiting helps
  quota,              ///< 402, or 429 where waiting does not help: no credit left
  server,             ///< any other 5xx
  overloaded,         ///< 503, 529: the server is overloaded, or its model is being started
  connection,         ///< the host could not be resolved or reached, or the connection broke
  tls,                ///< the certificate does not verify, or the handshake failed
  timeout,            ///< a timer of this client fired; `Error::timer` says which
  cancelled,          ///< the caller cancelled
  decode,           ///< the answer does not follow the protocol (`Error::path` says where), or is a redirect
  truncated,        ///< a stream or document ended too early, or the server aborted an answer
  stream_error,     ///< the server reported an error inside a stream that had begun
  response_failed,  ///< Responses API: the response ended with status failed
  context_length,   ///< the prompt and the answer do not fit the model's window
  content_filter,   ///< a filter of the provider stopped the request or the answer
  length,           ///< the token limit cut off a structured answer, or one that calls tools
  refusal,          ///< the model refused to give a structured answer; `Error::detail` has its words
  schema,           ///< a structured answer, or the arguments of a tool call, do not fit their schema
  tool,             ///< a tool call could not be understood or run, or a ToolLoop reached its limit or waits
  unsupported,      ///< this provider (501) or build does not support what was asked for
};

/// The name of a kind as in the enumeration, for example "rate_limit".
INFERWIRE_API std::string_view name(ErrorKind kind) noexcept;
/// Writes the name.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, ErrorKind kind) {
  return out << name(kind);
}

/// Why a connection failed. The host is that of `Error::url`, or a proxy before it.
enum class ErrorCause : std::uint8_t {
  none,         ///< something else failed, or the transport does not know
  unresolved,   ///< the host's name has no address: the name is wrong, or there is no network
  unreachable,  ///< the host cannot be reached: there is no network, or a firewall
  refused,      ///< the host refuses connections: nothing listens at this port
  broken,       ///< the connection was closed or reset too early: the request may have been processed
  certificate,  ///< the host's certificate does not verify
};

/// The name of a cause as in the enumeration; empty for `none`.
INFERWIRE_API std::string_view name(ErrorCause cause) noexcept;
/// Writes the name.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, ErrorCause cause) {
  return out << name(cause);
}

/// The outcome of one HTTP exchange of a call.
struct Attempt {
  ErrorKind kind{ErrorKind::config};  ///< how it failed, as in Error::kind
  int status{};                       ///< HTTP status; 0 if no answer began
  std::string failure{};              ///< what the status does not say: "timeout: connect", "connection: ..."
  std::string request_id{};           ///< the server's id of this exchange; empty if it gave none
  std::chrono::milliseconds elapsed{};  ///< from the start of this attempt to its end
  std::chrono::milliseconds waited{};   ///< the wait before this attempt

  INFERWIRE_API friend bool operator==(const Attempt&, const Attempt&);
};

/// What happened. Holds no secrets, and neither headers nor bodies of requests.
struct Error {
  ErrorKind kind{ErrorKind::config};
  ErrorCause cause{ErrorCause::none};  ///< why the connection failed, if it did
  std::string detail{};                ///< what happened: the server's message, or this library's
  int status{};                        ///< HTTP status; 0 if no answer began
  std::string code{};   ///< the provider's code, a number as text: "insufficient_quota", "BAD_REQUEST", "424"
  std::string type{};   ///< the provider's type, for example "invalid_request_error"
  std::string param{};  ///< the parameter at fault, as the provider names it
  std::string path{};   ///< where decoding or encoding failed, as in "choices[0].message.content"
  std::string timer{};  ///< the timer that fired: connect, first_byte, idle, idle_event, total, overall
  std::string provider{};  ///< the name of the provider's row, for example "databricks"
  /// The request's URL without its query; without its path, if it was a request for a token; empty if nothing
  /// was sent.
  std::string url{};
  std::string request_id{};         ///< the server's id of the request; empty if it gave none
  std::string request_id_header{};  ///< the header that contained it; empty if it was in the body
  Optional<std::chrono::milliseconds> retry_after{};  ///< the wait that the server asked for
  bool retryable{};  ///< whether the same call may succeed later, by the rules of RetryPolicy
  /// SageMaker: the status that the container returned; 0 elsewhere, and if the container timed out.
  int original_status{};
  /// SageMaker and external models: the code that the underlying model returned. Google: the reason in
  /// `details`.
  std::string original_code{};
  /// What was received, at most 64 KiB: the body of an error answer, or of one that cannot be read, or the
  /// event of a stream that is an error or cannot be read. Errors of `parsed_arguments`, `document_of` and
  /// `parse` have the whole text that the model wrote.
  std::string body{};
  std::vector<Attempt> attempts{};  ///< every attempt of the call, including the last

  /// One readable sentence with kind, provider, status, code, detail and request id, and with the URL for
  /// kinds where a wrong URL may be the cause: not_found, decode, unsupported. No secrets.
  INFERWIRE_API std::string message() const;

  INFERWIRE_API friend bool operator==(const Error&, const Error&);
};
/// Writes the message.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Error& error) {
  return out << error.message();
}

}  // namespace inferwire::inline v0_1
