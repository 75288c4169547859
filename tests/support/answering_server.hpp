/// \file
/// A server that gives every request the same answer.
#pragma once

#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"

#include <utility>

namespace inferwire_test {

/// Keeps the secrets of its requests, for a test to look at.
struct AnsweringServer : inferwire::testing::MockServer {
  explicit AnsweringServer(inferwire::testing::Reply reply = inferwire::testing::Reply::json("{}"),
                           inferwire::testing::MockServerOptions options = {})
      : MockServer(std::move(options)) {
    REQUIRE_FALSE(problem());
    keep_secrets();
    set_handler([reply = std::move(reply)](const inferwire::HttpRequest&) { return reply; });
  }
};

}  // namespace inferwire_test
