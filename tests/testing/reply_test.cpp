#include "inferwire/testing/reply.hpp"

#include "inferwire/json.hpp"
#include "support/catch.hpp"

#include <string>

using namespace std::chrono_literals;
using namespace inferwire::testing;

namespace {

std::string body_of(const Reply& reply) {
  std::string whole;
  for (const auto& piece : reply.body) whole += piece.bytes;
  return whole;
}

const Reply stream = Reply::stream({"data: 1\n\n", "data: 2\n\n", "data: 3\n\n"});

}  // namespace

TEST_CASE("Reply::cut_after keeps exactly the bytes before the cut") {
  const auto whole = body_of(stream);
  for (std::size_t at = 0; at <= whole.size() + 1; ++at) {
    const auto cut = stream.cut_after(at, Ending::reset);
    CHECK(body_of(cut) == whole.substr(0, at));
    CHECK(cut.ending == Ending::reset);
    CHECK_FALSE(cut.body.empty());
    // A chunk that is cut inside claims more bytes than it has; no other chunk does.
    const auto& last = cut.body.back();
    CHECK(last.claimed_size.has_value() == (at % 9 != 0 && at < whole.size()));
  }
}

TEST_CASE("Reply::cut_after keeps the claimed length") {
  CHECK(Reply::json("0123456789").cut_after(4).claimed_length == 10u);
  CHECK_FALSE(stream.cut_after(4).claimed_length);
}

TEST_CASE("Reply::in_pieces_of keeps the body") {
  for (const std::size_t size : {1u, 2u, 5u, 100u}) {
    const auto pieces = stream.in_pieces_of(size, 3ms);
    CHECK(body_of(pieces) == body_of(stream));
    CHECK(pieces.framing == BodyFraming::chunked);
    for (const auto& piece : pieces.body) {
      CHECK(piece.bytes.size() <= size);
      CHECK(piece.delay == 3ms);
    }
  }
}

TEST_CASE("Reply::in_pieces_of makes pieces of at least one byte") {
  CHECK(stream.in_pieces_of(0).body.size() == stream.in_pieces_of(1).body.size());
}

TEST_CASE("Reply::in_pieces_of keeps a cut") {
  CHECK_FALSE(stream.cut_after(0).in_pieces_of(1).body.empty());
  const auto pieces = stream.cut_after(14).in_pieces_of(3).body;
  REQUIRE(pieces.size() == 5);
  CHECK_FALSE(pieces[2].claimed_size);
  CHECK_FALSE(pieces[3].claimed_size);
  CHECK(pieces[4].bytes.size() == 2);
  CHECK(pieces[4].claimed_size == 6u);  // four bytes of the chunk are missing
}

TEST_CASE("Reply::error escapes its message") {
  const auto body = inferwire::Json::parse(body_of(Reply::error(400, "a\nb\t\"c\"\\")));
  REQUIRE(body);
  CHECK(body->text() == R"({"error": {"message": "a\nb\t\"c\"\\"}})");
}
