/// \file
/// One call of a client: the answer of its service, and its error.
#pragma once

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "support/answered_client.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"

#include <string>

namespace inferwire_test {

inline const std::string whole_answer =
    R"({"id":"c1","object":"chat.completion","created":1,"model":"m1","choices":[{"index":0,"message":)"
    R"({"role":"assistant","content":"Hi there."},"finish_reason":"stop"}],)"
    R"("usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})";

/// The error of a call that must fail. Checks that the error does not hold the key.
inline inferwire::Error error_of(const inferwire::Client& client,
                                 const inferwire::chat::Request& request = hello,
                                 const inferwire::CallOptions& options = {}) {
  const auto reply = client.chat.create(request, options);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().message().find("sk-secret") == std::string::npos);
  CHECK(reply.error().body.find("sk-secret") == std::string::npos);
  // A stream of the same request has to fail with the same error.
  auto stream = client.chat.stream(request, options);
  const auto* element = stream.next();
  REQUIRE(element != nullptr);
  REQUIRE_FALSE(*element);
  CHECK(inferwire::name(element->error().kind) == inferwire::name(reply.error().kind));
  CHECK(element->error().provider == reply.error().provider);
  CHECK(stream.next() == nullptr);
  return reply.error();
}

}  // namespace inferwire_test
