/// \file
/// The answers of a chat service, for tests of how answers arrive.
#pragma once

#include "inferwire/client.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/chat_stream.hpp"
#include "support/mock_calls.hpp"

#include <string>

namespace inferwire_test {

/// A complete stream that says "one two three".
inline const std::string stream_body = chunk("one ") + chunk("two ") + chunk("three", R"("stop")") + done;

inline const std::string whole_body =
    R"({"id":"c1","choices":[{"index":0,"message":{"role":"assistant","content":"one two three"},)"
    R"("finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":3,"total_tokens":6}})";

inline bool wants_stream(const inferwire::HttpRequest& request) {
  return request.body.text().find(R"("stream":true)") != request.body.text().npos;
}

/// The good answer to a chat request, whole or streamed as requested.
inline inferwire::testing::Reply good_answer(const inferwire::HttpRequest& request) {
  if (!wants_stream(request)) return inferwire::testing::Reply::json(whole_body);
  return inferwire::testing::Reply::stream({chunk("one "), chunk("two "), chunk("three", R"("stop")"), done});
}

/// A client of `server` that accepts its first answer, without retries.
inline inferwire::Client strict_client_of(const inferwire::testing::MockServer& server) {
  return inferwire::Client(options_for(server));
}

}  // namespace inferwire_test
