/// \file
/// What went wrong, as facts.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/duration.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1 {

/// What a program can act on. A closed set: a status that is not listed lands in the nearest family.
enum class ErrorKind : std::uint8_t {
  config,             ///< incomplete or contradictory options, nothing was sent; a proxy wants a password
  auth,               ///< 401, an invalid or expired token, or none was found
  invalid_request,    ///< the request was refused (400 and its kin), or could not be encoded
  permission_denied,  ///< 403
  not_found,          ///< 404
  conflict,           ///< 409
  request_timeout,    ///< 408, and 499: the server gave up on the request
  too_large,          ///< 413 and its kin, or more than a limit of this client allows
  unprocessable,      ///< 422
  failed_dependency,  ///< 424: the model behind the server failed
  rate_limit,         ///< 429 that waiting can cure
  quota,              ///< 402, or 429 that waiting does not cure: no credit left
  server,             ///< any other 5xx
  overloaded,         ///< 503, 529: the server asks for patience
  connection,         ///< the host could not be resolved or reached, or the connection broke
  tls,                ///< the certificate does not verify, or the handshake failed
  timeout,            ///< a timer of this client fired; `Error::timer` says which
  cancelled,          ///< the caller cancelled
  decode,             ///< the answer does not follow the protocol (`Error::path` says where), or redirects
  truncated,          ///< a stream or a document ended before its end, or the server broke an answer off
  stream_error,       ///< the server reported an error inside a stream that had begun
  response_failed,    ///< Responses API: the response ended with status failed
  context_length,     ///< the prompt and the answer do not fit the model's window
  content_filter,     ///< a filter of the provider stopped the request or the answer
  length,             ///< a structured answer was cut by the token limit
  schema,             ///< a structured answer does not fit its schema
  tool,               ///< a tool call could not be understood or run
  unsupported,        ///< this provider (501) or build cannot carry what was asked for
};

/// The name of a kind as written in the enumeration, for example "rate_limit".
INFERWIRE_API std::string_view name(ErrorKind kind) noexcept;
/// Writes the name.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, ErrorKind kind) {
  return out << name(kind);
}

/// The outcome of one HTTP exchange of a call.
struct Attempt {
  int status{};              ///< HTTP status; 0 when no answer began
  std::string failure{};     ///< what the status does not say: "timeout: connect", "connection: ..."
  std::string request_id{};  ///< the server's id of this exchange; empty when it gave none
  std::chrono::milliseconds elapsed{};  ///< from the start of this attempt to its end
  std::chrono::milliseconds waited{};   ///< the wait before this attempt

  INFERWIRE_API friend bool operator==(const Attempt&, const Attempt&);
};

/// What happened, as facts. Holds no secret, and neither headers nor bodies of requests.
struct Error {
  ErrorKind kind{ErrorKind::config};
  std::string detail{};  ///< the cause in words: the server's message, or this library's
  int status{};          ///< HTTP status; 0 when no answer began
  std::string code{};    ///< the provider's code, numbers printed: "insufficient_quota", "BAD_REQUEST", "424"
  std::string type{};    ///< the provider's type, for example "invalid_request_error"
  std::string param{};   ///< the parameter at fault, as the provider names it
  std::string path{};    ///< where decoding or encoding failed, as in "choices[0].message.content"
  std::string timer{};   ///< the timer that fired: connect, first_byte, idle, idle_event, total, overall
  std::string provider{};           ///< the name of the provider's row, for example "databricks"
  std::string url{};                ///< what was asked, without its query; empty where nothing was
  std::string request_id{};         ///< the server's id of the request; empty when it gave none
  std::string request_id_header{};  ///< the header that gave it; empty when the body did
  Optional<std::chrono::milliseconds> retry_after{};  ///< the wait that the server asked for
  bool retryable{};  ///< whether the same call may succeed later, by the rules of RetryPolicy
  /// SageMaker: the status of the container behind it; 0 elsewhere, and when the container timed out.
  int original_status{};
  /// SageMaker and external models: the code given by the model behind. Google: the reason in `details`.
  std::string original_code{};
  std::string body{};               ///< the body of an error answer, at most 64 KiB of it
  std::vector<Attempt> attempts{};  ///< every exchange of the call, the last one included

  /// One readable sentence with kind, provider, status, code, cause and request id, and with the URL where it
  /// may be the mistake: not_found, decode, unsupported. No secrets.
  INFERWIRE_API std::string message() const;

  INFERWIRE_API friend bool operator==(const Error&, const Error&);
};
/// Writes the message.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Error& error) {
  return out << error.message();
}

}  // namespace inferwire::inline v0_1
