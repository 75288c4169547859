// Tests which redirects are followed, and how they appear to the sink.
#include "http/redirect.hpp"

#include "http/curl_transport.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/http_call.hpp"
#include "support/listeners.hpp"

#include <memory>
#include <string>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using inferwire::http::make_curl_transport;
using inferwire::http::redirect_of;

namespace {

struct Row {
  const char* method;
  int status;
  const char* location;
  const char* target;  ///< the URL of the next request; nullptr: the redirect is not followed
};

Reply redirect_to(const std::string& location, int status = 307) {
  return Reply::error(status, std::string(1000, 'x')).with("Location", location);
}

HttpRequest post_to(const MockServer& server) {
  return {.url = server.url() + "/v1/chat",
          .headers = {{"Authorization", "Bearer hunter2"}, {"X-Api-Key", "hunter2"}},
          .body = R"({"a":1})"};
}

}  // namespace

TEST_CASE("redirect_of gives the next URL within the origin, or none") {
  const Row rows[] = {
      {"POST", 307, "/v2", "https://a.test/v2"},
      {"POST", 308, "https://a.test/v2?x=1", "https://a.test/v2?x=1"},
      {"POST", 307, "https://a.test:443/v2", "https://a.test:443/v2"},
      {"POST", 307, "https://A.TEST/v2", "https://A.TEST/v2"},
      {"POST", 307, "other", "https://a.test/v1/other"},
      {"POST", 307, "?page=2", "https://a.test/v1/chat?page=2"},
      {"POST", 307, "/v2#fragment", "https://a.test/v2"},
      {"GET", 302, "/v2", "https://a.test/v2"},
      {"HEAD", 301, "/v2", "https://a.test/v2"},
      {"GET", 303, "/v2", "https://a.test/v2"},
      {"POST", 301, "/v2", nullptr},
      {"POST", 302, "/v2", nullptr},
      {"POST", 303, "/v2", nullptr},
      {"GET", 300, "/v2", nullptr},
      {"GET", 304, "/v2", nullptr},
      {"POST", 200, "/v2", nullptr},
      {"POST", 307, "https://b.test/v2", nullptr},
      {"POST", 307, "//b.test/v2", nullptr},
      {"POST", 307, "https://a.test.b.test/v2", nullptr},
      {"POST", 307, "https://a.test@b.test/v2", nullptr},
      {"POST", 307, "https://user@a.test/v2", nullptr},
      {"POST", 307, "https://a.test:8443/v2", nullptr},
      {"POST", 307, "http://a.test/v2", nullptr},
      {"POST", 307, "ftp://a.test/v2", nullptr},
      {"POST", 307, "file:///etc/passwd", nullptr},
      {"POST", 307, "https://", nullptr},
      {"POST", 307, "", nullptr},
  };
  for (const auto& row : rows) {
    CAPTURE(row.method, row.status, row.location);
    const auto target = redirect_of(row.method, "https://a.test/v1/chat",
                                    {.status = row.status, .headers = {{"Location", row.location}}});
    CHECK(target.has_value() == (row.target != nullptr));
    if (target && row.target) CHECK(*target == row.target);
  }
  CHECK_FALSE(redirect_of("POST", "https://a.test/", {.status = 307}));
}

TEST_CASE("a redirect is followed with the whole request, and the sink gets the last answer only") {
  MockServer server;
  server.keep_secrets();
  server.push(redirect_to("/v2/chat"));
  server.push(redirect_to(server.url() + "/v3/chat", 308));
  server.push(Reply::json("{}"));
  const auto sink = call(*make_curl_transport({.max_redirects = 5}), post_to(server));
  CHECK(sink.calls == "cshbe");
  CHECK(sink.steps_of_sending >= 2);  // the request was sent again
  CHECK(sink.head->status == 200);
  CHECK(sink.body == "{}");
  const auto requests = server.requests();
  REQUIRE(requests.size() == 3);
  CHECK(requests[2].url == server.url() + "/v3/chat");
  CHECK(requests[2].method == "POST");
  CHECK(requests[2].body == R"({"a":1})");
  CHECK(find_header(requests[2].headers, "authorization") == "Bearer hunter2");
  CHECK(server.connections() == 1);
}

TEST_CASE("a redirect to another origin is an answer, and no key is sent there") {
  MockServer elsewhere;
  MockServer server;
  server.push(redirect_to(elsewhere.url() + "/steal"));
  const auto sink = call(*make_curl_transport({.max_redirects = 5}), post_to(server));
  CHECK(sink.head->status == 307);
  CHECK_FALSE(sink.error);
  CHECK(elsewhere.connections() == 0);
}

TEST_CASE("a confidential request follows no redirect") {
  MockServer server;
  server.push(redirect_to("/steal"));
  auto request = post_to(server);
  request.confidential = true;
  const auto sink = call(*make_curl_transport({.max_redirects = 5}), std::move(request));
  CHECK(sink.head->status == 307);
  CHECK(server.requests().size() == 1);
}

TEST_CASE("redirects in a circle end after max_redirects") {
  AnsweringServer server(redirect_to("/v1/chat"));
  const auto sink = call(*make_curl_transport({.max_redirects = 3}), post_to(server));
  CHECK(sink.head->status == 307);
  CHECK(server.requests().size() == 4);
}

TEST_CASE("the wire log hides the query of each place that a request is redirected to") {
  MockServer server;
  server.push(redirect_to("/v2?sign=hunter2"));
  server.push(redirect_to("/v3?sign=hunter3"));
  server.push(Reply::json("{}"));
  const auto lines = std::make_shared<Lines>(LogLevel::debug);
  CHECK(call(*make_curl_transport({.max_redirects = 5}, lines), post_to(server)).body == "{}");
  CHECK_THAT(lines->text(), contains("POST /v2?*** ") && contains("POST /v3?*** ") && !contains("hunter"));
}

TEST_CASE("a redirect with a large or broken body is followed all the same") {
  MockServer server;
  server.push(Reply::json(std::string(10u << 20, 'x'), 307).with("Location", "/v2"));
  server.push(redirect_to("/v3").cut_after(10));
  server.push(Reply::json("{}"));
  const auto sink = call(*make_curl_transport({.max_redirects = 5}), post_to(server));
  CHECK_FALSE(sink.error);
  CHECK(sink.body == "{}");
}

TEST_CASE("one handle follows redirects call after call") {
  MockServer server;
  const auto transport = make_curl_transport({.max_redirects = 1});
  for (int i = 0; i < 3; ++i) {
    server.push(redirect_to("/v2"));
    server.push(Reply::json(std::to_string(i)));
    CHECK(call(*transport, post_to(server)).body == std::to_string(i));
  }
}
