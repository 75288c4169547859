/// \file
/// A client whose service gives every request the same answer.
#pragma once

#include "inferwire/client.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/catch.hpp"

#include <memory>
#include <utility>

namespace inferwire_test {

inline constexpr const char* key = "sk-secret-1234567890";

/// The client does not retry. Its other options are unchanged.
struct AnsweredClient {
  explicit AnsweredClient(inferwire::testing::Reply reply,
                          inferwire::ClientOptions options = {.api_key = key})
      : client(with_script(std::move(options))) {
    script->keep_secrets();
    script->set_handler([reply = std::move(reply)](const inferwire::HttpRequest&) { return reply; });
  }

  /// The last request.
  inferwire::HttpRequest sent() const {
    const auto requests = script->requests();
    REQUIRE_FALSE(requests.empty());
    return requests.back();
  }

  std::shared_ptr<inferwire::testing::ScriptTransport> script =
      std::make_shared<inferwire::testing::ScriptTransport>();
  inferwire::Client client;

 private:
  inferwire::Client with_script(inferwire::ClientOptions options) const {
    options.retry = inferwire::RetryPolicy::none();
    options.transport = script;
    return inferwire::Client(std::move(options));
  }
};

inline inferwire::Client answering(inferwire::testing::Reply reply,
                                   inferwire::ClientOptions options = {.api_key = key}) {
  return AnsweredClient(std::move(reply), std::move(options)).client;
}

}  // namespace inferwire_test
