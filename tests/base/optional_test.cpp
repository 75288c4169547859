#include "inferwire/optional.hpp"

#include "inferwire/secret.hpp"
#include "support/catch.hpp"

#include <compare>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

using namespace inferwire;

namespace {

struct Point {
  int x{};
  std::string name{};
  friend bool operator==(const Point&, const Point&) = default;
};
struct Shape {
  Optional<Point> center{};
  Optional<double> radius{};
};

/// Counts its living objects.
struct Counted {
  explicit Counted(int& alive) : alive_(&alive) { ++*alive_; }
  Counted(const Counted& other) : alive_(other.alive_) { ++*alive_; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --*alive_; }

 private:
  int* alive_;
};

}  // namespace

// Members of a temporary give values, not references, so that the result outlives the temporary.
static_assert(std::is_same_v<decltype(Optional<Point>().value()), Point>);
static_assert(std::is_same_v<decltype(*Optional<Point>()), Point>);
static_assert(std::is_same_v<decltype(*std::declval<const Optional<Point>&>()), const Point&>);

static_assert(std::is_nothrow_move_constructible_v<Optional<std::string>>);
static_assert(std::is_nothrow_move_assignable_v<Optional<std::string>>);
static_assert(std::is_standard_layout_v<Optional<std::string>>, "the field tables need offsets of members");
static_assert(!std::is_convertible_v<Optional<int>, bool>,
              "an optional must not turn into a number by accident");
static_assert(std::three_way_comparable<Optional<double>>);
static_assert(!std::three_way_comparable<Optional<Point>>);
static_assert(!std::is_convertible_v<std::string, Optional<int>>);
static_assert(!std::equality_comparable<Optional<inferwire::Secret>>);
static_assert(!std::equality_comparable_with<Optional<std::string>, int>);

TEST_CASE("Optional has no conversion that would lose most of a value") {
  using inferwire::Optional;
  STATIC_REQUIRE(std::is_convertible_v<int, Optional<std::int64_t>>);
  STATIC_REQUIRE(std::is_convertible_v<int, Optional<double>>);
  STATIC_REQUIRE(std::is_convertible_v<float, Optional<double>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<double, Optional<std::int64_t>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<bool, Optional<std::int64_t>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<const char*, Optional<bool>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<const char (&)[6], Optional<bool>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<int, Optional<bool>>);
  STATIC_REQUIRE(std::is_convertible_v<std::optional<int>, Optional<std::int64_t>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::optional<double>, Optional<std::int64_t>>);
  const Optional<std::int64_t> count = std::optional<int>(3);
  CHECK(count == 3);
  const Optional<double> none = std::optional<float>();
  CHECK_FALSE(none);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Optional<double>, Optional<std::int64_t>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Optional<int>, Optional<bool>>);
  Optional<double> assigned = Optional<int>(3);
  CHECK(assigned == 3.0);
  assigned = Optional<float>();
  CHECK_FALSE(assigned);
}

TEST_CASE("an Optional is empty until it is given a value") {
  Optional<std::string> text;
  CHECK_FALSE(text.has_value());
  CHECK(text == std::nullopt);

  text = "given";
  REQUIRE(text);
  CHECK(*text == "given");
  CHECK(text->size() == 5);

  text = std::nullopt;
  CHECK_FALSE(text);
}

TEST_CASE("an Optional is made of whatever its value is made of") {
  using Stop = std::variant<std::string, std::vector<std::string>>;
  const Optional<Stop> word = "end";
  CHECK(std::get<std::string>(*word) == "end");
  const Optional<Stop> words = std::vector<std::string>{"a", "b"};
  CHECK(std::get<1>(*words).size() == 2);
  const Optional<std::int64_t> number = 7;
  CHECK(number == 7);

  const Shape shape{.center = {{.x = 1, .name = "here"}}, .radius = 2};
  CHECK(shape.center == Point{1, "here"});
  CHECK(shape.radius == 2.0);
}

TEST_CASE("Optional<std::string> is made of a string_view") {
  const std::string text = "a text";
  const std::string_view view = text;
  Optional<std::string> copy = view.substr(2);
  CHECK(copy == "text");
  copy = view;
  CHECK(copy == text);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::string_view, Optional<int>>);
  copy = Optional<std::string_view>("another");
  CHECK(copy == "another");
  const Optional<std::string> none = Optional<std::string_view>();
  CHECK_FALSE(none);
  copy = std::optional<std::string_view>("a third");
  CHECK(copy == "a third");
}

TEST_CASE("an Optional made of a null C string is empty") {
  char text[] = "text";
  char* const there = text;
  const char* const missing = nullptr;
  CHECK(Optional<std::string>(there) == "text");
  CHECK_FALSE(Optional<std::string>(missing));
  CHECK_FALSE(Optional<std::string>(nullptr));
  Optional<inferwire::Secret> secret = there;
  REQUIRE(secret);
  CHECK(secret->reveal() == "text");
  secret = missing;
  CHECK_FALSE(secret);
  CHECK_FALSE(Optional<std::variant<std::string, int>>(missing));
}

