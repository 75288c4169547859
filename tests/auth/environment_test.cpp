#include "auth/settings/environment.hpp"

#include "auth/settings/ini.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fixtures.hpp"
#include "support/temporary_file.hpp"

#include <map>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <pwd.h>
#include <unistd.h>
#endif

using namespace inferwire;

TEST_CASE("auth::variable trims white space, and a blank one is not set") {
  const inferwire_test::Environment blank("INFERWIRE_TEST_BLANK", " \t\n");
  const inferwire_test::Environment padded("INFERWIRE_TEST_PADDED", " a key\n");
  const auto environment = Environment::system();
  CHECK(auth::variable(*environment, "INFERWIRE_TEST_BLANK").empty());
  CHECK(auth::variable(*environment, "INFERWIRE_TEST_PADDED") == "a key");
  CHECK(auth::variable(*environment, "INFERWIRE_TEST_NOT_SET").empty());
  CHECK(auth::variable(*environment, "").empty());
}

TEST_CASE("Environment::none has neither variables nor files") {
  const inferwire_test::Environment set("INFERWIRE_TEST_SET", "a");
  const auto environment = Environment::none();
  CHECK_FALSE(environment->variable("INFERWIRE_TEST_SET"));
  const auto file = environment->file("/etc/passwd");
  REQUIRE(file);
  CHECK_FALSE(*file);
}

TEST_CASE("Environment::file: contents, nothing where there is none, an error where it cannot be read") {
  const auto environment = Environment::system();
  const auto text = environment->file(INFERWIRE_FIXTURES "/sse_vectors.json");
  REQUIRE(text);
  CHECK(*text == inferwire_test::fixture("sse_vectors.json"));
  const auto missing = environment->file(INFERWIRE_FIXTURES "/no-such-file");
  REQUIRE(missing);
  CHECK_FALSE(*missing);
  const auto below_a_file = environment->file(INFERWIRE_FIXTURES "/sse_vectors.json/x");
  REQUIRE(below_a_file);
  CHECK_FALSE(*below_a_file);
  const auto directory = environment->file(INFERWIRE_FIXTURES);
  REQUIRE_FALSE(directory);
  CHECK(directory.error().kind == ErrorKind::config);
  const inferwire_test::TemporaryFile large(std::string((1 << 20) + 1, 'x'));
  const auto too_large = environment->file(large.path());
  REQUIRE_FALSE(too_large);
  CHECK_THAT(too_large.error().detail, inferwire_test::contains("larger than 1 MiB"));
}

TEST_CASE("expand_home replaces '~' and '~/' only") {
  const inferwire_test::Environment home("HOME", "/home/a");
  const auto environment = Environment::system();
  CHECK(auth::expand_home(*environment, "~/.aws/config") == "/home/a/.aws/config");
  CHECK(auth::expand_home(*environment, "~") == "/home/a");
  CHECK(auth::expand_home(*environment, "~b/x") == "~b/x");
  CHECK(auth::expand_home(*environment, "/x/~") == "/x/~");
}

#if defined(__unix__) || defined(__APPLE__)
TEST_CASE("expand_home without HOME asks the system for the user's directory") {
  const inferwire_test::Environment home("HOME", nullptr);
  const inferwire_test::Environment profile("USERPROFILE", nullptr);
  const auto* const user = ::getpwuid(::getuid());
  const std::string known = user != nullptr ? user->pw_dir : "";
  CHECK(auth::expand_home(*Environment::system(), "~/.aws/config") == known + "/.aws/config");
  CHECK(auth::expand_home(*Environment::none(), "~/.aws/config") == "/.aws/config");
}
#endif

TEST_CASE("parse_ini continues a value by indented lines, and passes over those below an empty one") {
  const auto sections =
      auth::parse_ini("[a]\nk = 1\n  2\nnested =\n  k = 3\n[b]\n  k = 4\n[c]\nk = \"\"\n[d]\n");
  REQUIRE(sections);
  REQUIRE(sections->size() == 4);
  CHECK(sections->at(0).find("k") == "1\n2");
  CHECK(sections->at(0).find("nested").empty());
  CHECK(sections->at(1).find("k") == "4");
  CHECK(sections->at(2).find("k").empty());
  CHECK(sections->at(3).name == "d");
  CHECK_FALSE(auth::parse_ini("[a]\nk = 1\n[b]\n  2\n"));
}

TEST_CASE("parse_ini of 100,000 sections takes linear time") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "[" + std::to_string(i) + "]\nk=" + std::to_string(i) + "\n";
  const auto sections = auth::parse_ini(text + "[0]\nk=last\n");
  REQUIRE(sections);
  CHECK(sections->size() == 100'000);
  CHECK(sections->front().find("k") == "last");
}
