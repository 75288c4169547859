#include "inferwire/error.hpp"

#include "inferwire/version.hpp"
#include "support/catch.hpp"

#include <set>
#include <sstream>
#include <string>
#include <string_view>

using namespace inferwire;

TEST_CASE("name() gives every ErrorKind a name of its own") {
  std::set<std::string_view> names;
  const auto last = static_cast<int>(ErrorKind::unsupported);
  for (int kind = 0; kind <= last; ++kind) {
    const auto name = inferwire::name(static_cast<ErrorKind>(kind));
    CHECK(name != "unknown");
    names.insert(name);
  }
  CHECK(names.size() == static_cast<std::size_t>(last) + 1);
  CHECK(inferwire::name(static_cast<ErrorKind>(last + 1)) == "unknown");
  CHECK(inferwire::name(ErrorKind::rate_limit) == "rate_limit");
}

TEST_CASE("name() gives every ErrorCause a name of its own, but none for none") {
  std::set<std::string_view> names;
  const auto last = static_cast<int>(ErrorCause::certificate);
  for (int cause = 0; cause <= last; ++cause) names.insert(inferwire::name(static_cast<ErrorCause>(cause)));
  CHECK(names.size() == static_cast<std::size_t>(last) + 1);
  CHECK(names.count("") == 1);
  CHECK(inferwire::name(ErrorCause::none).empty());
  CHECK(inferwire::name(ErrorCause::refused) == "refused");
}

TEST_CASE("an Error, an ErrorKind and an ErrorCause go into an ostream") {
  std::ostringstream out;
  out << ErrorKind::rate_limit << "; " << ErrorCause::broken << "; "
      << Error{.kind = ErrorKind::connection, .cause = ErrorCause::broken, .detail = "cut"};
  CHECK(out.str() == "rate_limit; broken; connection: cut");
}

TEST_CASE("Error::message names the facts that are set") {
  struct Row {
    Error error;
    std::string message;
  };
  const auto row = GENERATE(
      Row{{.kind = ErrorKind::config}, "config"},
      Row{{.kind = ErrorKind::config, .detail = "no key"}, "config: no key"},
      Row{{.kind = ErrorKind::timeout, .detail = "no byte for 300 s", .timer = "idle"},
          "timeout (idle): no byte for 300 s"},
      Row{{.kind = ErrorKind::decode, .detail = "expected string", .path = "choices[0].message.content"},
          "decode: choices[0].message.content: expected string"},
      Row{{.kind = ErrorKind::stream_error, .detail = "the model broke", .code = "424"},
          "stream_error: code 424: the model broke"},
      Row{{.kind = ErrorKind::invalid_request,
           .detail = "must be above 0",
           .status = 400,
           .code = "BAD_REQUEST",
           .param = "max_tokens",
           .provider = "databricks",
           .request_id = "r-1"},
          "invalid_request from databricks: HTTP 400, code BAD_REQUEST: must be above 0, parameter "
          "max_tokens, "
          "request id r-1"},
      Row{{.kind = ErrorKind::not_found,
           .detail = "404 page not found",
           .status = 404,
           .provider = "openai",
           .url = "http://127.0.0.1:11434/chat/completions"},
          "not_found from openai at http://127.0.0.1:11434/chat/completions: HTTP 404: 404 page not found"},
      Row{{.kind = ErrorKind::server, .status = 500, .url = "http://h.test/v1"}, "server: HTTP 500"});
  CHECK(row.error.message() == row.message);
}

TEST_CASE("Error::message names the number of attempts if there were several") {
  Error error{.kind = ErrorKind::server, .status = 500};
  error.attempts.resize(1);
  CHECK(error.message() == "server: HTTP 500");
  error.attempts.resize(3);
  CHECK(error.message() == "server: HTTP 500, after 3 attempts");
}

TEST_CASE("An error's message has no control characters") {
  const Error error{
      .kind = ErrorKind::server, .detail = "a\r\nb\x1B[m\x7F\xC2\x9Bm\x9Bm \xC3\xB6", .status = 500};
  CHECK(error.message() == "server: HTTP 500: a  b [m  m m \xC3\xB6");
}

TEST_CASE("Error::message leaves out the body") {
  const Error error{.kind = ErrorKind::server, .status = 500, .body = "<html>stack trace</html>"};
  CHECK(error.message().find("html") == std::string::npos);
}

TEST_CASE("Errors are equal when every fact is") {
  const Error error{.kind = ErrorKind::server, .status = 500};
  Error other = error;
  CHECK(other == error);
  other.attempts.push_back({.status = 500});
  CHECK_FALSE(other == error);
}

TEST_CASE("The version at run time is the version of the headers") {
  CHECK(inferwire::version() == INFERWIRE_VERSION_STRING);
  CHECK(inferwire::version() == std::to_string(INFERWIRE_VERSION_MAJOR) + "." +
                                    std::to_string(INFERWIRE_VERSION_MINOR) + "." +
                                    std::to_string(INFERWIRE_VERSION_PATCH));
}
