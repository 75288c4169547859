// Random prompts, stop strings and seeds: a stream has the text of the whole answer, and both have the
// model's text up to the first stop string.
#include "base/utf8.hpp"
#include "engine/model/random.hpp"
#include "engine/utf8.hpp"
#include "inferwire/engine/engine.hpp"
#include "shared_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

namespace {

/// The number of requests to try: INFERWIRE_STREAMS, by default 200.
int requests_to_try() {
  const char* wanted = std::getenv("INFERWIRE_STREAMS");
  return wanted != nullptr ? std::atoi(wanted) : 200;
}

/// An endpoint that answers with text, and the shape of its requests and answers.
struct Room {
  const char* path;
  bool chats;

  json question(const std::string& prompt) const {
    json body{{"model", "inferwire-toy"}};
    if (chats) {
      body["messages"] = {{{"role", "user"}, {"content", prompt}}};
    } else {
      body["prompt"] = prompt;
    }
    return body;
  }
  std::string text_of(const json& choice, const char* part) const {
    return chats ? choice.at(part).value("content", "") : choice.at("text").get<std::string>();
  }
};

constexpr Room rooms[]{{"/v1/chat/completions", true}, {"/v1/completions", false}};

struct Choice {
  std::string text{};
  std::string finish{};

  bool operator==(const Choice&) const = default;
};

std::vector<Choice> whole(const Room& room, const json& body) {
  std::vector<Choice> choices;
  const auto document = good(ask(shared_engine(), room.path, body.dump()));
  for (const auto& choice : document.at("choices")) {
    choices.push_back({room.text_of(choice, "message"), choice.at("finish_reason")});
  }
  return choices;
}

/// The choices of a stream, each folded into one. A character that is cut would not be JSON.
std::vector<Choice> streamed(const Room& room, json body, std::size_t count) {
  body["stream"] = true;
  std::vector<Choice> choices(count);
  for (const auto& chunk : chunks_of(ask(shared_engine(), room.path, body.dump()))) {
    for (const auto& piece : chunk.at("choices")) {
      auto& choice = choices.at(piece.at("index"));
      choice.text += room.text_of(piece, "delta");
      if (!piece.at("finish_reason").is_null()) choice.finish = piece.at("finish_reason");
    }
  }
  return choices;
}

class RandomRequest {
 public:
  explicit RandomRequest(std::uint64_t seed) : random_(seed) {}

  std::string prompt() {
    static constexpr std::string_view words[] = {"llama",
                                                 "bread",
                                                 "the weather",
                                                 "Paris",
                                                 "caf\xC3\xA9",
                                                 "\xE2\x9C\x93",
                                                 "\xF0\x9F\xA6\x99",
                                                 "a",
                                                 "story",
                                                 "code",
                                                 "tell me",
                                                 "gr\xC3\xBC\xC3\x9F",
                                                 "why?",
                                                 "mountains",
                                                 "\n",
                                                 "<|end|>",
                                                 "stop",
                                                 "123",
                                                 "\xE6\xB0\xB4"};
    std::string text;
    for (std::size_t count = 1 + below(12); count > 0; --count) {
      (text += words[below(std::size(words))]) += ' ';
    }
    return text;
  }

  json sampling() {
    json members{{"seed", random_.next() >> 2U},
                 {"temperature", static_cast<double>(below(9)) / 4},
                 {"max_tokens", 1 + below(60)}};
    // Makes single bytes of characters likelier, so that there are characters of several tokens to cut.
    if (below(3) == 0) {
      members["logit_bias"] = json::object();
      for (const int byte : {0xC3, 0xA9, 0xE2, 0x9C, 0x93, 0xF0, 0x9F, 0xA6, 0x99}) {
        members["logit_bias"][std::to_string(byte)] = 5 + below(10);
      }
    }
    return members;
  }

  /// Stop strings: parts of `text`, some of them followed by a "~", so that `text` has all but their last
  /// byte.
  std::vector<std::string> stops(const std::string& text) {
    std::vector<std::string> stops;
    const auto characters = engine::to_code_points(text);
    for (std::size_t count = 1 + below(4); count > 0; --count) {
      std::string stop;
      if (!characters.empty()) {
        const auto begin = below(characters.size());
        const auto end = std::min<std::size_t>(characters.size(), begin + 1 + below(8));
        for (auto at = begin; at < end; ++at) utf8::append(stop, characters[at]);
      }
      if (stop.empty() || below(4) == 0) stop += "~";
      stops.push_back(stop);
    }
    return stops;
  }

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_.next() % limit); }

 private:
  engine::Random random_;
};

/// Finds the leftmost stop string in the simplest way.
std::size_t first_stop(const std::string& text, const std::vector<std::string>& stops) {
  auto first = text.npos;
  for (const auto& stop : stops) first = std::min(first, text.find(stop));
  return first;
}

}  // namespace

TEST_CASE("a stream joins to the whole answer, without stop strings", "[streamed_text]") {
  RandomRequest random(5);
  int stopped = 0, beyond_ascii = 0;
  for (int i = 0; i < requests_to_try(); ++i) {
    const auto& room = rooms[random.below(2)];
    auto body = room.question(random.prompt());
    body.update(random.sampling());
    const auto count = 1 + random.below(2);
    body["n"] = count;
    const auto unstopped = whole(room, body);
    REQUIRE(unstopped.size() == count);

    const auto stops = random.stops(unstopped[0].text);
    body["stop"] = stops;
    INFO(room.path << " " << body.dump());
    const auto answer = whole(room, body);
    REQUIRE(streamed(room, body, count) == answer);
    for (std::size_t c = 0; c < count; ++c) {
      const auto& all = unstopped[c].text;
      const auto end = first_stop(all, stops);
      REQUIRE(answer[c].text == all.substr(0, end));
      REQUIRE(answer[c].finish == (end == all.npos ? unstopped[c].finish : "stop"));
      stopped += end == all.npos ? 0 : 1;
      beyond_ascii +=
          std::ranges::any_of(answer[c].text, [](unsigned char byte) { return byte >= 0x80; }) ? 1 : 0;
    }
  }
  CHECK(stopped > requests_to_try() / 4);  // otherwise the test has tried nothing
  CHECK(beyond_ascii > requests_to_try() / 20);
}
