/// \file
/// The metadata of an answer.
#pragma once

#include "inferwire/duration.hpp"
#include "inferwire/export.hpp"
#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace inferwire::inline v0_1 {

/// One of a server's rate limits, from the headers of an answer; what they do not give is absent.
struct RateLimit {
  Optional<std::int64_t> limit{};      ///< how much may be used in a time window
  Optional<std::int64_t> remaining{};  ///< how much of it is left
  Optional<Duration> reset{};          ///< time until the limit is fully replenished

  INFERWIRE_API friend bool operator==(const RateLimit&, const RateLimit&);
};

/// The limits that a service reported with its answer.
struct RateLimits {
  RateLimit requests{};  ///< the limit on requests
  RateLimit tokens{};    ///< the limit on tokens

  INFERWIRE_API friend bool operator==(const RateLimits&, const RateLimits&);
};

/// The times of events in a call, measured from the start of the call; if there were several attempts, those
/// of the last one. Absent for what did not happen.
struct Timings {
  Optional<std::chrono::microseconds> connected{};   ///< the connection was established
  Optional<std::chrono::microseconds> sent{};        ///< the request had been sent
  Optional<std::chrono::microseconds> first_byte{};  ///< the first byte of the answer's body
  /// The first element of a stream, which may come before the first token (`response.created`, a chunk with
  /// the role alone).
  Optional<std::chrono::microseconds> first_event{};
  Optional<std::chrono::microseconds> end{};  ///< the answer was complete or broke off
};

/// The metadata of an answer: see CallOptions::info and Stream::info().
struct ResponseInfo {
  ResponseHead head{};              ///< status and headers
  std::string request_id{};         ///< the server's id of the request; empty if it gave none
  std::string request_id_header{};  ///< the header that gave it, for example "x-request-id"
  int attempts{};                   ///< how many attempts the call has started
  Timings timings{};
  bool not_streamed{};     ///< a stream was requested, but one whole object arrived
  std::uint64_t bytes{};   ///< the size of the body so far
  std::uint64_t events{};  ///< how many events have been decoded so far

  /// The rate limits in the headers: `x-ratelimit-{limit,remaining,reset}-{requests,tokens}` and
  /// `anthropic-ratelimit-{requests,tokens}-{limit,remaining,reset}`; `x-ratelimit-{limit,remaining,reset}`
  /// is read as that of requests. A reset is a number of seconds, a duration ("6m0s", "120ms") or a date (RFC
  /// 3339 or Unix time, counted from the answer's own `Date`).
  INFERWIRE_API RateLimits rate_limits() const;
};

/// The place where a call stores its ResponseInfo.
class InfoPlace {
 public:
  /// Nowhere.
  InfoPlace() = default;
  /// A variable, which has to outlive the call and, if it is asynchronous, its Pending.
  InfoPlace(ResponseInfo* info) : info_(std::shared_ptr<void>(), info) {}
  /// A shared ResponseInfo, which the call keeps alive.
  InfoPlace(std::shared_ptr<ResponseInfo> info) noexcept : info_(std::move(info)) {}

  /// The ResponseInfo; nullptr if there is none.
  ResponseInfo* get() const noexcept { return info_.get(); }
  explicit operator bool() const noexcept { return info_ != nullptr; }

 private:
  std::shared_ptr<ResponseInfo> info_;  ///< owns nothing if a variable was given
};

/// An answer, not decoded.
struct RawResponse {
  ResponseInfo info{};
  std::string body{};

  /// The body as JSON, for endpoints that answer with JSON. Errors are those of calls whose answers have a
  /// struct: the error that the server sent in place of an answer or in its first choice, decode (an HTML
  /// page, an empty body), truncated; and, unlike there, that a response of the Responses API has failed.
  INFERWIRE_API Result<Json> document() const;
};

}  // namespace inferwire::inline v0_1
