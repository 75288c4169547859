#include "inferwire/open_enum.hpp"

#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "support/catch.hpp"

namespace {
struct ColourWords {
  static constexpr std::string_view red = "red";
  static constexpr std::string_view green = "green";
};
using Colour = inferwire::OpenEnum<ColourWords>;
}  // namespace

static_assert(!std::is_convertible_v<Colour, bool>);
static_assert(std::is_nothrow_move_constructible_v<Colour>);

TEST_CASE("A word is compared with the constants of its vocabulary") {
  const Colour colour = Colour::red;
  CHECK(colour == Colour::red);
  CHECK(colour != Colour::green);
  CHECK(colour == "red");
  CHECK("red" == colour);
  CHECK(colour == Colour("red"));
}

TEST_CASE("A word that the vocabulary does not know is kept as it came") {
  const Colour colour = std::string("ultraviolet");
  CHECK(colour.str() == "ultraviolet");
  CHECK(std::string_view(colour) == "ultraviolet");
  CHECK(colour != Colour::red);
}

TEST_CASE("A word goes into streams of text as it came") {
  std::ostringstream out;
  out << Colour(Colour::red) << ' ' << Colour("ultraviolet");
  CHECK(out.str() == "red ultraviolet");
}

TEST_CASE("A word that was never set is empty and no constant") {
  const Colour colour;
  CHECK(colour.empty());
  CHECK(colour != Colour::red);
}

TEST_CASE("A vocabulary's word differs from another case of itself") { CHECK(Colour("Red") != Colour::red); }

TEST_CASE("Words are keys of maps, ordered and not") {
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

TEST_CASE("A word is compared with texts of every kind") {
  const Colour colour = Colour::red;
  CHECK(colour == std::string("red"));
  CHECK(std::string("green") != colour);
  CHECK(colour == std::string_view("red"));
}
