#include "json/place.hpp"

#include "support/catch.hpp"

using inferwire::json::Place;

TEST_CASE("Place::text joins the names and indices of the path") {
  const Place root, messages = root.member("messages"), first = messages.element(0),
                    role = first.member("role");
  CHECK(root.text().empty());
  CHECK(messages.text() == "messages");
  CHECK(first.text() == "messages[0]");
  CHECK(role.text() == "messages[0].role");
  CHECK(root.element(2).text() == "[2]");
  CHECK(root.member("config.routes").element(1).text() == "config.routes[1]");
  CHECK(Place{.name = "messages"}.element(0).text() == "messages[0]");
}

TEST_CASE("Place::text of a member with an empty name") {
  const Place root, outer = root.member("a");
  CHECK(outer.member("").text() == "a.");
  CHECK(root.member("").text().empty());
}
