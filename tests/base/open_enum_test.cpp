#include "inferwire/open_enum.hpp"

#include "support/catch.hpp"

#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

namespace {
struct ColourWords {
  static constexpr std::string_view red = "red";
  static constexpr std::string_view green = "green";
};
using Colour = inferwire::OpenEnum<ColourWords>;
}  // namespace

static_assert(!std::is_convertible_v<Colour, bool>);
static_assert(std::is_nothrow_move_constructible_v<Colour>);
static_assert(!std::is_constructible_v<Colour, std::nullptr_t>);

TEST_CASE("an open enum compares with its constants and literals") {
  const Colour colour = Colour::red;
  CHECK(colour == Colour::red);
  CHECK(colour != Colour::green);
  CHECK(colour == "red");
  CHECK("red" == colour);
  CHECK(colour == Colour("red"));
}

TEST_CASE("an open enum keeps an unknown word as it came") {
  const Colour colour = std::string("ultraviolet");
  CHECK(colour.str() == "ultraviolet");
  CHECK(std::string_view(colour) == "ultraviolet");
  CHECK(colour != Colour::red);
}

TEST_CASE("an open enum goes into an ostream as its word") {
  std::ostringstream out;
  out << Colour(Colour::red) << ' ' << Colour("ultraviolet");
  CHECK(out.str() == "red ultraviolet");
}

TEST_CASE("a default open enum is empty and equals no constant") {
  const Colour colour;
  CHECK(colour.empty());
  CHECK(colour != Colour::red);
  const char* const unset = nullptr;
  CHECK(Colour(unset).empty());
}

TEST_CASE("an open enum compares case-sensitively") { CHECK(Colour("Red") != Colour::red); }

TEST_CASE("an open enum is a key of map and unordered_map") {
  const std::map<Colour, int> ordered{{Colour::red, 1}, {Colour::green, 2}, {"ultraviolet", 3}};
  CHECK(ordered.begin()->first == Colour::green);
  CHECK(ordered.at("ultraviolet") == 3);
  const std::unordered_map<Colour, int> hashed{{Colour::red, 1}, {Colour::green, 2}};
  CHECK(hashed.at(Colour::green) == 2);
  CHECK(Colour("a") < Colour("b"));
  CHECK(Colour("a") < "b");
  CHECK(std::string_view("b") > Colour("a"));
  CHECK(std::string("a") <= Colour("a"));
}

TEST_CASE("an open enum compares with string and string_view") {
  const Colour colour = Colour::red;
  CHECK(colour == std::string("red"));
  CHECK(std::string("green") != colour);
  CHECK(colour == std::string_view("red"));
}
