/// \file
/// A client whose requests are kept instead of answered.
#pragma once

#include "inferwire/client.hpp"
#include "support/canned_transport.hpp"
#include "support/catch.hpp"

#include <memory>
#include <utility>

namespace inferwire_test {

/// A client that gets status 500 for every request, and does not retry.
struct Captured {
  explicit Captured(inferwire::ClientOptions options = {}) : client(with_transport(std::move(options))) {}

  /// The last request.
  const inferwire::HttpRequest& sent() const {
    REQUIRE(transport->sent());
    return *transport->sent();
  }

  std::shared_ptr<CannedTransport> transport =
      std::make_shared<CannedTransport>(CannedAnswer{.head = {.status = 500}});
  inferwire::Client client;

 private:
  inferwire::ClientOptions with_transport(inferwire::ClientOptions options) const {
    options.retry = inferwire::RetryPolicy::none();
    options.transport = transport;
    return options;
  }
};

}  // namespace inferwire_test
