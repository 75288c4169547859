/// \file
/// Asks for one chat twice: whole and as a stream.
#pragma once

#include "inferwire/chat.hpp"
#include "inferwire/engine/engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"

#include <string>

namespace inferwire_test {

/// One chat's answer, whole and folded from a stream, without what only one of them has.
struct BothWays {
  inferwire::chat::Response whole{};
  inferwire::chat::Response folded{};
};

/// Asks new engines for `request`, a JSON object, whole and as a stream.
inline BothWays ask_both_ways(const std::string& path, const std::string& request) {
  using namespace inferwire;
  engine::Engine one({.created = 1}), two({.created = 1});
  const auto whole = json::decode<chat::Response>(ask(one, path, request).body);
  REQUIRE(whole);
  chat::Accumulator all;
  const auto streamed = request.substr(0, request.size() - 1) + R"(,"stream":true})";
  for (const auto& event : ask(two, path, streamed).events()) {
    if (event == "[DONE]") continue;
    const auto chunk = json::decode<chat::Chunk>(event);
    REQUIRE(chunk);
    all.add(*chunk);
  }
  BothWays answers{.whole = *whole, .folded = all.take(true)};
  answers.folded.object = whole->object;
  answers.whole.usage.reset();
  answers.folded.usage.reset();
  return answers;
}

}  // namespace inferwire_test
