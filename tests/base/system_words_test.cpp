#include "base/system_words.hpp"

#include "support/catch.hpp"

#include <string>

using namespace inferwire;

TEST_CASE("system_words has words for the system's errors, and at least the number of others") {
  constexpr int no_such_file = 2;  // on POSIX and on Windows
  constexpr int unknown = 123'456;
  CHECK_THAT(system_words(no_such_file), inferwire_test::contains("ile ") && !inferwire_test::contains("2"));
  CHECK(system_words(no_such_file).find_first_of(".\r\n") == std::string::npos);
  CHECK_THAT(system_words(unknown), inferwire_test::contains("123456"));
}
