/// \file
/// Calls through a curl transport.
#pragma once

#include "http/curl_transport.hpp"
#include "support/catch.hpp"
#include "support/http_call.hpp"

#include <string>

namespace inferwire_test {

/// What a request with a key gets from `url`.
inline RecordingSink ask(const inferwire::NetworkOptions& options, const std::string& url) {
  return call(*inferwire::http::make_curl_transport(options),
              {.url = url, .headers = {{"Authorization", "Bearer hunter2"}}, .body = "{}"});
}

}  // namespace inferwire_test
