// A program's own structs: their schemas, and reading and writing them as JSON.
#include "inferwire/schema.hpp"
#include "support/catch.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace inferwire;

enum class End { sea, lake, river };
INFERWIRE_DESCRIBE_WORDS(End, sea, lake, river)

struct Stop {
  std::string name{};
  double km{};
  friend bool operator==(const Stop&, const Stop&) = default;
};
INFERWIRE_DESCRIBE(Stop, name, km)

struct River {
  std::string name{};
  std::int16_t km{};
  bool navigable{};
  Optional<End> ends_in{};
  std::optional<std::string> source{};
  std::vector<Stop> stops{};
  Json more{};
  friend bool operator==(const River&, const River&) = default;
};
constexpr auto inferwire_description(const River*) {
  using inferwire::member;
  return inferwire::describe("River", member("name", &River::name, {.description = "In \"English\""}),
                             member("km", &River::km, {.minimum = 1, .maximum = 7000}),
                             member("navigable", &River::navigable), member("ends_in", &River::ends_in),
                             member("source", &River::source),
                             member("stops", &River::stops, {.max_items = 2}), member("more", &River::more));
}

struct Lake {
  std::string name{};
  double depth{};
  std::vector<std::string> fish{};
  bool salty{};
};
INFERWIRE_DESCRIBE(Lake, (name, "In English, or \"\""), (depth, "In metres, at its deepest", .minimum = 0),
                   (fish, {}, .max_items = 2), (salty))

struct Node {
  int value{};
  std::vector<Node> children{};
};
INFERWIRE_DESCRIBE(Node, value, children)

struct Forest {
  std::vector<Node> trees{};
  Optional<Node> best{};
};
INFERWIRE_DESCRIBE(Forest, trees, best)

struct Plan {
  Node root{};
  Optional<Node> other{};
};
constexpr auto inferwire_description(const Plan*) {
  using inferwire::member;
  return inferwire::describe("Plan", member("root", &Plan::root, {.description = "The root"}),
                             member("other", &Plan::other, {.description = "Another"}));
}

struct Flags {
  std::vector<bool> set{};
  std::vector<std::vector<bool>> rows{};
  friend bool operator==(const Flags&, const Flags&) = default;
};
INFERWIRE_DESCRIBE(Flags, set, rows)

struct Body {
  std::array<double, 3> place{};
  std::array<bool, 2> seen{};
  std::vector<std::array<int, 2>> path{};
  Optional<std::array<std::string, 1>> name{};
  friend bool operator==(const Body&, const Body&) = default;
};
INFERWIRE_DESCRIBE(Body, (place, "Metres from the origin"), seen, path, name)

struct Bounds {
  std::int8_t wide{};
  std::uint16_t narrow{};
  Optional<unsigned> open{};
};
constexpr auto inferwire_description(const Bounds*) {
  using inferwire::member;
  return inferwire::describe("Bounds", member("wide", &Bounds::wide, {.minimum = -1000, .maximum = 1000}),
                             member("narrow", &Bounds::narrow, {.minimum = 3, .maximum = 5}),
                             member("open", &Bounds::open, {.minimum = -1}));
}

struct Counts {
  std::int64_t up{};
  std::int64_t down{};
};
INFERWIRE_DESCRIBE(Counts, (up, {}, .minimum = -0.5, .maximum = 9007199254740992),
                   (down, {}, .minimum = -9007199254740992, .maximum = 0.5))

struct Nothing {
  friend bool operator==(const Nothing&, const Nothing&) = default;
};
constexpr auto inferwire_description(const Nothing*) { return inferwire::describe("Nothing"); }

struct Numbers {
  std::int8_t small{};
  unsigned char byte{};
  std::uint64_t large{};
  std::int64_t low{};
  float part{};
  friend bool operator==(const Numbers&, const Numbers&) = default;
};
INFERWIRE_DESCRIBE(Numbers, small, byte, large, low, part)

struct LongStop : Stop {
  std::string more{};
};

template <class T>
struct Box {
  T a{};
};
INFERWIRE_DESCRIBE(Box<int>, a)

template <class First, class Second>
struct Pair {
  First first{};
  Second second{};
};
using Range = Pair<int, int>;
INFERWIRE_DESCRIBE(Range, first, second)

class Account {
 public:
  explicit Account(int start = 0) : cents(start) {}
  int balance() const { return cents / 100; }

 private:
  int cents;
  std::vector<Account> parts{};
  friend INFERWIRE_DESCRIBE(Account, (cents, "The balance", .minimum = 0), parts)
};

enum class Many { word };
#define INFERWIRE_TEST_TEN word, word, word, word, word, word, word, word, word, word
#define INFERWIRE_TEST_SIXTY                                                                          \
  INFERWIRE_TEST_TEN, INFERWIRE_TEST_TEN, INFERWIRE_TEST_TEN, INFERWIRE_TEST_TEN, INFERWIRE_TEST_TEN, \
      INFERWIRE_TEST_TEN
INFERWIRE_DESCRIBE_WORDS(Many, INFERWIRE_TEST_SIXTY, INFERWIRE_TEST_SIXTY, word, word)
static_assert(inferwire_description(static_cast<const Many*>(nullptr)).words.size() == 122);
#undef INFERWIRE_TEST_SIXTY
#undef INFERWIRE_TEST_TEN

