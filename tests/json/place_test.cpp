#include "json/place.hpp"

#include "support/catch.hpp"

using inferwire::json::Place;

TEST_CASE("a place is told by the names and numbers on the way there") {
  const Place root, messages = root.member("messages"), first = messages.element(0),
                    role = first.member("role");
  CHECK(root.text().empty());
  CHECK(messages.text() == "messages");
  CHECK(first.text() == "messages[0]");
  CHECK(role.text() == "messages[0].role");
  CHECK(root.element(2).text() == "[2]");
  CHECK(root.member("config.routes").element(1).text() == "config.routes[1]");
}

TEST_CASE("a member without a name is no element") {
  const Place root, outer = root.member("a");
  CHECK(outer.member("").text() == "a.");
  CHECK(root.member("").text().empty());
}
