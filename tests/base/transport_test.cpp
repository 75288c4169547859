#include "inferwire/transport.hpp"

#include "support/catch.hpp"

#include <cstddef>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

using namespace inferwire;

TEST_CASE("copies of an HttpRequest share its body") {
  const HttpRequest request{.body = std::string(1000, 'x')};
  auto copy = request;
  CHECK(copy.body.data() == request.body.data());
  copy.body = "another";
  CHECK(copy.body == "another");
  CHECK(request.body == std::string(1000, 'x'));
  CHECK(copy.body != request.body);
}

TEST_CASE("a RequestBody converts to string and string_view") {
  const RequestBody body("text");
  const std::string& text = body;
  const std::string_view view = body;
  CHECK(text == "text");
  CHECK(view == "text");
  CHECK(body.size() == 4);
  CHECK(std::string(body.begin(), body.end()) == "text");
  CHECK_FALSE(body.empty());

  STATIC_REQUIRE_FALSE(std::is_constructible_v<RequestBody, std::nullptr_t>);
  const char* const unset = nullptr;
  for (const auto& none : {RequestBody(), RequestBody(""), RequestBody(std::string()), RequestBody(unset)}) {
    CHECK(none.empty());
    CHECK(none.size() == 0);
    CHECK(none == "");
    CHECK(none == RequestBody());
    CHECK(none.data() != nullptr);
  }
  RequestBody moved("text");
  const auto target = std::move(moved);
  CHECK(target == "text");
}

TEST_CASE("a RequestBody goes into an ostream as its text") {
  std::ostringstream out;
  out << RequestBody("text") << RequestBody();
  CHECK(out.str() == "text");
}

TEST_CASE("find_header finds a header by its name, in any case") {
  const inferwire::Headers headers{{"x-request-id", "r1"}, {"X-Request-Id", "r2"}, {"empty", ""}};
  CHECK(headers.find("X-Request-ID") == "r1");
  CHECK(headers.find("empty") == "");
  CHECK_FALSE(headers.find("x-request"));
  CHECK_FALSE(inferwire::Headers().find(""));
  CHECK(find_header(headers, "X-Request-ID") == "r1");
}

TEST_CASE("Headers are listed in their order") {
  std::vector<inferwire::Header> listed;
  for (const auto& [name, value] : inferwire::Headers{{"a", "1"}, {"", ""}, {"bc", "23"}})
    listed.push_back({std::string(name), std::string(value)});
  CHECK(listed == std::vector<inferwire::Header>{{"a", "1"}, {"", ""}, {"bc", "23"}});
}

TEST_CASE("Headers::add_line takes a header as it stands in a head") {
  inferwire::Headers headers;
  CHECK(headers.add_line("Server: a b:c"));
  CHECK(headers.add_line("tight:1"));
  CHECK(headers.add_line(" \tWide \t:\t 2 \t"));
  CHECK(headers.add_line("empty:"));
  for (const auto* line : {"", " ", "no colon", ":", ": nameless"}) CHECK_FALSE(headers.add_line(line));
  headers.append("!");
  CHECK(headers == inferwire::Headers{{"Server", "a b:c"}, {"tight", "1"}, {"Wide", "2"}, {"empty", "!"}});
  CHECK(headers.find("wide") == "2");
  CHECK(headers.find("EMPTY") == "!");
  CHECK(headers != inferwire::Headers{{"Server", "a b:c"}});
}

TEST_CASE("HttpRequest compares all that is sent") {
  const HttpRequest request{.url = "http://localhost", .headers = {{"a", "b"}}, .body = "text"};
  auto other = request;
  CHECK(request == other);
  other.body = "texts";
  CHECK(request != other);
}

TEST_CASE("a timeout without a limit equals no_limit") {
  inferwire::Timeouts timeouts;
  CHECK(timeouts.overall == inferwire::no_limit);
  CHECK(timeouts.total != inferwire::no_limit);
}
