#include "protocol/framing/sse.hpp"

#include "protocol/framing/line_scan.hpp"
#include "protocol/linear.hpp"
#include "protocol/sse_events.hpp"
#include "support/catch.hpp"

#include <string>
#include <thread>
#include <vector>

using inferwire::protocol::SseEvent;
using inferwire::protocol::SseParser;
using namespace inferwire_test;

namespace {

std::string repeat(const std::string& text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("find_line_end finds the first line end at every position") {
  for (const char line_end : {'\n', '\r'}) {
    for (const char plain : {'x', '\t'}) {
      for (std::size_t size = 0; size < 140; ++size) {
        for (std::size_t at = 0; at <= size; ++at) {
          std::string text(size, plain);
          if (at < size) text[at] = line_end;
          text += "\n\r" + std::string(64, '\n');  // line ends behind `end` do not count
          const char* const end = text.data() + size;
          const char* const expected = at < size ? text.data() + at : nullptr;
          REQUIRE(inferwire::protocol::find_line_end(text.data(), end) == expected);
          REQUIRE(inferwire::protocol::find_line_end_portable(text.data(), end) == expected);
        }
      }
    }
  }
}

TEST_CASE("find_line_end finds no other byte") {
  std::string text;
  for (int c = 0; c < 256; ++c) {
    if (c != '\n' && c != '\r') text += static_cast<char>(c);
  }
  const auto size = text.size();
  text += std::string(64, '\0');
  REQUIRE(inferwire::protocol::find_line_end(text.data(), text.data() + size) == nullptr);
  REQUIRE(inferwire::protocol::find_line_end_portable(text.data(), text.data() + size) == nullptr);
}

TEST_CASE("SseParser's views stay valid until it is called again") {
  SseParser parser;
  parser.feed("event: a\ndata: one\n\ndata: two\n\nda");
  SseEvent event;
  REQUIRE(parser.next(event) == SseParser::Next::event);
  REQUIRE(event.type == "a");
  REQUIRE(event.data == "one");
  REQUIRE(parser.next(event) == SseParser::Next::event);
  REQUIRE(event.type.empty());
  REQUIRE(event.data == "two");
  REQUIRE(parser.next(event) == SseParser::Next::more);
  REQUIRE(parser.next(event) == SseParser::Next::more);
}

TEST_CASE("SseParser joins data lines with other lines between them") {
  const std::string stream = "data: a\nevent: e\n: comment\ndata: b\nid: 7\ndata\nretry: 3\ndata:  c\n\n";
  for (std::size_t size = 1; size <= stream.size(); ++size) {
    const auto seen = parse_every(size, stream);
    REQUIRE(seen.events.size() == 1);
    REQUIRE(seen.events[0].data == "a\nb\n\n c");
    REQUIRE(seen.events[0].type == "e");
    REQUIRE(seen.events[0].id == "7");
    REQUIRE(seen.events[0].retry == "3");
  }
}

TEST_CASE("a retry time has any number of digits, without leading zeros, and is of one event") {
  SseParser parser;
  parser.feed("retry: 00099999999999999999999\ndata: x\n\ndata: y\n\nretry: 00\ndata: z\n\n");
  SseEvent event;
  REQUIRE(parser.next(event) == SseParser::Next::event);
  REQUIRE(event.retry == "99999999999999999999");
  REQUIRE(parser.next(event) == SseParser::Next::event);
  REQUIRE(event.retry.empty());
  REQUIRE(parser.retry() == "99999999999999999999");
  REQUIRE(parser.next(event) == SseParser::Next::event);
  REQUIRE(event.retry == "0");
}

TEST_CASE("SseParser reports what is larger than the limit, in every split") {
  const std::string kind = GENERATE("data: ", ": ", "unknown: ", "id: ", "event: ", "data: x\n: ");
  const std::size_t piece = GENERATE(1u, 7u, 100u, 5000u);
  const auto fits = kind + repeat("x", 900) + "\n\n";
  const auto too_large = kind + repeat("x", 1100) + "\n\n";
  CAPTURE(kind, piece);
  REQUIRE_FALSE(parse_every(piece, fits, SseParser(1000)).too_large);
  REQUIRE(parse_every(piece, too_large, SseParser(1000)).too_large);
}

TEST_CASE("SseParser limits the data lines of an event together") {
  const auto stream = repeat("data: 12345678\n", 200) + "\n";
  REQUIRE(parse_every(64, stream, SseParser(1000)).too_large);
  REQUIRE_FALSE(parse_every(64, stream, SseParser(2000)).too_large);
}

TEST_CASE("SseParser gives no event after the limit was passed") {
  SseParser parser(10);
  parser.feed("data: far too long for ten bytes\n\ndata: x\n\n");
  SseEvent event;
  REQUIRE(parser.next(event) == SseParser::Next::too_large);
  parser.feed("data: y\n\n");
  REQUIRE(parser.next(event) == SseParser::Next::too_large);
}

TEST_CASE("SseParser does not count comments towards the limit") {
  SseParser parser(1000);
  SseEvent event;
  parser.feed("data: x\n");
  for (int i = 0; i < 10'000; ++i) {
    parser.feed(": ping\n");
    REQUIRE(parser.next(event) == SseParser::Next::more);
  }
  parser.feed("\n");
  REQUIRE(parser.next(event) == SseParser::Next::event);
  REQUIRE(event.data == "x");
}

TEST_CASE("a tolerant SseParser ends an event at the end of an object") {
  const auto events_of = [](const std::string& stream, std::size_t split, SseParser::Reading reading) {
    SseParser parser(1000, reading);
    std::vector<std::string> events;
    SseEvent event;
    for (const auto& piece : {stream.substr(0, split), stream.substr(split)}) {
      parser.feed(piece);
      while (parser.next(event) == SseParser::Next::event) {
        events.push_back(std::string(event.type) + "|" + std::string(event.data));
      }
    }
    events.push_back(std::string(parser.unfinished()));
    return events;
  };
  using Events = std::vector<std::string>;
  const std::string stream =
      "event: a\ndata: {\"a\":\"}\"}\r\nid: 7\ndata:{}\rdata: {\ndata: }\ndata: {}\n\n"
      "data: x\ndata: {}\n\ndata: {} \n: comment\ndata\ndata: []\ndata: {}\n\ndata: {}\ndata: 1\n";
  for (std::size_t split = 0; split <= stream.size(); ++split) {
    CAPTURE(split);
    CHECK(events_of(stream, split, SseParser::Reading::tolerant) ==
          Events{"a|{\"a\":\"}\"}", "|{}", "|{\n}\n{}", "|x\n{}", "|{} \n\n[]\n{}", "|{}", "1"});
    CHECK(events_of(stream, split, SseParser::Reading::as_specified) ==
          Events{"a|{\"a\":\"}\"}\n{}\n{\n}\n{}", "|x\n{}", "|{} \n\n[]\n{}", "{}\n1"});
  }
}

TEST_CASE("a tolerant SseParser takes the event field that stands before the data") {
  const std::string stream =
      "event: a\ndata: {}\nevent: b\ndata: {}\nevent: c\n\ndata: {}\nevent: d\nevent: e\ndata: {}\n\n"
      "data: x\nevent: f\ndata: y\n\ndata: {}\n\n";
  for (std::size_t split = 0; split <= stream.size(); ++split) {
    CAPTURE(split);
    SseParser parser(1000, SseParser::Reading::tolerant);
    const auto seen = parse_in_pieces(std::move(parser), stream, {split});
    std::string text;
    for (const auto& event : seen.events) text += event.type + event.data + ";";
    CHECK(text == "a{};c{};message{};e{};fx\ny;message{};");
  }
}

TEST_CASE("a tolerant SseParser takes lines without 'data:' and with byte order marks") {
  const std::string mark = "\xEF\xBB\xBF";
  const std::string stream = "data: 1\n\n{\"a\":2}\n{\"a\":3}\r" + mark + "{\"a\":4}\n" + mark +
                             "data: {}\n\n" + mark + mark + "data: 5\n\nx{}\n[6]\n\n" + mark + "\n" + mark +
                             "id: 7\ndata: 8\n\n";
  const auto data_of = [&](std::size_t split, SseParser::Reading reading) {
    std::string text;
    SseParser parser(1000, reading);
    for (const auto& event : parse_in_pieces(std::move(parser), stream, {split}).events) {
      text += event.id + event.data + ";";
    }
    return text;
  };
  for (std::size_t split = 0; split <= stream.size(); ++split) {
    CAPTURE(split);
    CHECK(data_of(split, SseParser::Reading::tolerant) == "1;{\"a\":2};{\"a\":3};{\"a\":4};{};5;78;");
    CHECK(data_of(split, SseParser::Reading::as_specified) == "1;8;");
  }
}

TEST_CASE("a tolerant SseParser takes a million byte order marks in linear time") {
  std::string stream;
  for (int i = 0; i < 1'000'000; ++i) stream += "\xEF\xBB\xBF";
  stream += "data: 1\n\n";
  SseParser parser(4'000'000, SseParser::Reading::tolerant);
  const auto events = parse_in_pieces(std::move(parser), stream, {}).events;
  REQUIRE(events.size() == 1);
  CHECK(events[0].data == "1");
}

TEST_CASE("SseParser::stray gives the lines that are no part of an event stream") {
  const auto stray = [](const std::string& text, SseParser::Reading reading = SseParser::Reading::tolerant) {
    SseParser whole(1 << 20, reading), pieces(1 << 20, reading);
    SseEvent event;
    whole.feed(text);
    while (whole.next(event) == SseParser::Next::event) {}
    for (const char c : text) {
      pieces.feed({&c, 1});
      while (pieces.next(event) == SseParser::Next::event) {}
      pieces.rest();
    }
    CHECK(pieces.stray() == whole.stray());
    return whole.stray();
  };
  CHECK(stray("no healthy upstream") == "no healthy upstream");
  CHECK(stray("data: {}\n\n<html>\r\n\r\n<p>502\ndata: {}\n\nend") == "<html>\n<p>502\nend");
  CHECK(stray("no healthy upstream", SseParser::Reading::as_specified).empty());
  CHECK(stray("no healthy upstream\n\n", SseParser::Reading::as_specified).empty());
  for (const std::string text :
       {"", "\n\n", "dat", "data", "data: x", "event:", "retry: 1", "id: 7\n\n", ": x", ": x\n", "error: {}",
        "{\"a\":1}\n\n", "{\"a\"", "data: {}\n\n\xEF\xBB",
        "data: {}\n\n\xEF\xBB\xBF"
        "dat"}) {
    CAPTURE(text);
    CHECK(stray(text).empty());
  }
  CHECK(stray(repeat("lines without end\n", 10'000)).size() == 1024);
}

TEST_CASE("SseParser::unfinished gives the data of an unfinished event, or else an unfinished line") {
  struct Row {
    std::string rest, unfinished;
  };
  for (const auto& [rest, unfinished] :
       {Row{"", ""}, Row{"data: 2", "data: 2"}, Row{"event: error\nda", "da"},
        Row{"data: 2\ndata: 3\nid: 7", "2\n3"}, Row{": ping", ""}}) {
    CAPTURE(rest);
    SseParser parser;
    SseEvent event;
    parser.feed("data: 1\n\n" + rest);
    REQUIRE(parser.next(event) == SseParser::Next::event);
    REQUIRE(parser.next(event) == SseParser::Next::more);
    CHECK(parser.unfinished() == unfinished);
  }
}

TEST_CASE("an SseParser may be moved inside an event") {
  SseParser first;
  first.feed("data: a\nda");
  SseEvent event;
  REQUIRE(first.next(event) == SseParser::Next::more);
  SseParser second = std::move(first);
  second.feed("ta: b\n\n");
  REQUIRE(second.next(event) == SseParser::Next::event);
  REQUIRE(event.data == "a\nb");
}

TEST_CASE("SseParser::rest leaves its memory to the next parser of the thread") {
  std::thread([] {
    SseParser first;
    SseEvent event;
    first.feed("data: " + repeat("x", 5000) + "\n\ndata: y");
    REQUIRE(first.next(event) == SseParser::Next::event);
    const char* const place = event.data.data();
    REQUIRE(first.next(event) == SseParser::Next::more);
    first.rest();  // keeps its memory: half an event is in it
    first.feed("\n\n");
    REQUIRE(first.next(event) == SseParser::Next::event);
    CHECK(event.data == "y");
    REQUIRE(first.next(event) == SseParser::Next::more);
    first.rest();
    SseParser second;
    second.feed("data: z\n\n");
    REQUIRE(second.next(event) == SseParser::Next::event);
    CHECK(event.data.data() == place);
  }).join();
}

TEST_CASE("SseParser::moved_bytes counts the bytes of joined data lines") {
  SseParser parser;
  SseEvent event;
  parser.feed("data: one\ndata: three\n\n");
  REQUIRE(parser.next(event) == SseParser::Next::event);
  CHECK(parser.moved_bytes() == 5);
}

TEST_CASE("SseParser moves bytes in linear time") {
  // Counts what the buffer moves for an event in small pieces: one of a single line, and one of many lines.
  for (const std::string line : {"", "\ndata: "}) {
    check_linear([&](std::size_t size) {
      SseParser parser;
      SseEvent event;
      parser.feed("data: ");
      for (std::size_t fed = 0; fed < size; fed += 100 + line.size()) {
        parser.feed(line + repeat("x", 100));
        if (parser.next(event) != SseParser::Next::more) return std::size_t(0);
      }
      return parser.moved_bytes();
    });
  }
}
