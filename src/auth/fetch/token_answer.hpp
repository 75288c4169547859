/// \file
/// The answers of token services.
#pragma once

#include "inferwire/credential.hpp"
#include "inferwire/json.hpp"
#include "inferwire/result.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::auth {

/// The latest time of expiry that is read, in seconds since 1970 (the year 2191), and the longest life of a
/// token. A clock in nanoseconds ends in 2262.
inline constexpr std::int64_t latest_second = 7'000'000'000;

/// Reads a token from JSON: `access_token`, and its expiry from `expires_in` (seconds), `expires_on` (a date
/// in seconds) or `expiry` (RFC 3339), whichever is present; numbers may be text. `service` names the server
/// in errors. Errors: auth.
Result<AccessToken> read_token(std::string_view service, const ResponseHead& head, std::string_view body,
                               Instant now);

/// The error for an answer without a token: its status, `error` and `error_description` (or `errorCode` and
/// `errorSummary`, or `error_code` and `message`). The rest of the body, which may contain anything, is not
/// repeated.
Error refusal(std::string_view service, const ResponseHead& head, std::string_view body);

/// A server's text as errors quote it: cut if it is long.
std::string excerpt(std::string_view text);

/// Error{auth}: the answer of `service` is not as expected.
Error not_a_token(std::string_view service, std::string_view what);

}  // namespace inferwire::inline v0_1::auth
