/// \file
/// A server that answers every request, and a way to call it through a transport with given options.
#pragma once

#include "http/curl_transport.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"
#include "support/http_call.hpp"

#include <string>
#include <utility>

namespace inferwire_test {

struct AnsweringServer : inferwire::testing::MockServer {
  explicit AnsweringServer(inferwire::testing::MockServerOptions options = {})
      : MockServer(std::move(options)) {
    REQUIRE_FALSE(problem());
    keep_secrets();
    set_handler([](const inferwire::HttpRequest&) { return inferwire::testing::Reply::json("{}"); });
  }
};

inline RecordingSink ask(const inferwire::NetworkOptions& options, const std::string& url) {
  return call(*inferwire::http::make_curl_transport(options),
              {.url = url, .headers = {{"Authorization", "Bearer hunter2"}}, .body = "{}"});
}

}  // namespace inferwire_test