// A long list of words that begin alike, as programs generate them.
enum class Article : std::uint8_t {};
constexpr auto article_names = [] {
  std::array<std::array<char, 18>, 250> names{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string_view("article_number_").copy(names[i].data(), 15);
    for (std::size_t place = 18, rest = i; place-- > 15; rest /= 10) {
      names[i][place] = static_cast<char>('0' + rest % 10);
    }
  }
  return names;
}();
template <std::size_t... Number>
constexpr auto describe_articles(std::index_sequence<Number...> /*numbers*/) {
  return inferwire::describe_words("Article",
                                   inferwire::word({article_names[Number].data(), 18}, Article{Number})...);
}
constexpr auto inferwire_description(const Article*) {
  return describe_articles(std::make_index_sequence<article_names.size()>());
}
struct Sale {
  Article article{};
};
INFERWIRE_DESCRIBE(Sale, article)

struct Outer {
  struct Inner {
    int a{};
  };
};
INFERWIRE_DESCRIBE(Outer::Inner, a)

struct Empty {};
INFERWIRE_DESCRIBE(Empty)

struct Preset {
  Optional<int> count{5};
};
INFERWIRE_DESCRIBE(Preset, count)

enum class Round { circle };
constexpr auto inferwire_description(const Round*) {
  return inferwire::describe_words("Round", inferwire::word("circle", Round::circle));
}
enum class Straight { square, oblong };
INFERWIRE_DESCRIBE_WORDS(Straight, square, oblong)

struct Circle {
  Round kind{};
  double size{};
  friend bool operator==(const Circle&, const Circle&) = default;
};
INFERWIRE_DESCRIBE(Circle, kind, size)

struct Box4 {
  Straight kind{};
  double size{};
  Optional<double> height{};
  friend bool operator==(const Box4&, const Box4&) = default;
};
INFERWIRE_DESCRIBE(Box4, kind, size, height)

struct Drawing {
  std::variant<Circle, Box4> first{};
  std::vector<std::variant<double, std::string, Circle, std::vector<bool>>> more{};
  Optional<std::variant<Box4, Circle>> last{};
  friend bool operator==(const Drawing&, const Drawing&) = default;
};
INFERWIRE_DESCRIBE(Drawing, (first, "Below all others"), more, last)

struct Leaf {
  int value{};
};
INFERWIRE_DESCRIBE(Leaf, value)
// The members have no {}, since that keeps Clang and libstdc++ from making one of these variants.
struct Sum {
  std::vector<std::variant<Leaf, Sum>> left;
  std::vector<std::variant<Sum, Leaf>> right;
};
INFERWIRE_DESCRIBE(Sum, left, right)
struct Product {
  std::vector<std::variant<Leaf, Product, Sum>> left;
  std::vector<std::variant<Leaf, Sum, Product>> right;
};
INFERWIRE_DESCRIBE(Product, left, right)

struct Reading {
  std::variant<int, double> value{};
  std::variant<std::vector<std::string>, std::vector<int>> list{};
};
INFERWIRE_DESCRIBE(Reading, value, list)

struct Short {
  int a{};
};
INFERWIRE_DESCRIBE(Short, a)
struct Long {
  int a{}, b{};
};
INFERWIRE_DESCRIBE(Long, a, b)
struct Either {
  std::variant<Long, Short> one{};
};
INFERWIRE_DESCRIBE(Either, one)
struct Loose {
  std::variant<Short, std::vector<Short>, inferwire::Json> one{};
};
INFERWIRE_DESCRIBE(Loose, one)
struct Wide {
  int a{};
  Optional<int> c{};
};
INFERWIRE_DESCRIBE(Wide, a, c)
struct Sized {
  std::variant<Wide, Long, Short> box{};
};
INFERWIRE_DESCRIBE(Sized, box)

struct Flat {
  std::array<double, 2> at{};
};
INFERWIRE_DESCRIBE(Flat, at)
struct Solid {
  std::array<double, 3> at{};
};
INFERWIRE_DESCRIBE(Solid, at)
struct Sites {
  std::variant<std::array<double, 2>, std::array<double, 3>> here{};
  std::variant<Flat, Solid> there{};
};
INFERWIRE_DESCRIBE(Sites, here, there)
struct Amounts {
  std::variant<float, double> one{};
  std::variant<std::vector<int>, std::vector<double>> all{};
  std::variant<std::vector<std::array<int, 2>>, std::vector<std::vector<int>>> rows{};
};
INFERWIRE_DESCRIBE(Amounts, one, all, rows)
struct Bounded {
  int k{};
};
INFERWIRE_DESCRIBE(Bounded, (k, {}, .maximum = 10))
struct Unlike {
  Optional<int> z{};
};
INFERWIRE_DESCRIBE(Unlike, z)
struct Lists {
  std::variant<std::vector<Bounded>, std::vector<Unlike>> all{};
};
INFERWIRE_DESCRIBE(Lists, all)
struct Success {
  std::vector<Stop> result{};
};
INFERWIRE_DESCRIBE(Success, result)
struct Failure {
  std::string result{};
  Optional<int> code{};
};
INFERWIRE_DESCRIBE(Failure, result, code)
struct Letters {
  std::vector<std::string> result{};
};
INFERWIRE_DESCRIBE(Letters, result)
struct Ended {
  std::variant<Success, Failure, Letters> is{};
  std::vector<std::variant<std::vector<Success>, std::vector<Failure>>> before{};
};
INFERWIRE_DESCRIBE(Ended, is, before)
struct Small {
  int size{};
  std::vector<int> parts{};
};
INFERWIRE_DESCRIBE(Small, (size, {}, .maximum = 10), (parts, {}, .max_items = 1))
struct Large {
  int size{};
  std::vector<int> parts{};
};
INFERWIRE_DESCRIBE(Large, (size, {}, .minimum = 11), (parts, {}, .min_items = 2))
struct AnySize {
  int size{};
  std::vector<int> parts{};
  Optional<int> more{};
};
INFERWIRE_DESCRIBE(AnySize, size, parts, more)
struct Parcel {
  std::variant<Small, Large, AnySize> is{};
};
INFERWIRE_DESCRIBE(Parcel, is)

