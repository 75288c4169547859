#include "inferwire/text_or_list.hpp"

#include "inferwire/optional.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

using namespace inferwire;

namespace {

struct Part {
  std::string kind{};
};
using Content = TextOrList<Part, std::vector<std::int64_t>>;
using Words = TextOrList<std::string>;
using List = std::vector<std::string>;

}  // namespace

TEST_CASE("TextOrList is a text from a text, and a list from braces") {
  const std::string text = "one";
  CHECK(std::get<std::string>(Words("one")) == "one");
  CHECK(std::get<std::string>(Words(text)) == "one");
  CHECK(std::get<List>(Words{"one", "two"}) == List{"one", "two"});
  CHECK(std::get<List>(Words{text, "two"}) == List{"one", "two"});
  const Words bracketed = {{text, text}};
  CHECK(std::get<List>(bracketed) == List{"one", "one"});
  CHECK(std::get<List>(Words{"one"}) == List{"one"});
  CHECK(std::get<List>(Words(List{"one"})) == List{"one"});
  CHECK(std::get<std::string>(Words{}).empty());

  const Content parts = {Part{"image"}, Part{"text"}};
  CHECK(std::get<std::vector<Part>>(parts).size() == 2);
  const Content part = Part{"text"};
  CHECK(std::get<std::vector<Part>>(part).front().kind == "text");
  const Content numbers = std::vector<std::int64_t>{1, 2};
  CHECK(std::holds_alternative<std::vector<std::int64_t>>(numbers));
}

TEST_CASE("TextOrList is a text from a std::string_view") {
  const std::string_view view = "one";
  CHECK(std::get<std::string>(Words(view)) == "one");
  Content content = view;
  content = Part{"image"};
  content = view;
  CHECK(std::get<std::string>(content) == "one");
  const Optional<Words> stop = view;
  CHECK(std::get<std::string>(*stop) == "one");
}

TEST_CASE("TextOrList is copied and assigned") {
  Words words = {"one", "two"};
  Words copy(words);
  CHECK(copy == words);
  copy = "three";
  CHECK(std::get<std::string>(copy) == "three");
  copy = {"four"};
  CHECK(std::get<List>(copy) == List{"four"});
  copy = words;
  CHECK(copy == words);
  const Words taken{std::move(words)};
  CHECK(copy == taken);
}

TEST_CASE("Optional<TextOrList> is made of texts and braces") {
  Optional<Words> stop = "END";
  CHECK(std::get<std::string>(*stop) == "END");
  stop = {"END", "\n"};
  CHECK(std::get<List>(*stop) == List{"END", "\n"});
  const std::string one = "one";
  const Optional<Words> bracketed = {{one}, {one}};
  CHECK(std::get<List>(*bracketed) == List{"one", "one"});
  const Optional<Words> given = {"END", "\n"};
  CHECK(given == stop);
  const Optional<Words> whole = List{"END", "\n"};
  CHECK(whole == stop);
  const Optional<Words> nothing = {};
  CHECK_FALSE(nothing);
}