TEST_CASE("braces assign a value to an Optional, and {} empties it") {
  Optional<Point> point;
  point = {.x = 3};
  CHECK(point == Point{3});
  point = {};
  CHECK_FALSE(point);

  Optional<int> number = 1;
  number = {};
  CHECK_FALSE(number);
}

TEST_CASE("Optionals are equal when both are absent, or both hold the same") {
  const Optional<int> none;
  const Optional<int> one = 1;
  CHECK(none == Optional<int>());
  CHECK(one == Optional<int>(1));
  CHECK(one != none);
  CHECK(none != one);
  CHECK(one == 1);
  CHECK(1 == one);
  CHECK(one != 2);
  CHECK(none != 0);
  CHECK(one != std::nullopt);
}

TEST_CASE("an empty Optional is ordered before every value") {
  const Optional<double> none;
  const Optional<double> half = 0.5;
  CHECK(none < half);
  CHECK(none < -1.0);
  CHECK_FALSE(none > 0.0);
  CHECK(half > 0.25);
  CHECK(1.0 > half);
  CHECK(half <= Optional<double>(0.5));
  CHECK_FALSE(none < Optional<double>());
}

TEST_CASE("the order of Optionals agrees with their equality") {
  const auto agree = [](const auto& a, const auto& b) {
    const auto order = a <=> b;
    const bool forth = (a < b) == (order < 0) && (a <= b) == (order <= 0) && (a == b) == (order == 0) &&
                       (a >= b) == (order >= 0) && (a > b) == (order > 0);
    const bool back = (b > a) == (order < 0) && (b >= a) == (order <= 0) && (b == a) == (order == 0) &&
                      (b <= a) == (order >= 0) && (b < a) == (order > 0);
    return forth && back;
  };
  for (const Optional<int>& one : {Optional<int>(), Optional<int>(1)}) {
    for (const Optional<int>& other : {Optional<int>(), Optional<int>(1), Optional<int>(2)}) {
      CHECK(agree(one, other));
      CHECK(agree(one, other ? Optional<std::int64_t>(*other) : Optional<std::int64_t>()));
      CHECK(agree(one, std::optional<int>(other)));
      CHECK(agree(one, other ? std::optional<std::int64_t>(*other) : std::nullopt));
      if (other) CHECK(agree(one, *other));
    }
    CHECK(agree(one, std::nullopt));
  }
}

TEST_CASE("Optional::value_or gives the fallback of an empty one") {
  Optional<std::string> text;
  CHECK(text.value_or("fallback") == "fallback");
  text = "text";
  CHECK(text.value_or("fallback") == "text");
  CHECK(std::move(text).value_or("fallback") == "text");
}

TEST_CASE("Optional::value of an empty one throws") {
  Optional<std::string> text;
  CHECK_THROWS_AS(text.value(), std::bad_optional_access);
  CHECK_THROWS_AS(std::as_const(text).value(), std::bad_optional_access);
  CHECK_THROWS_AS(std::move(text).value(), std::bad_optional_access);

  text = "text";
  text.value() += "!";
  CHECK(std::as_const(text).value() == "text!");
  CHECK(std::move(text).value() == "text!");
}

TEST_CASE("Optionals are copied and moved, empty or not, over empty ones or not") {
  const Optional<std::string> sources[] = {std::nullopt, "a text too long to lie inside of a string"};
  for (const auto& source : sources) {
    const auto copy = source;
    CHECK(copy == source);
    for (const auto& old : sources) {
      auto target = old;
      target = source;
      CHECK(target == source);

      auto moved_into = old;
      auto moved_from = source;
      moved_into = std::move(moved_from);
      CHECK(moved_into == source);
    }
  }
}

TEST_CASE("an Optional destroys its value once") {
  int alive = 0;
  {
    Optional<Counted> counted;
    CHECK(alive == 0);
    counted.emplace(alive);
    CHECK(alive == 1);
    counted.emplace(alive);
    CHECK(alive == 1);
    Optional<Counted> copy = counted;
    CHECK(alive == 2);
    copy = counted;
    CHECK(alive == 2);
    copy.reset();
    copy.reset();
    CHECK(alive == 1);
  }
  CHECK(alive == 0);
}

TEST_CASE("Optional converts from and to std::optional") {
  const std::optional<bool> standard = false;
  const Optional<bool> ours = standard;
  CHECK(ours == false);
  const std::optional<bool> back = ours;
  CHECK(back == false);

  CHECK(ours == standard);
  CHECK(std::optional<bool>(true) != ours);

  CHECK_FALSE(Optional<std::string>(std::optional<std::string>()).has_value());
  const std::optional<std::string> none = Optional<std::string>();
  CHECK_FALSE(none.has_value());
}

TEST_CASE("Optionals of two types are equal like their values") {
  CHECK(Optional<int>() == Optional<long>());
  CHECK(Optional<int>(3) == Optional<long>(3));
  CHECK_FALSE(Optional<int>(0) == Optional<long>());
}