struct Refused {
  Optional<std::string> reason{};
  friend bool operator==(const Refused&, const Refused&) = default;
};
INFERWIRE_DESCRIBE(Refused, reason)
struct Done {
  Optional<int> code{};
  Optional<End> ends_in{};
  friend bool operator==(const Done&, const Done&) = default;
};
INFERWIRE_DESCRIBE(Done, code, ends_in)
struct Ran {
  Optional<int> code{};
  Optional<Round> ends_in{};
  friend bool operator==(const Ran&, const Ran&) = default;
};
INFERWIRE_DESCRIBE(Ran, code, ends_in)
struct Outcome {
  std::variant<Refused, Done, Ran> is{};
};
INFERWIRE_DESCRIBE(Outcome, is)

namespace north {
struct Town {
  std::vector<Town> near;
};
INFERWIRE_DESCRIBE(Town, near)
}  // namespace north
namespace south {
struct Town {
  std::vector<Town> near;
};
INFERWIRE_DESCRIBE(Town, near)
}  // namespace south
struct Town_2 {
  std::vector<Town_2> near;
};
INFERWIRE_DESCRIBE(Town_2, near)
struct Towns {
  std::vector<Town_2> first{};
  std::vector<north::Town> second{};
  std::vector<south::Town> third{};
};
INFERWIRE_DESCRIBE(Towns, first, second, third)

River rhine() {
  return {.name = "Rhine",
          .km = 1230,
          .navigable = true,
          .ends_in = End::sea,
          .stops = {{"Basel", 166.5}},
          .more = Json::raw("[1]")};
}

const std::string rhine_text =
    R"({"name":"Rhine","km":1230,"navigable":true,"ends_in":"sea","stops":[{"name":"Basel","km":166.5}],)"
    R"("more":[1]})";

}  // namespace

TEST_CASE("schema_of a described struct is strict in all its parts") {
  CHECK(schema_of<River>().text() ==
        R"({"type":"object","properties":{)"
        R"("name":{"description":"In \"English\"","type":"string"},)"
        R"("km":{"type":"integer","minimum":1,"maximum":7000},)"
        R"("navigable":{"type":"boolean"},)"
        R"("ends_in":{"type":["string","null"],"enum":["sea","lake","river",null]},)"
        R"("source":{"type":["string","null"]},)"
        R"("stops":{"type":"array","maxItems":2,"items":{"type":"object","properties":{)"
        R"("name":{"type":"string"},"km":{"type":"number"}},"required":["name","km"],)"
        R"("additionalProperties":false}},"more":{}},)"
        R"("required":["name","km","navigable","ends_in","source","stops","more"],)"
        R"("additionalProperties":false})");
  CHECK(schema_of<Nothing>().text() ==
        R"({"type":"object","properties":{},"required":[],"additionalProperties":false})");
  CHECK(inferwire::name_of<River>() == "River");
}

TEST_CASE("schema_of has the description and bounds of a member") {
  CHECK(schema_of<Lake>().text() ==
        R"({"type":"object","properties":{)"
        R"("name":{"description":"In English, or \"\"","type":"string"},)"
        R"("depth":{"description":"In metres, at its deepest","type":"number","minimum":0},)"
        R"("fish":{"type":"array","maxItems":2,"items":{"type":"string"}},"salty":{"type":"boolean"}},)"
        R"("required":["name","depth","fish","salty"],"additionalProperties":false})");
}

