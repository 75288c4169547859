/// \file
/// Calls through a curl transport.
#pragma once

#include "http/curl_transport.hpp"
#include "support/catch.hpp"
#include "support/http_call.hpp"

#include <memory>
#include <string>

namespace inferwire_test {

/// A curl transport, or its multiplexer if there are to be `many` calls at once: each is driven like the
/// other.
inline std::shared_ptr<inferwire::Transport> curl_door(bool many,
                                                       const inferwire::NetworkOptions& options = {}) {
  const auto transport = inferwire::http::make_curl_transport(options);
  if (!many) return transport;
  return std::shared_ptr<inferwire::Transport>(transport->multiplexer().release(),
                                               [transport](inferwire::Transport* door) { delete door; });
}

/// What a request with a key gets from `url`.
inline RecordingSink ask(const inferwire::NetworkOptions& options, const std::string& url) {
  return call(*inferwire::http::make_curl_transport(options),
              {.url = url, .headers = {{"Authorization", "Bearer hunter2"}}, .body = "{}"});
}

}  // namespace inferwire_test
