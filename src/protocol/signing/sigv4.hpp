/// \file
/// Signature Version 4 of AWS: a pure function of request, keys and time.
/// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
#pragma once

#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

struct SigV4Keys {
  std::string_view access_key_id{};
  std::string_view secret_access_key{};
};

/// What a signature is valid for, besides the day.
struct SigV4Scope {
  std::string_view region{};   ///< "eu-west-1"
  std::string_view service{};  ///< "sagemaker"
};

/// A signature and its inputs. None of them is secret.
struct SigV4Signature {
  std::string canonical_request{};
  std::string string_to_sign{};
  std::string signed_headers{};  ///< "content-type;host;x-amz-date"
  std::string scope{};           ///< "20150830/us-east-1/service/aws4_request"
  std::string signature{};       ///< in hex
  std::string authorization{};   ///< the value of the header Authorization
};

/// Formats `time` for X-Amz-Date: "20150830T123600Z".
std::string amz_date(std::chrono::system_clock::time_point time);

/// Why this build cannot sign any request: Error{unsupported}; nothing if it can.
std::optional<Error> problem_with_signing();

/// Signs `request` with all of its headers, which must include Host and X-Amz-Date (`amz_date` of the same
/// time). The path is escaped once more than in the URL, as all services except S3 require.
/// Error{unsupported} in builds that cannot sign.
Result<SigV4Signature> sign_v4(const HttpRequest& request, const SigV4Keys& keys, const SigV4Scope& scope,
                               std::chrono::system_clock::time_point time);

}  // namespace inferwire::inline v0_1::protocol