TEST_CASE("schema_of a recursive struct refers to itself") {
  CHECK(schema_of<Node>().text() ==
        R"({"type":"object","properties":{"value":{"type":"integer"},"children":{"type":"array","items":)"
        R"({"$ref":"#"}}},"required":["value","children"],"additionalProperties":false})");
  // Inside another struct its schema is in $defs, where all providers look for it. An element of a list is
  // never null.
  CHECK(schema_of<Forest>().text() ==
        R"({"type":"object","properties":{"trees":{"type":"array","items":{"$ref":"#/$defs/Node"}},)"
        R"("best":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}},"required":["trees","best"],)"
        R"("additionalProperties":false,"$defs":{"Node":{"type":"object","properties":{"value":)"
        R"({"type":"integer"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}}},)"
        R"("required":["value","children"],"additionalProperties":false}}})");
  CHECK(Json::parse(schema_of<Forest>().text()));
  const auto tree = from_json<Node>(Json::raw(R"({"value":1,"children":[{"value":2,"children":[]}]})"));
  REQUIRE(tree);
  CHECK(tree->children.at(0).value == 2);
}

TEST_CASE("schema_of a variant has the schemas of its alternatives") {
  const std::string circle =
      R"({"type":"object","properties":{"kind":{"type":"string","enum":["circle"]},"size":{"type":"number"}},)"
      R"("required":["kind","size"],"additionalProperties":false})";
  const std::string box =
      R"({"type":"object","properties":{"kind":{"type":"string","enum":["square","oblong"]},)"
      R"("size":{"type":"number"},"height":{"type":["number","null"]}},)"
      R"("required":["kind","size","height"],"additionalProperties":false})";
  const auto schema = schema_of<Drawing>();
  const auto at = [&schema](const char* place) { return schema.find(place).value_or(Json()).text(); };
  CHECK(at("/properties/first") ==
        R"({"description":"Below all others","anyOf":[)" + circle + "," + box + "]}");
  CHECK(at("/properties/more/items") == R"({"anyOf":[{"type":"number"},{"type":"string"},)" + circle +
                                            R"(,{"type":"array","items":{"type":"boolean"}}]})");
  CHECK(at("/properties/last") == R"({"anyOf":[)" + box + "," + circle + R"(,{"type":"null"}]})");
  const auto sum = schema_of<Sum>();
  CHECK(sum.find("/properties/left/items/anyOf/1")->text() == R"({"$ref":"#"})");
  const auto product = schema_of<Product>();
  CHECK(product.find("/properties/right/items/anyOf/1")->text() == R"({"$ref":"#/$defs/Sum"})");
  CHECK(product.find("/$defs/Sum/properties/right/items/anyOf/0")->text() == R"({"$ref":"#/$defs/Sum"})");
}

TEST_CASE("from_json reads a variant as the alternative that fits") {
  const std::string text =
      R"({"first":{"kind":"oblong","size":2,"height":3.5},"more":[1.5,"a",{"kind":"circle","size":1},[true]],)"
      R"("last":{"kind":"circle","size":4}})";
  const auto drawing = from_json<Drawing>(Json::raw(text)).value();
  CHECK(drawing == Drawing{.first = Box4{Straight::oblong, 2, 3.5},
                           .more = {1.5, "a", Circle{Round::circle, 1}, std::vector<bool>{true}},
                           .last = Circle{Round::circle, 4}});
  CHECK(to_json(drawing).value().text() == text);
  CHECK_FALSE(from_json<Drawing>(Json::raw(R"({"first":{"kind":"circle","size":1},"more":[],"last":null})"))
                  .value()
                  .last);
}

TEST_CASE("a variant's alternatives are told apart by the size of a number and a list's first element") {
  const auto read = [](const std::string& value, const std::string& list) {
    return from_json<Reading>(Json::raw(R"({"value":)" + value + R"(,"list":)" + list + "}"));
  };
  CHECK(std::get<int>(read("7", "[]").value().value) == 7);
  CHECK(std::get<double>(read("3000000000", "[]").value().value) == 3e9);
  CHECK(std::get<1>(read("7", "[1]").value().list) == std::vector<int>{1});
  CHECK(std::get<0>(read("7", R"(["a"])").value().list) == std::vector<std::string>{"a"});
  CHECK(read("7", "[null]").error().path == "list[0]");
  CHECK(read("7", R"([1,"a"])").error().path == "list[1]");
  const auto twice = from_json<Either>(Json::raw(R"({"one":{"a":1,"a":2}})")).value();
  CHECK(std::get<Short>(twice.one).a == 2);
}

TEST_CASE("a variant's alternatives are told apart by the size of an array") {
  const auto read = [](const std::string& here, const std::string& there) {
    return from_json<Sites>(R"({"here":)" + here + R"(,"there":{"at":)" + there + "}}");
  };
  CHECK(read("[1,2]", "[1,2]").value().here.index() == 0);
  CHECK(std::get<1>(read("[1,2,3]", "[1,2]").value().here) == std::array{1.0, 2.0, 3.0});
  CHECK(read("[1,2]", "[1,2]").value().there.index() == 0);
  CHECK(std::get<Solid>(read("[1,2]", "[1,2,3]").value().there).at[2] == 3);
  CHECK(read("[1]", "[1,2]").error().detail == "expected 2 elements, but got 1");
  CHECK(read("[1,2]", "[]").error().path == "there.at");
}

TEST_CASE("a variant's alternatives are told apart by all elements of a list, and by a float's range") {
  const auto read = [](const std::string& one, const std::string& all, const std::string& rows = "[]") {
    return from_json<Amounts>(R"({"one":)" + one + R"(,"all":)" + all + R"(,"rows":)" + rows + "}");
  };
  CHECK(std::get<float>(read("0.1", "[]").value().one) == 0.1F);
  CHECK(std::get<float>(read("3.4028235e38", "[]").value().one) == std::numeric_limits<float>::max());
  CHECK(std::get<double>(read("1e300", "[]").value().one) == 1e300);
  CHECK(std::get<0>(read("1", "[1,2.0]").value().all) == std::vector<int>{1, 2});
  CHECK(std::get<1>(read("1", "[1,2.5]").value().all) == std::vector<double>{1, 2.5});
  std::string many = "[0";
  for (int i = 0; i < 1000; ++i) many += ",1";
  CHECK(std::get<1>(read("1", many + ",0.5]").value().all).back() == 0.5);
  CHECK(read("1", "[1]", "[[1,2],[3,4]]").value().rows.index() == 0);
  CHECK(read("1", "[1]", "[[1,2],[3]]").value().rows.index() == 1);
  CHECK(read("1", R"([1,2.5,"a"])").error().path == "all[2]");
}

TEST_CASE("a variant's Json takes what no other alternative can be read from") {
  const auto read = [](const std::string& one) {
    return from_json<Loose>(Json::raw(R"({"one":)" + one + "}")).value().one;
  };
  CHECK(std::get<Short>(read(R"({"a":1})")).a == 1);
  for (const std::string text : {R"({"a":true})", R"([{"a":1},{"a":true}])", R"({"b":1})", "7"})
    CHECK(std::get<Json>(read(text)).text() == text);
}

TEST_CASE("an element with a wrong value does not make a list another alternative") {
  const auto path_in = [](const std::string& all) {
    return from_json<Lists>(R"({"all":)" + all + "}").error().path;
  };
  CHECK(path_in(R"([{"k":5},{"k":50}])") == "all[1].k");
  CHECK(path_in(R"([{"k":5},{"k":"x"},{"k":6}])") == "all[1].k");
  CHECK(from_json<Lists>(R"({"all":[{"k":5},{"k":6}]})").value().all.index() == 0);
  CHECK(from_json<Lists>(R"({"all":[{"z":5}]})").value().all.index() == 1);
}

TEST_CASE("a variant's alternatives are told apart by the values of their members") {
  const auto is = [](const std::string& result) {
    return from_json<Ended>(R"({"is":{"result":)" + result + R"(},"before":[]})");
  };
  CHECK(std::get<Success>(is("[]").value().is).result.empty());
  CHECK(std::get<Success>(is(R"([{"name":"a","km":1}])").value().is).result.size() == 1);
  CHECK(std::get<Failure>(is(R"("no")").value().is).result == "no");
  CHECK(std::get<Letters>(is(R"(["a"])").value().is).result.size() == 1);
  CHECK(is("7").error().path == "is.result");
  CHECK(is(R"([{"name":"a"}])").error().path == "is.result[0].km");
  const auto lists = from_json<Ended>(
      R"({"is":{"result":"no"},"before":[[{"result":[]}],[{"result":"no"}],[{"result":"a"},{"result":[]}]]})");
  REQUIRE_FALSE(lists);
  CHECK(lists.error().path == "before[2][1].result");

  const auto parcel = [](const std::string& document) {
    return from_json<Parcel>(R"({"is":)" + document + "}").value().is.index();
  };
  CHECK(parcel(R"({"size":10,"parts":[]})") == 0);
  CHECK(parcel(R"({"size":11,"parts":[1,2]})") == 1);
  CHECK(parcel(R"({"size":11,"parts":[1]})") == 2);
  // The alternative that has most of the document's members is chosen first.
  CHECK(parcel(R"({"size":1,"parts":[],"more":2})") == 2);
}

TEST_CASE("a variant's alternatives are told apart by their optional members") {
  const auto read = [](const std::string& document) {
    return from_json<Outcome>(Json::raw(R"({"is":)" + document + "}")).value().is;
  };
  using Is = std::variant<Refused, Done, Ran>;
  CHECK(read("{}") == Is(Refused()));
  CHECK(read(R"({"reason":null})") == Is(Refused()));
  CHECK(read(R"({"code":1})") == Is(Done{.code = 1}));
  CHECK(read(R"({"more":0,"code":1,"ends_in":null})") == Is(Done{.code = 1}));
  CHECK(read(R"({"ends_in":"lake"})") == Is(Done{.ends_in = End::lake}));
  CHECK(read(R"({"ends_in":"circle","code":1})") == Is(Ran{.code = 1, .ends_in = Round::circle}));
  // The alternative that loses no members of the document, and whose own members are all present, is chosen.
  const auto sized = [](const char* last) { return from_json<Sized>(Json::raw(last)).value().box.index(); };
  CHECK(sized(R"({"box":{"a":1,"b":2}})") == 1);
  CHECK(sized(R"({"box":{"a":1}})") == 2);
}

TEST_CASE("schema_of gives structs of the same name different definitions") {
  const auto definitions = schema_of<Towns>().find("/$defs").value().members();
  std::vector<std::string> names;
  for (const auto& definition : definitions) names.push_back(definition.name);
  CHECK(names == std::vector<std::string>{"Town_2", "Town", "Town_3"});
}

TEST_CASE("from_json of a variant names what fits no alternative, with its path") {
  const auto refusal = [](const std::string& first, const std::string& more = "") {
    const auto read = from_json<Drawing>(Json::raw(R"({"first":)" + first + R"(,"more":[)" + more + "]}"));
    if (read) FAIL("it was read");
    CHECK(read.error().kind == ErrorKind::schema);
    return read.error().path + ": " + read.error().detail;
  };
  CHECK(refusal("7") == "first: expected one of these: Circle, Box4; but got a number that is none of them");
  CHECK(refusal(R"({"kind":"oval","size":1})") ==
        "first: expected one of these: Circle, Box4; but got an object that is none of them");
  CHECK(refusal(R"({"kind":"square"})") == "first.size: it is missing");
  CHECK(refusal(R"({"size":"a","kind":"square"})") == "first.size: expected a number, but got a string");
  CHECK(refusal(R"({"kind":"circle","size":1})", "null") ==
        "more[0]: expected one of these: a number, a string, Circle, a list; but got null that is none of "
        "them");
}

TEST_CASE("from_json of variants that hold each other takes linear time") {
  std::string text = "7";
  for (int level = 0; level < 100; ++level) text = R"({"left":[],"right":[)" + text + "]}";
  const auto read = from_json<Product>(Json::raw(text));
  REQUIRE_FALSE(read);
  CHECK(read.error().path.ends_with("right[0].right[0]"));
}

TEST_CASE("from_json and to_json of a described struct") {
  const auto river = from_json<River>(Json::raw(rhine_text));
  REQUIRE(river);
  CHECK(*river == rhine());
  CHECK(to_json(rhine()).value().text() == rhine_text);
  const auto spaced = from_json<Stop>(Json::raw(" { \"km\" : 1e2 , \"n\\u0061me\" : \"a\\n\" } "));
  REQUIRE(spaced);
  CHECK(*spaced == Stop{"a\n", 100});
  CHECK(from_json<Nothing>(Json::raw("{}")) == Nothing());
}

TEST_CASE("numbers keep their values, and schema_of has the bounds of their types") {
  const Numbers numbers{-128, 255, std::numeric_limits<std::uint64_t>::max(),
                        std::numeric_limits<std::int64_t>::min(), 0.1F};
  const std::string text =
      R"({"small":-128,"byte":255,"large":18446744073709551615,"low":-9223372036854775808,"part":0.1})";
  CHECK(to_json(numbers).value().text() == text);
  CHECK(from_json<Numbers>(Json::raw(text)) == numbers);
  CHECK(schema_of<Numbers>().find("/properties/small")->text() ==
        R"({"type":"integer","minimum":-128,"maximum":127})");
  CHECK(schema_of<Numbers>().find("/properties/large")->text() == R"({"type":"integer","minimum":0})");
  for (const auto& [from, to] : {std::pair{"-128", "-129"}, std::pair{"255", "-1"},
                                 std::pair{"18446744073709551615", "18446744073709551616"},
                                 std::pair{"-9223372036854775808", "9223372036854775808"},
                                 std::pair{"0.1}", "1e300}"}, std::pair{"0.1}", "1e400}"}}) {
    auto changed = text;
    changed.replace(changed.find(from), std::string(from).size(), to);
    CAPTURE(changed);
    CHECK_THAT(from_json<Numbers>(Json::raw(changed)).error().detail, inferwire_test::contains("that fits"));
  }
  CHECK(from_json<Numbers>(Json::raw(R"({"small":-0,"byte":1e1,"large":0,"low":-1.0e1,"part":1})")).value() ==
        Numbers{0, 10, 0, -10, 1});
}

TEST_CASE("schema_of puts nothing beside a $ref") {
  const auto schema = schema_of<Plan>();
  CHECK(schema.find("/properties/root")->text() ==
        R"({"description":"The root","anyOf":[{"$ref":"#/$defs/Node"}]})");
  CHECK(schema.find("/properties/other")->text() ==
        R"({"description":"Another","anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]})");
}

TEST_CASE("a float is read and written exactly up to its limits") {
  struct Row {
    const char* text;
    float value;
  };
  const auto most = std::numeric_limits<float>::max();
  for (const auto& [text, value] :
       {Row{"3.4028235e+38", most}, Row{"-3.4028235e38", -most},
        Row{"1e-45", std::numeric_limits<float>::denorm_min()}, Row{"1e-60", 0},
        // Numbers just beside the middle of two floats, closer than a double can represent.
        Row{"1.00000017881393432617187499", 1.0000001F}, Row{"1.00000017881393432617187501", 1.0000002F}}) {
    CAPTURE(text);
    const auto document = R"({"small":0,"byte":0,"large":0,"low":0,"part":)" + std::string(text) + "}";
    const auto read = from_json<Numbers>(Json::raw(document));
    REQUIRE(read);
    CHECK(read->part == value);
    CHECK(from_json<Numbers>(to_json(*read).value()) == *read);
  }
  CHECK_FALSE(from_json<Numbers>(Json::raw(R"({"small":0,"byte":0,"large":0,"low":0,"part":3.4028236e38})")));
}

TEST_CASE("from_json reads an integer in any notation") {
  const auto low = [](std::string_view text) {
    return from_json<Numbers>(
        Json::raw(R"({"small":0,"byte":0,"large":0,"low":)" + std::string(text) + R"(,"part":0})"));
  };
  struct Row {
    const char* text;
    std::int64_t value;
  };
  for (const auto& [text, value] :
       {Row{"1e18", 1'000'000'000'000'000'000}, Row{"-9.223372036854775808E+18", INT64_MIN},
        Row{"123450e-1", 12'345}, Row{"-0.0e7", 0}, Row{"0e99999999", 0}, Row{"0.0e99999999999", 0},
        Row{"1.20", -1}}) {
    CAPTURE(text);
    if (value == -1) {
      CHECK(low(text).error().detail == "expected an integer, but got 1.20");
    } else {
      CHECK(low(text).value().low == value);
    }
  }
  for (const auto* const text :
       {"1e19", "9.223372036854775808e18", "1e9999999999999", "12e18", "1.5e-2147483648"}) {
    CAPTURE(text);
    CHECK_THAT(low(text).error().detail, inferwire_test::contains("an integer that fits"));
  }
}

TEST_CASE("an enum may have hundreds of long words") {
  const auto sale = Json::parse(R"({"article":"article_number_249"})");
  const auto read = from_json<Sale>(sale.value());
  REQUIRE(read);
  CHECK(read->article == Article{249});
}

TEST_CASE("from_json holds an integer to the bounds of its type") {
  const auto fits = [](const std::string& up, const std::string& down) {
    return from_json<Counts>(Json::raw(R"({"up":)" + up + R"(,"down":)" + down + "}")).has_value();
  };
  CHECK(fits("9007199254740992", "-9007199254740992"));
  CHECK_FALSE(fits("9007199254740993", "0"));
  CHECK_FALSE(fits("0", "-9007199254740993"));
  CHECK(fits("0", "0"));
  CHECK_FALSE(fits("-1", "0"));
  CHECK_FALSE(fits("0", "1"));
}

TEST_CASE("std::vector<bool> is a list of booleans") {
  const Flags flags{.set = {true, false}, .rows = {{}, {true}}};
  const std::string text = R"({"set":[true,false],"rows":[[],[true]]})";
  CHECK(to_json(flags).value().text() == text);
  CHECK(from_json<Flags>(Json::raw(text)) == flags);
  CHECK(from_json<Flags>(Json::raw(R"({"set":[1],"rows":[]})")).error().path == "set[0]");
  CHECK(schema_of<Flags>().find("/properties/set")->text() ==
        R"({"type":"array","items":{"type":"boolean"}})");
}

TEST_CASE("std::array is a list of as many elements") {
  const Body body{.place = {1, -2, 0.5}, .seen = {true, false}, .path = {{1, 2}, {3, 4}}, .name = {{"a"}}};
  const std::string text = R"({"place":[1,-2,0.5],"seen":[true,false],"path":[[1,2],[3,4]],"name":["a"]})";
  CHECK(to_json(body).value().text() == text);
  CHECK(from_json<Body>(text) == body);
  CHECK_FALSE(from_json<Body>(R"({"place":[1,2,3],"seen":[true,true],"path":[],"name":null})").value().name);
  const auto refused = [](const std::string& place, const std::string& path) {
    return from_json<Body>(R"({"seen":[true,true],"place":)" + place + R"(,"path":)" + path + "}").error();
  };
  CHECK(refused("[1,2]", "[]").detail == "expected 3 elements, but got 2");
  CHECK(refused("[1,2]", "[]").path == "place");
  CHECK(refused("[1,2,3,4]", "[]").detail == "expected 3 elements, but got 4");
  CHECK(refused("[1,true,3]", "[]").path == "place[1]");
  CHECK(refused("[1,2,3]", "[[1,2],[]]").path == "path[1]");
  CHECK(refused("{}", "[]").kind == ErrorKind::schema);
  const auto schema = schema_of<Body>();
  CHECK(
      schema.find("/properties/place")->text() ==
      R"({"description":"Metres from the origin","type":"array","minItems":3,"maxItems":3,"items":{"type":"number"}})");
  CHECK(schema.find("/properties/name/type")->text() == R"(["array","null"])");
}

TEST_CASE("schema_of joins the bounds of the member and of its type") {
  const auto schema = schema_of<Bounds>();
  CHECK(schema.find("/properties/wide")->text() == R"({"type":"integer","minimum":-128,"maximum":127})");
  CHECK(schema.find("/properties/narrow")->text() == R"({"type":"integer","minimum":3,"maximum":5})");
  CHECK(schema.find("/properties/open")->text() == R"({"type":["integer","null"],"minimum":0})");
}

TEST_CASE("name_of gives a name that providers take, and a derived struct is not described by its base") {
  static_assert(inferwire::Described<Stop>);
  static_assert(!inferwire::Described<LongStop>, "what describes a base says nothing of the rest");
  CHECK(inferwire::name_of<Box<int>>() == "Box_int");
  CHECK(inferwire::name_of<Outer::Inner>() == "Inner");
  CHECK(schema_of<Empty>() == schema_of<Nothing>());
}

TEST_CASE("a struct's name is a word for providers, and names the arguments of a template") {
  struct Row {
    std::string name;
    std::string expected;
  };
  const Row rows[] = {
      {"River", "River"},
      {"geo::River", "River"},
      {"::geo::River", "River"},
      {"Page<std::string>", "Page_std_string"},
      {"web::Page<geo::River>", "Page_geo_River"},
      {"web::Box<geo::River>", "Box_geo_River"},
      {"Page<std::vector<geo::River>>", "Page_std_vector_geo_River"},
      {"Page< unsigned char >", "Page_unsigned_char"},
      {"Page<int>::Item", "Page_int_Item"},
      {"rivers and-lakes", "rivers_and-lakes"},
      {"\u6cb3", "___"},
      {std::string(70, 'a'), std::string(64, 'a')},
  };
  for (const auto& [name, expected] : rows) CHECK(inferwire::detail::schema_name(name) == expected);
}

TEST_CASE("instances of templates, private members and aliases are described by the macros") {
  CHECK(from_json<Box<int>>(R"({"a":7})").value().a == 7);
  CHECK(from_json<Pair<int, int>>(R"({"first":1,"second":2})").value().second == 2);
  CHECK(inferwire::name_of<Pair<int, int>>() == "Range");
  CHECK(from_json<Account>(R"({"cents":700,"parts":[{"cents":1,"parts":[]}]})").value().balance() == 7);
  CHECK(from_json<Account>(R"({"cents":-1,"parts":[]})").error().path == "cents");
  CHECK(to_json(Account(5)).value().text() == R"({"cents":5,"parts":[]})");
  CHECK_THAT(schema_of<Account>().text(), inferwire_test::contains("The balance"));
}

TEST_CASE("from_json leaves out the default of an optional member that is missing") {
  CHECK_FALSE(from_json<Preset>(Json::raw("{}")).value().count);
}

TEST_CASE("from_json takes optional members that are null or missing, and ignores unknown ones") {
  const auto river = from_json<River>(
      Json::raw(R"({"name":"a","km":1,"navigable":false,"ends_in":null,"stops":[],"more":null,"x":{}})"));
  REQUIRE(river);
  CHECK(river->name == "a");
  CHECK(river->km == 1);
  CHECK_FALSE(river->ends_in);
  CHECK_FALSE(river->source);
}

TEST_CASE("from_json names what does not fit a struct, with its path") {
  const auto changed = [](std::string_view from, std::string_view to) {
    auto text = rhine_text;
    text.replace(text.find(from), from.size(), to);
    return from_json<River>(Json::raw(text)).error();
  };
  struct Row {
    std::string_view from;
    std::string_view to;
    std::string_view path;
    std::string detail;
  };
  const std::string long_number = "7001." + std::string(100, '0');
  const Row rows[] = {
      {R"("name":"Rhine",)", "", "name", "it is missing"},
      {R"("Rhine")", "5", "name", "expected a string, but got a number"},
      {"1230", "\"1230\"", "km", "expected an integer, but got a string"},
      {"1230", "1.5", "km", "expected an integer, but got 1.5"},
      {"1230", "40000", "km", "expected an integer that fits, but got 40000"},
      {"1230", "0", "km", "expected at least 1, but got 0"},
      {"1230", "7001", "km", "expected at most 7000, but got 7001"},
      {"1230", long_number, "km", "expected at most 7000, but got " + long_number.substr(0, 64)},
      {"true", "null", "navigable", "expected a boolean, but got null"},
      {R"("sea")", R"("ocean")", "ends_in", "expected one of 'sea', 'lake', 'river', but got 'ocean'"},
      {R"([{"name":"Basel","km":166.5}])", "{}", "stops", "expected a list, but got an object"},
      {R"("Basel")", "[]", "stops[0].name", "expected a string, but got a list"},
      {R"({"name":"Basel","km":166.5})", R"({"name":"b","km":1},{"name":"c"})", "stops[1].km",
       "it is missing"},
      {R"({"name":"Basel","km":166.5})", R"({"name":"b","km":1},{"name":"c","km":1},{"name":"d","km":1})",
       "stops", "expected at most 2 elements, but got 3"},
  };
  for (const auto& row : rows) {
    const auto error = changed(row.from, row.to);
    CAPTURE(row.from, row.to, error.detail);
    CHECK(error.kind == ErrorKind::schema);
    CHECK(error.path == row.path);
    CHECK(error.detail == row.detail);
  }
  std::string begin = "a";
  while (begin.size() < 63) begin += "ä";
  CHECK(changed(R"("sea")", '"' + begin + "ä\"").detail ==
        "expected one of 'sea', 'lake', 'river', but got '" + begin + "'");
  CHECK(from_json<River>(Json::raw("\xEF\xBB\xBF" + rhine_text)));
  CHECK(from_json<River>(Json::raw("[]")).error().detail == "expected an object, but got a list");
  CHECK(from_json<River>(Json::raw("{\"name\":")).error().kind == ErrorKind::decode);
}

TEST_CASE("to_json names what JSON cannot hold, with its path") {
  auto river = rhine();
  river.stops[0].km = std::numeric_limits<double>::quiet_NaN();
  CHECK(to_json(river).error().path == "stops[0].km");
  river = rhine();
  river.stops[0].name = "\xFF";
  CHECK(to_json(river).error().path == "stops[0].name");
  river = rhine();
  river.ends_in = static_cast<End>(7);
  CHECK(to_json(river).error().path == "ends_in");
  river = rhine();
  for (const auto* const text : {"{", "\xEF\xBB\xBF{}"}) {
    river.more = Json::raw(text);
    CHECK(to_json(river).error().kind == ErrorKind::invalid_request);
  }
}
