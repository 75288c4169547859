#include "http/head_reader.hpp"

#include "support/catch.hpp"

#include <limits>
#include <string>
#include <vector>

using namespace inferwire;
using inferwire::http::HeadReader;
using Line = HeadReader::Line;

namespace {

Line take_all(HeadReader& reader, const std::vector<std::string>& lines) {
  Line last{};
  for (const auto& line : lines) last = reader.take(line);
  return last;
}

}  // namespace

TEST_CASE("HeadReader reads status, reason, version and headers") {
  HeadReader reader;
  REQUIRE(take_all(reader, {"HTTP/1.1 429 Too Many Requests\r\n", "Retry-After:  7 \r\n", "X-Empty:\r\n",
                            "Set-Cookie: a: b\r\n", "\r\n"}) == Line::complete);
  REQUIRE(reader.head().status == 429);
  REQUIRE(reader.head().reason == "Too Many Requests");
  REQUIRE(reader.head().http_version == "1.1");
  REQUIRE(reader.head().headers == Headers{{"Retry-After", "7"}, {"X-Empty", ""}, {"Set-Cookie", "a: b"}});
}

TEST_CASE("HeadReader reads a status line in any case") {
  for (const std::string line : {"http/1.1 503 Busy\r\n", "Http/1.1 503 Busy\r\n"}) {
    HeadReader reader;
    REQUIRE(take_all(reader, {line, "a: 1\r\n", "\r\n"}) == Line::complete);
    REQUIRE(reader.head().status == 503);
    REQUIRE(reader.head().http_version == "1.1");
    REQUIRE(reader.head().reason == "Busy");
    REQUIRE(reader.head().headers == Headers{{"a", "1"}});
  }
}

TEST_CASE("HeadReader takes a status line only where a head begins") {
  HeadReader reader;
  REQUIRE(take_all(reader, {"HTTP/1.1 200 OK\r\n", "a: 1\r\n", "HTTP/x: y\r\n", "http/1.1 500 No\r\n",
                            "\r\n"}) == Line::complete);
  REQUIRE(reader.head().status == 200);
  REQUIRE(reader.head().headers == Headers{{"a", "1"}, {"HTTP/x", "y"}});
  reader.reset();
  REQUIRE(take_all(reader, {"HTTP/1.1 103 Early Hints\r\n", "HTTP/x: y\r\n", "\r\n",
                            "http/1.1 201 Created\r\n", "\r\n"}) == Line::complete);
  REQUIRE(reader.head().status == 201);
  REQUIRE(reader.head().headers.empty());
}

TEST_CASE("HeadReader passes over interim answers and trailers") {
  HeadReader reader;
  REQUIRE(take_all(reader, {"HTTP/1.1 103 Early Hints\r\n", "Link: x\r\n", "\r\n"}) == Line::more);
  REQUIRE(take_all(reader, {"HTTP/2 200\r\n", "a: 1\r\n", "\r\n"}) == Line::complete);
  REQUIRE(reader.head().http_version == "2");
  REQUIRE(reader.head().reason.empty());
  REQUIRE(take_all(reader, {"trailer: 1\r\n", "\r\n"}) == Line::more);
  REQUIRE(reader.head().headers == Headers{{"a", "1"}});
}

TEST_CASE("HeadReader::release_headers keeps the rest of the head, and that it is complete") {
  HeadReader reader;
  take_all(reader, {"HTTP/1.1 200 OK\r\n", "a: 1\r\n", "\r\n"});
  reader.release_headers();
  REQUIRE(reader.head().status == 200);
  REQUIRE(reader.head().headers.empty());
  REQUIRE(reader.complete());
  REQUIRE(take_all(reader, {"trailer: 1\r\n", "\r\n"}) == Line::more);
  REQUIRE(reader.head().headers.empty());
  reader.reset();
  take_all(reader, {"HTTP/1.1 200 OK\r\n", "b: 2\r\n", "\r\n"});
  REQUIRE(reader.head().headers == Headers{{"b", "2"}});
}

TEST_CASE("HeadReader joins folded lines and leaves out lines that are no headers") {
  HeadReader reader;
  take_all(reader, {"HTTP/1.1 200 OK\n", " lost\n", "a: 1\n", "\t2\n", "nonsense\n", "\n"});
  REQUIRE(reader.head().headers == Headers{{"a", "1 2"}});
}

TEST_CASE("HeadReader limits the head, in one line, in many, or in trailers") {
  HeadReader one;
  one.take("HTTP/1.1 200 OK\r\n");
  REQUIRE(one.take("a: " + std::string(HeadReader::max_bytes, 'x') + "\r\n") == Line::too_large);
  HeadReader many;
  auto last = many.take("HTTP/1.1 200 OK\r\n");
  for (int i = 0; i < 300 && last == Line::more; ++i)
    last = many.take("a: " + std::string(1000, 'x') + "\r\n");
  REQUIRE(last == Line::too_large);
  HeadReader trailers;
  REQUIRE(take_all(trailers, {"HTTP/1.1 200 OK\r\n", "\r\n"}) == Line::complete);
  last = Line::more;
  for (int i = 0; i < 300 && last == Line::more; ++i)
    last = trailers.take("a: " + std::string(1000, 'x') + "\r\n");
  REQUIRE(last == Line::too_large);
}

TEST_CASE("HeadReader::longer_than reads Content-Length, and takes an unreadable one for huge") {
  const auto length_by = [](const std::string& header, std::uint64_t bytes = 1000) {
    HeadReader reader;
    take_all(reader, {"HTTP/1.1 200 OK\r\n", header + "\r\n", "\r\n"});
    return reader.longer_than(bytes);
  };
  REQUIRE(length_by("Content-Length: 1001") == 1001u);
  REQUIRE(length_by("Content-Length: 1000") == std::nullopt);
  REQUIRE(length_by("Content-Length: 1", 0) == 1u);
  REQUIRE(length_by("Content-Length: 157, 157") == std::nullopt);
  REQUIRE(length_by("Content-Length: 157, 157", 100) == 157u);
  REQUIRE(length_by("Content-Length: 5368709120") == 5368709120u);
  REQUIRE(length_by("content-length: 99999999999999999999999") == std::numeric_limits<std::uint64_t>::max());
  REQUIRE(length_by("content-length: -1") == std::numeric_limits<std::uint64_t>::max());
  REQUIRE(length_by("x: 1") == std::nullopt);
  REQUIRE(length_by("Transfer-Encoding: chunked") == std::nullopt);
  HeadReader both;  // RFC 9112 6.3: the length does not count
  take_all(both,
           {"HTTP/1.1 200 OK\r\n", "Content-Length: 1001\r\n", "Transfer-Encoding: chunked\r\n", "\r\n"});
  REQUIRE(both.longer_than(1000) == std::nullopt);
}
