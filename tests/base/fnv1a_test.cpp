#include "base/fnv1a.hpp"

#include "support/catch.hpp"

#include <string_view>

using namespace inferwire;

TEST_CASE("FNV-1a gives the values of its authors") {
  const auto hash_of = [](std::string_view text) {
    Fnv1a hash;
    hash.add(text);
    return hash.value();
  };
  CHECK(hash_of("") == 0xcbf29ce484222325U);
  CHECK(hash_of("a") == 0xaf63dc4c8601ec8cU);
  CHECK(hash_of("foobar") == 0x85944171f73967e8U);
}
