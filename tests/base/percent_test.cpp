#include "base/percent.hpp"

#include "support/catch.hpp"

using inferwire::percent_encode_segment;

TEST_CASE("percent_encode_segment keeps unreserved characters and escapes all else") {
  REQUIRE(percent_encode_segment("databricks-meta-llama-3.3_70b~") == "databricks-meta-llama-3.3_70b~");
  REQUIRE(percent_encode_segment("a/b?c#d e%") == "a%2Fb%3Fc%23d%20e%25");
  REQUIRE(percent_encode_segment("\xC3\xB6\n") == "%C3%B6%0A");
  REQUIRE(percent_encode_segment("..") == "%2E%2E");
  REQUIRE(percent_encode_segment("") == "");
}
