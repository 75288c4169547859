#include "engine/model/stop_filter.hpp"

#include "engine/model/random.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace inferwire::engine;

namespace {

using Stops = std::vector<std::string>;

/// The text before the leftmost stop string, found in the simplest way.
std::string before_first_stop(std::string_view bytes, const Stops& stops) {
  const std::string text = to_utf8(bytes);
  std::size_t first = text.size();
  for (const std::string& stop : stops) {
    if (!stop.empty()) first = std::min(first, text.find(stop));
  }
  return text.substr(0, first);
}

bool contains_stop(std::string_view bytes, const Stops& stops) {
  const std::string text = to_utf8(bytes);
  for (const std::string& stop : stops) {
    if (text.find(stop) != std::string::npos) return true;
  }
  return false;
}

struct Filtered {
  std::string text;
  bool stopped = false;
};

/// Feeds `text` in pieces, cut after each position whose bit is set in `cuts`.
Filtered filtered(std::string_view text, const Stops& stops, std::uint64_t cuts) {
  StopFilter filter{to_stop_strings(stops)};
  Filtered result;
  std::size_t begin = 0;
  for (std::size_t at = 1; at <= text.size() && !result.stopped; ++at) {
    if (at < text.size() && (cuts >> (at - 1) & 1U) == 0) continue;
    const auto [emit, stopped] = filter.feed(text.substr(begin, at - begin));
    CHECK(to_utf8(emit) == emit);
    result.text += emit;
    result.stopped = stopped;
    begin = at;
  }
  const auto [emit, stopped] = filter.flush();
  result.text += emit;
  result.stopped = stopped;
  return result;
}

}  // namespace

TEST_CASE("StopFilter ends a text before the leftmost stop string", "[stop_filter]") {
  struct Row {
    std::string text;
    Stops stops;
    std::string expected;
  };
  const std::vector<Row> rows{
      {"one two three", {"two"}, "one "},
      {"one two three", {"four"}, "one two three"},
      {"one two three", {"three", "two"}, "one "},
      {"one two", {"one"}, ""},
      {"one two", {}, "one two"},
      {"one two", {""}, "one two"},
      {"aaab", {"aab"}, "a"},
      {"abababc", {"ababc"}, "ab"},
      {"xabcd", {"bc", "abcd"}, "x"},         // the longer one begins first
      {"xabce", {"bc", "abcd"}, "xa"},        // the longer one began first, but was not completed
      {"xabc", {"bc", "abcd"}, "xa"},         // the longer one is not completed at the end either
      {"xabcdx", {"ab", "abcd"}, "x"},        // both begin together
      {"caf\xC3\xA9!", {"\xC3\xA9"}, "caf"},  //
      {"a\xFFz", {"\xEF\xBF\xBD"}, "a"},      // U+FFFD replaces invalid bytes
      {"User: hi\nUser:", {"\nUser:"}, "User: hi"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    REQUIRE(before_first_stop(row.text, row.stops) == row.expected);
    for (std::uint64_t cuts = 0; cuts < (std::uint64_t{1} << (row.text.size() - 1)); ++cuts) {
      const Filtered result = filtered(row.text, row.stops, cuts);
      REQUIRE(result.text == row.expected);
      REQUIRE(result.stopped == (row.expected != row.text));
    }
  }
}

TEST_CASE("StopFilter gives the same for every split", "[stop_filter]") {
  Random random{11};
  const auto some_text = [&random](std::uint64_t most, bool ascii) {
    static constexpr std::string_view letters[] = {
        "a", "b", "a", "b", "\xC3\xA9", "\xE2\x9C\x93", "\xF0\x9F\xA6\x99", "\x9F", "\xE2"};
    std::string text;
    while (text.size() < most) text += letters[random.next() % (ascii ? 4 : 9)];
    return text;
  };
  for (int round = 0; round < 300; ++round) {
    const bool ascii = round % 2 == 0;
    const std::string text = some_text(1 + random.next() % 8, ascii);
    Stops stops;
    for (std::uint64_t count = 1 + random.next() % 3; count > 0; --count) {
      stops.push_back(to_utf8(some_text(1 + random.next() % 4, ascii)));
    }
    const std::string expected = before_first_stop(text, stops);
    const bool stops_there = contains_stop(text, stops);
    for (std::uint64_t cuts = 0; cuts < (std::uint64_t{1} << (text.size() - 1)); ++cuts) {
      const Filtered result = filtered(text, stops, cuts);
      CAPTURE(text, stops, cuts);
      REQUIRE(result.text == expected);
      REQUIRE(result.stopped == stops_there);
    }
  }
}

TEST_CASE("StopFilter holds back only what may become a stop string", "[stop_filter]") {
  StopFilter filter{to_stop_strings({"\n\nHuman:"})};
  CHECK(filter.feed("Hello").emit == "Hello");
  CHECK(filter.feed(".\n").emit == ".");
  CHECK(filter.feed("\nHum").emit.empty());
  CHECK(filter.feed("ility\n\nH").emit == "\n\nHumility");
  CHECK(filter.feed("").emit.empty());
  const auto [emit, stopped] = filter.feed("uman: what?");
  CHECK(emit.empty());
  CHECK(stopped);
  CHECK(filter.feed("more").emit.empty());
  CHECK(filter.feed("more").stopped);
  CHECK(filter.flush().emit.empty());
}

TEST_CASE("StopFilter holds back an unfinished character and replaces it at the end", "[stop_filter]") {
  StopFilter filter{to_stop_strings({"stop"})};
  CHECK(filter.feed("a\xF0\x9F").emit == "a");
  CHECK(filter.feed("\xA6").emit.empty());
  CHECK(filter.feed("\x99\xE2").emit == "\xF0\x9F\xA6\x99");
  CHECK(filter.flush().emit == "\xEF\xBF\xBD");
}

TEST_CASE("to_utf8 replaces invalid bytes as Unicode recommends", "[stop_filter]") {
  const std::string r = "\xEF\xBF\xBD";
  CHECK(to_utf8("caf\xC3\xA9 \xF0\x9F\xA6\x99") == "caf\xC3\xA9 \xF0\x9F\xA6\x99");
  CHECK(to_utf8("\xFF\x80z") == r + r + "z");
  CHECK(to_utf8("\xC0\xAF") == r + r);                                            // overlong
  CHECK(to_utf8("\xED\xA0\x80") == r + r + r);                                    // surrogate
  CHECK(to_utf8("\xF4\x90\x80\x80") == r + r + r + r);                            // beyond U+10FFFF
  CHECK(to_utf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41") == r + r + r + r + "A");  // Unicode 15, table 3-11
}

TEST_CASE("StopFilter takes linear time", "[stop_filter]") {
  const std::string stop = std::string(60'000, 'a') + "b";
  StopFilter filter{to_stop_strings({stop, stop.substr(1)})};
  const std::string text(1'000'000, 'a');
  std::size_t emitted = 0;
  for (std::size_t at = 0; at < text.size(); at += 100)
    emitted += filter.feed(std::string_view{text}.substr(at, 100)).emit.size();
  CHECK(emitted == text.size() - 60'000);
  CHECK(filter.feed("b").stopped);
}
