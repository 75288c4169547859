#include "engine/constraint/pattern.hpp"

#include "engine/constraint/regex.hpp"
#include "engine/model/random.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <regex>
#include <string>
#include <vector>

using namespace inferwire::engine;

namespace {

Pattern compiled(const std::string& regex, StringLength length = {}) {
  auto result = Pattern::compile(regex, length, 2'000);
  if (const auto* why = std::get_if<std::string>(&result)) FAIL(regex << ": " << *why);
  return std::get<Pattern>(std::move(result));
}

std::string why_not(const std::string& regex, StringLength length = {}) {
  const auto result = Pattern::compile(regex, length, 2'000);
  const auto* why = std::get_if<std::string>(&result);
  return why != nullptr ? *why : "";
}

/// Whether the pattern accepts `bytes`, written as between the quotes of a JSON string.
bool matches(const Pattern& pattern, const std::string& bytes) {
  auto state = Pattern::start;
  for (const char byte : bytes) state = pattern.next(state, byte);
  return pattern.accepts(state);
}

/// A random string of the pattern: about 40 bytes, then the shortest way to an end.
std::string random_string(const Pattern& pattern, std::uint64_t seed) {
  Random random(seed);
  std::string out;
  for (auto state = Pattern::start;;) {
    std::vector<char> bytes;
    const bool hurries = out.size() > 40;
    for (int byte = 0; byte < 256; ++byte) {
      const auto next = pattern.next(state, static_cast<char>(byte));
      if (next != Pattern::nowhere && (!hurries || pattern.left(next) < pattern.left(state))) {
        bytes.push_back(static_cast<char>(byte));
      }
    }
    const bool stops = bytes.empty() || hurries || random.uniform() < 0.1F;
    if (pattern.accepts(state) && stops) return out;
    REQUIRE_FALSE(bytes.empty());
    out += bytes[static_cast<std::size_t>(random.uniform() * static_cast<float>(bytes.size()))];
    state = pattern.next(state, out.back());
  }
}

}  // namespace

TEST_CASE("every string written by a Pattern matches its expression", "[pattern]") {
  for (const std::string regex : {"^abc$",
                                  "b",
                                  "^a|b$",
                                  "^(?:ab?)*c$",
                                  "^[a-c]{2,4}$",
                                  "^(foo|ba(r|z))+$",
                                  "[0-9]{3}",
                                  "^a.*z$",
                                  "^[^x-z]{1,5}$",
                                  "^\\w+@\\w+\\.com$",
                                  "^(?<year>\\d{4})-\\d\\d?$",
                                  "^\\s\\S\\D\\W$",
                                  "^[\\d\\-_.]+$",
                                  "^[]$|^x$",
                                  "^$",
                                  "",
                                  "^a{0,2}?b*?$",
                                  "^\\x41\\u0042$",
                                  "^[\\^\\]]{2}$",
                                  "^(a|)(b|)$",
                                  "^a{3}$",
                                  "^(\\(|\\))$"}) {
    INFO(regex);
    const auto pattern = compiled(regex);
    const std::regex standard(regex == "^(?<year>\\d{4})-\\d\\d?$" ? "^\\d{4}-\\d\\d?$" : regex);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const auto text = random_string(pattern, seed);
      INFO(text);
      CHECK(std::regex_search(nlohmann::json::parse("\"" + text + "\"").get<std::string>(), standard));
    }
  }
}

TEST_CASE("Pattern writes strings with JSON's escapes", "[pattern]") {
  CHECK(matches(compiled("^\"$"), "\\\""));
  CHECK_FALSE(matches(compiled("^\"$"), "\""));
  CHECK(matches(compiled("^\\\\n$"), "\\\\n"));
  CHECK(matches(compiled("^a\\nb\\u0001$"), "a\\nb\\u0001"));
  CHECK(matches(compiled("^[é-ü]€😀$"), "ö€😀"));
  CHECK_FALSE(matches(compiled("^[é-ü]$"), "z"));
}

TEST_CASE("minLength and maxLength of a Pattern count characters", "[pattern]") {
  const auto pattern = compiled("^[é\"]*$", {.least = 2, .most = 3});
  CHECK_FALSE(matches(pattern, "é"));
  CHECK(matches(pattern, "éé"));
  CHECK(matches(pattern, "é\\\"é"));
  CHECK_FALSE(matches(pattern, "éééé"));
  CHECK(pattern.left(Pattern::start) == 4);
  CHECK(compiled("a", {.least = 100}).left(Pattern::start) == 100);
  CHECK(compiled("^(abc)*$", {.least = 100, .most = 200}).left(Pattern::start) == 102);
}

TEST_CASE("Pattern::compile names what it does not support", "[pattern]") {
  CHECK(why_not("(?=a)") == "lookaround is not supported");
  CHECK(why_not("(?<!a)b") == "lookaround is not supported");
  CHECK(why_not("^(?!a)b") == "lookaround is not supported");
  CHECK(why_not("^(?=a)b|c") == "lookahead beside alternatives is not supported");
  CHECK(why_not("^(?=a|b)c") == "this lookahead is not supported");
  CHECK(why_not("(?i)a") == "modifiers such as '(?i)' are not supported");
  CHECK(why_not("a^b") == "an anchor inside of the pattern is not supported");
  CHECK(why_not("(a)\\1") == "the escape '\\1' is not supported");
  CHECK(why_not("\\p{L}") == "the escape '\\p' is not supported");
  CHECK(why_not("a\\b") == "the escape '\\b' is not supported");
  CHECK(why_not("(a") == "unmatched '('");
  CHECK(why_not("a)") == "unmatched ')'");
  CHECK(why_not("[a") == "unmatched '['");
  CHECK(why_not("[z-a]") == "a range of characters is reversed");
  CHECK(why_not("*a") == "nothing to repeat");
  CHECK(why_not("a{3,2}") == "a repetition's bounds are in the wrong order");
  CHECK(why_not("a{1000}") == "more than 256 repetitions");
  CHECK(why_not("a{x}") == "'{' does not begin a repetition");
  CHECK(why_not("a\\") == "it ends too early");
  CHECK(why_not("\\u{}") == "a character's number cannot be read");
  CHECK(why_not("\\u{9}") == "");
  CHECK(why_not("^ab$", {.least = 3}) == "it matches no string of the length asked for that can be written");
  CHECK(why_not(std::string(100, '(') + std::string(100, ')')) == "groups are nested too deep");
  CHECK(why_not("((a{100}){100}){100}") == inferwire::engine::Pattern::too_large);
}

TEST_CASE("Pattern::compile refuses long rows of quantifiers at once", "[pattern]") {
  std::string repeated = "a{0}", nested = "()";
  for (int i = 0; i < 8; ++i) repeated += "{256}";
  for (int i = 0; i < 8; ++i) nested = "(" + nested + "){256}";
  CHECK(why_not(repeated) == "more than 4 quantifiers in a row");
  CHECK(why_not("a" + std::string(200'000, '?')) == "it is longer than 16384 characters");
  CHECK(why_not("a" + std::string(10'000, '?')) == "more than 4 quantifiers in a row");
  CHECK(why_not(nested) == inferwire::engine::Pattern::too_large);
}

TEST_CASE("a repetition of {0} matches the empty string", "[pattern]") {
  const auto pattern = compiled("^xa{0}{256}{256}(b{0}){256}y$");
  CHECK(matches(pattern, "xy"));
  CHECK_FALSE(matches(pattern, "xay"));
  CHECK_FALSE(matches(pattern, "xby"));
}

TEST_CASE("Pattern::compile counts its work also when it fails", "[pattern]") {
  const auto work_of = [](const std::string& regex) {
    std::size_t work = 0;
    Pattern::compile(regex, {}, 2'000, &work);
    return work;
  };
  CHECK(work_of("^ab$") < 10);
  CHECK(work_of("^(a|b)*a(a|b){9}$") > 1'000);
  CHECK(work_of("^(a|b)*a(a|b){9}[]$") > 1'000);               // matches no string
  CHECK(work_of("^(.?){200}(a|b)*a(a|b){11}$") > 1'000);       // too complex
  CHECK(work_of("^" + std::string(15'000, '.') + "$") > 900);  // too large
}

TEST_CASE("Pattern::compile counts how many nodes its states hold", "[pattern]") {
  std::string optional;
  for (int i = 0; i < 260; ++i) (optional += static_cast<char>('a' + i % 26)) += '?';
  const auto repeated = "^(?:" + optional + ")*$";
  CHECK(matches(compiled(repeated, {.least = 3}), "abcza"));
  CHECK(why_not(repeated, {.least = 1'000}) == Pattern::too_complex);
}

TEST_CASE("lookahead at the start of an expression is kept", "[pattern]") {
  const auto both = compiled("^(?=.*[0-9])(?=.{3,4}$)[a-c0-9]+$");
  for (const auto* const text : {"1ab", "a1b", "abc7", "777"}) CHECK(matches(both, text));
  for (const auto* const text : {"abc", "1a", "abcd1", "ab 1"}) CHECK_FALSE(matches(both, text));
  const auto password = compiled("^(?=.*[A-Z])(?=.*[a-z])(?=.*\\d)(?=.*[@$!%*?&])[A-Za-z\\d@$!%*?&]{8,}$",
                                 {.least = 8, .most = 64});
  CHECK(matches(password, "Pa55word!"));
  for (const auto* const text : {"Pa55wor!rd word", "Pa55w!", "pa55word!"})
    CHECK_FALSE(matches(password, text));
  CHECK(why_not("^(?=a)b") == Pattern::unmatched);
  CHECK(matches(compiled("^(=|!)$"), "!"));
  CHECK(matches(compiled("^(?P<year>[0-9]{2})$"), "24"));  // Python's way to name groups
}

TEST_CASE("the work of several lookaheads is bounded together", "[pattern]") {
  const auto times = [](int count, const std::string& text) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
  };
  std::size_t work = 0;
  const auto many = "^" + times(20, "(?=[ab]*a[ab]{7})");
  CHECK(std::get<std::string>(Pattern::compile(many, {}, 2'000, &work)) == Pattern::too_complex);
  CHECK(work < 2'500);
  CHECK(why_not("^" + times(5, "(?=(?:a?){200})") + "a") == Pattern::too_large);
  CHECK(why_not(times(100, "^(?=[^]*(?:") + "a" + times(100, "))")) == "groups are nested too deep");
}

TEST_CASE("Regex::both matches what both expressions match", "[pattern]") {
  const auto both = compiled(Regex::both("^ab?|^c", "[xz]$"));
  for (const auto* const text : {"ax", "abz", "cc z"}) CHECK(matches(both, text));
  for (const auto* const text : {"ab", "bx", "x", ""}) CHECK_FALSE(matches(both, text));
  const auto three = compiled(Regex::both(Regex::both("a", "^(?=..$)[a-z]*"), "[\\u00e9b]"), {.most = 3});
  for (const auto* const text : {"ab", "ba"}) CHECK(matches(three, text));
  for (const auto* const text : {"aa", "a", "abb"}) CHECK_FALSE(matches(three, text));
  CHECK(matches(compiled(Regex::both("^[é]+$", "^[éa]*$")), "éé"));
  CHECK(why_not(Regex::both("^a", "^b")) == Pattern::unmatched);
  CHECK(why_not(Regex::both("(a|b)*a(a|b){12}", "a")) == Pattern::too_complex);
}
