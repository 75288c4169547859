#include "protocol/url.hpp"

#include "support/catch.hpp"

#include <string>

using namespace inferwire;
using inferwire::protocol::check_target;
using inferwire::protocol::parse_base_url;
using inferwire::protocol::split_url;
using inferwire::protocol::to_string;

TEST_CASE("parse_base_url splits a URL, and to_string joins its parts") {
  struct Row {
    std::string text, host;
    int port;
    std::string path, again;
  };
  const auto row = GENERATE(values<Row>({
      {"https://api.openai.com/v1", "api.openai.com", 0, "/v1", "https://api.openai.com/v1"},
      {"https://api.openai.com/v1/", "api.openai.com", 0, "/v1", "https://api.openai.com/v1"},
      {"HTTPS://API.OpenAI.com", "api.openai.com", 0, "", "https://api.openai.com"},
      {"http://127.0.0.1:8080", "127.0.0.1", 8080, "", "http://127.0.0.1:8080"},
      {"http://[::1]:1/", "::1", 1, "", "http://[::1]:1"},
      {"https://host:443/a//b", "host", 0, "/a//b", "https://host/a//b"},
      {"http://host:443", "host", 443, "", "http://host:443"},
      {"https://host/a?api-version=1", "host", 0, "/a", "https://host/a?api-version=1"},
      {"https://host?x=1", "host", 0, "", "https://host?x=1"},
      {"https://host/..a/b..", "host", 0, "/..a/b..", "https://host/..a/b.."},
  }));
  CAPTURE(row.text);
  const auto url = parse_base_url(row.text);
  REQUIRE(url);
  REQUIRE(url->host == row.host);
  REQUIRE(url->port == row.port);
  REQUIRE(url->path == row.path);
  REQUIRE(to_string(*url) == row.again);
}

TEST_CASE("parse_base_url says what is wrong with a URL") {
  struct Row {
    std::string text, cause;
  };
  const auto row = GENERATE(values<Row>({
      {"", "is empty"},
      {"api.openai.com", "no scheme"},
      {"localhost:8080", "no scheme"},
      {"ftp://host", "scheme other than"},
      {"file:///etc/passwd", "scheme other than"},
      {"https://", "no host"},
      {"https:///path", "no host"},
      {"https://ho_st\\x/", "no host"},
      {"https://[::1", "no host"},
      {"https://host:0", "port"},
      {"https://host:65536", "port"},
      {"https://host:", "port"},
      {"https://host:8x", "port"},
      {"https://host:-1", "port"},
      {"https://user:pass@host", "credentials"},
      {"https://host/a b", "space"},
      {"https://host/\nHost: evil", "line break"},
      {"https://host\r\n", "line break"},
      {"https://h\xC3\xB6st/", "non-ASCII"},
      {std::string("https://host/\0", 14), "control"},
      {"https://host/#top", "fragment"},
      {"https://host/a/../b", ".. in its path"},
      {"https://host/.", ".. in its path"},
      {"https://host/%2e%2E/b", ".. in its path"},
      {"https://host/a\\b", "a backslash in its path"},
  }));
  CAPTURE(row.text);
  const auto url = parse_base_url(row.text);
  REQUIRE_FALSE(url);
  REQUIRE(url.error().kind == ErrorKind::config);
  REQUIRE(url.error().detail.starts_with("the base URL "));
  REQUIRE_THAT(url.error().detail, inferwire_test::contains(row.cause));
}

TEST_CASE("check_target refuses paths with spaces, fragments, backslashes and dot segments") {
  CHECK(check_target("/v1/a..b/.c?d=/../e\\"));
  for (const auto* text : {"/a b", "/a#b", "/a?b#c", "/a\\b", "/..", "/a/%2e./b", "/./a"}) {
    CAPTURE(text);
    CHECK_FALSE(check_target(text));
  }
}

TEST_CASE("parse_base_url does not repeat password and query of a URL it refuses") {
  for (const auto* text : {"https://user:hunter2@host", "https://host:x?key=hunter2"}) {
    REQUIRE(parse_base_url(text).error().message().find("hunter2") == std::string::npos);
  }
}

TEST_CASE("split_url gives origin, host, path and query") {
  struct Row {
    std::string_view url, origin, host, path, query;
  };
  constexpr Row rows[] = {
      {"https://H.test:8443/v1/?a=b?c#d", "https://H.test:8443", "H.test:8443", "/v1/", "a=b?c"},
      {"http://h.test", "http://h.test", "h.test", "", ""},
      {"http://h.test?q", "http://h.test", "h.test", "", "q"},
      {"http://h.test#/?", "http://h.test", "h.test", "", ""},
      {"http://[::1]:80/", "http://[::1]:80", "[::1]:80", "/", ""},
      {"/v1/models?u=http://h.test/x", "", "", "/v1/models", "u=http://h.test/x"},
      {"?u=http://h.test", "", "", "", "u=http://h.test"},
      {"://", "://", "", "", ""},
      {"", "", "", "", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.url);
    const auto parts = split_url(row.url);
    CHECK(parts.origin == row.origin);
    CHECK(parts.host == row.host);
    CHECK(parts.path == row.path);
    CHECK(parts.query == row.query);
  }
}
