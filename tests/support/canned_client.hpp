/// \file
/// A client whose service gives one answer.
#pragma once

#include "inferwire/client.hpp"
#include "support/canned_transport.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace inferwire_test {

inline constexpr const char* key = "sk-secret-1234567890";

struct CannedService {
  std::shared_ptr<CannedTransport> transport;  ///< keeps the request that was sent
  inferwire::Client client;
};

/// A client whose service sends `chunks` one by one, as a body of media type `type`. The client does not
/// retry.
inline CannedService answering(std::string type, std::vector<std::string> chunks,
                               inferwire::Provider row = inferwire::Provider::openai(), int status = 200) {
  auto transport = std::make_shared<CannedTransport>(
      CannedAnswer{.head = {.status = status, .headers = {{"Content-Type", std::move(type)}}},
                   .chunks = std::move(chunks)});
  return {transport, inferwire::Client({.provider = std::move(row),
                                        .api_key = key,
                                        .retry = inferwire::RetryPolicy::none(),
                                        .transport = transport})};
}

}  // namespace inferwire_test
