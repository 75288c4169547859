/// \file
/// A question to a chat model, and its answer: whole, or the events of a stream.
#pragma once

#include "inferwire/chat.hpp"
#include "inferwire/testing/reply.hpp"

#include <string>
#include <utility>
#include <vector>

namespace inferwire_test {

inline const inferwire::chat::Request hello{.model = "m", .messages = {inferwire::chat::user("Hello")}};

/// A chat completion with the content `text`.
inline std::string answer_of(const std::string& text) {
  return R"({"id":"a","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":")" +
         text + R"("},"finish_reason":"stop"}]})";
}

/// An event with a chunk of text. `finish` is JSON.
inline std::string chunk(const std::string& text, const std::string& finish = "null") {
  return R"(data: {"id":"c","choices":[{"index":0,"delta":{"content":")" + text + R"("},"finish_reason":)" +
         finish + "}]}\n\n";
}

/// The event with the finish reason "stop".
inline const std::string stop = chunk("", "\"stop\"");
inline const std::string done = "data: [DONE]\n\n";

/// A complete stream with these words, each in a separate piece.
inline inferwire::testing::Reply whole_stream(const std::vector<std::string>& words) {
  std::vector<std::string> pieces;
  for (const auto& word : words) pieces.push_back(chunk(word));
  pieces.insert(pieces.end(), {stop, done});
  return inferwire::testing::Reply::stream(std::move(pieces));
}

/// A stream of these pieces without its end.
inline inferwire::testing::Reply unfinished_stream(
    std::vector<std::string> pieces, inferwire::testing::Ending how = inferwire::testing::Ending::silence) {
  auto reply = inferwire::testing::Reply::stream(std::move(pieces));
  reply.ending = how;
  return reply;
}

}  // namespace inferwire_test
