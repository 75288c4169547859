/// \file
/// Clients of a MockServer, and answers that wait.
#pragma once

#include "inferwire/client.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/chat_stream.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace inferwire_test {

/// An answer that does not begin before `gate` opens.
inline inferwire::testing::Reply held_back(const inferwire::testing::Gate& gate,
                                           const std::string& text = "Late.") {
  auto reply = inferwire::testing::Reply::json(answer_of(text));
  reply.head_gate = gate;
  return reply;
}

/// A client of the server at /v1, whatever the test's environment contains.
inline inferwire::Client client_of(const inferwire::testing::MockServer& server,
                                   inferwire::ClientOptions options = {}) {
  options.base_url = server.url() + "/v1";
  if (!options.credential) options.credential = inferwire::Credential::none();
  options.environment = inferwire::Environment::none();
  return inferwire::Client(std::move(options));
}

/// Options for a client of `server` that does not retry.
inline inferwire::ClientOptions options_for(const inferwire::testing::MockServer& server) {
  return {.base_url = server.url() + "/v1", .api_key = "sk-secret", .retry = inferwire::RetryPolicy::none()};
}

/// How many answers the server has sent completely.
inline std::ptrdiff_t answered(const inferwire::testing::MockServer& server) {
  using Kind = inferwire::testing::JournalEntry::Kind;
  return std::ranges::count(server.journal(), Kind::answered, &inferwire::testing::JournalEntry::kind);
}

}  // namespace inferwire_test
