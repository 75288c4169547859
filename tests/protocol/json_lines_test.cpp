#include "protocol/framing/json_lines.hpp"

#include "protocol/framing/json_lines_writer.hpp"
#include "protocol/linear.hpp"
#include "protocol/vectors.hpp"
#include "support/catch.hpp"

#include <string>
#include <thread>
#include <vector>

using inferwire::protocol::JsonLine;
using inferwire::protocol::JsonLinesParser;
using inferwire::protocol::ReceiveBuffer;
using namespace inferwire_test;

namespace {

struct Seen {
  std::vector<std::string> lines;
  std::vector<std::size_t> at;  ///< the number of bytes that had been fed when the line came out
  bool cut{};                   ///< whether the last line had no end
  bool too_large{};
};

Seen parse(const std::vector<std::string>& pieces, JsonLinesParser parser = JsonLinesParser()) {
  Seen seen;
  std::size_t fed = 0;
  bool rests = false;
  const auto drain = [&] {
    JsonLine line;
    auto next = parser.next(line);
    for (; next == JsonLinesParser::Next::line; next = parser.next(line)) {
      // The text must be followed by padding; a sanitizer sees if it is not.
      for (std::size_t i = 0; i < ReceiveBuffer::padding; ++i) {
        [[maybe_unused]] volatile char readable = line.text.data()[line.text.size() + i];
      }
      seen.lines.emplace_back(line.text);
      seen.at.push_back(fed);
      seen.cut = !line.terminated;
    }
    seen.too_large = next == JsonLinesParser::Next::too_large;
    // A rest of the parser before the next piece must make no difference.
    if (next == JsonLinesParser::Next::more && (rests = !rests)) parser.rest();
  };
  for (const auto& piece : pieces) {
    parser.feed(piece);
    fed += piece.size();
    drain();
  }
  parser.finish();
  drain();
  return seen;
}

std::vector<std::string> in_bytes(const std::string& text) {
  std::vector<std::string> pieces;
  for (const char c : text) pieces.emplace_back(1, c);
  return pieces;
}

std::string trimmed(std::string text) {
  constexpr const char* space = " \t\r\n";
  text.erase(text.find_last_not_of(space) + 1);
  text.erase(0, text.find_first_not_of(space));
  return text;
}

}  // namespace

TEST_CASE("every vector of JSON lines is read the same under every split") {
  const auto vectors = inferwire_test::vectors_of("jsonl_vectors.json");
  REQUIRE(vectors.size() == 48);
  for (const auto& vector : vectors) {
    const auto input = input_of(vector);
    std::vector<std::string> expected;
    for (const auto& line : vector["expected"]) {
      expected.insert(expected.end(), line.value("times", 1u), trimmed(text_of(line, "line")));
    }
    CAPTURE(vector["name"].get<std::string>());
    for (const auto& cut : cuts_of(vector, input.size())) {
      const auto seen = parse(pieces_of(input, cut));
      if (seen.lines != expected) {
        CAPTURE(cut, seen.lines.size());
        REQUIRE(seen.lines == expected);
      }
    }
    if (input.size() > 4096 || !vector.contains("deliver_by")) continue;
    const auto seen = parse(in_bytes(input));
    const auto due = vector["deliver_by"].get<std::vector<std::size_t>>();
    for (std::size_t i = 0; i < due.size(); ++i) REQUIRE(seen.at.at(i) <= due[i]);
  }
}

TEST_CASE("JsonLinesParser tells a last line that was cut") {
  CHECK(parse({"{}\n{"}).cut);
  CHECK_FALSE(parse({"{}\n{}\n"}).cut);
}

TEST_CASE("JsonLinesParser reports a line larger than the limit, in every split") {
  const std::string fits(1000, 'x');
  const std::string too_large(1001, 'x');
  for (const auto* end : {"\n", ""}) {
    CHECK_FALSE(parse({fits + end}, JsonLinesParser(1000)).too_large);
    CHECK(parse({too_large + end}, JsonLinesParser(1000)).too_large);
    CHECK(parse(in_bytes(too_large + end), JsonLinesParser(1000)).too_large);
  }
  const auto seen = parse({"1\n", too_large + "\n", "2\n"}, JsonLinesParser(1000));
  CHECK(seen.lines == std::vector<std::string>{"1"});
  CHECK(seen.too_large);
}

TEST_CASE("JsonLinesParser limits each line, not the piece") {
  const auto seen = parse({"{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n"}, JsonLinesParser(8));
  CHECK(seen.lines.size() == 3);
  CHECK_FALSE(seen.too_large);
}

TEST_CASE("JsonLinesParser does not count blank lines towards the limit") {
  std::vector<std::string> pieces(10'000, " \r\n");
  pieces.push_back("1\n");
  CHECK(parse(pieces, JsonLinesParser(100)).lines == std::vector<std::string>{"1"});
}

TEST_CASE("JsonLinesParser moves bytes in linear time") {
  check_linear([](std::size_t size) {
    JsonLinesParser parser;
    JsonLine line;
    parser.feed("1\n");
    REQUIRE(parser.next(line) == JsonLinesParser::Next::line);
    for (std::size_t fed = 0; fed < size; fed += 100) {
      parser.feed(std::string(100, 'x'));
      REQUIRE(parser.next(line) == JsonLinesParser::Next::more);
    }
    return parser.moved_bytes();
  });
}

TEST_CASE("JsonLinesParser reuses its memory") {
  JsonLinesParser parser;
  JsonLine line;
  const char* place = nullptr;
  for (int i = 0; i < 1000; ++i) {
    parser.feed("{\"a\":1}\n");
    REQUIRE(parser.next(line) == JsonLinesParser::Next::line);
    if (i > 0) REQUIRE(line.text.data() == place);
    place = line.text.data();
    REQUIRE(parser.next(line) == JsonLinesParser::Next::more);
  }
}

TEST_CASE("JsonLinesParser::rest leaves its memory to the next parser of the thread") {
  std::thread([] {
    JsonLinesParser first;
    JsonLine line;
    first.feed(std::string(5000, '1') + "\n2");
    REQUIRE(first.next(line) == JsonLinesParser::Next::line);
    const char* const place = line.text.data();
    REQUIRE(first.next(line) == JsonLinesParser::Next::more);
    first.rest();  // keeps its memory: half a line is in it
    first.feed("\n");
    REQUIRE(first.next(line) == JsonLinesParser::Next::line);
    CHECK(line.text == "2");
    REQUIRE(first.next(line) == JsonLinesParser::Next::more);
    first.rest();
    JsonLinesParser second;
    second.feed("3\n");
    REQUIRE(second.next(line) == JsonLinesParser::Next::line);
    CHECK(line.text.data() == place);
  }).join();
}

TEST_CASE("append_line writes a JSON text as one line") {
  std::string out;
  inferwire::protocol::append_line(out, "{\n  \"a\": \"\\n\"\r\n}");
  inferwire::protocol::append_line(out, "1");
  CHECK(out == "{   \"a\": \"\\n\"  }\n1\n");
}
