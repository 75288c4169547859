#include "base/host.hpp"

#include "support/catch.hpp"

#include <string_view>

using inferwire::host_in;
using inferwire::is_loopback;

TEST_CASE("host_in takes port and brackets off") {
  struct Row {
    std::string_view text, host;
  };
  constexpr Row rows[] = {
      {"localhost", "localhost"},
      {"localhost:8080", "localhost"},
      {"127.0.0.1:1", "127.0.0.1"},
      {"[::1]:8080", "::1"},
      {"[::1]", "::1"},
      {"[", ""},
      {"::1", ""},
      {"", ""},
  };
  for (const auto& [text, host] : rows) {
    CAPTURE(text);
    CHECK(host_in(text) == host);
  }
}

TEST_CASE("is_loopback knows the hosts that cannot leave the machine") {
  for (const auto* host : {"localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.255.0.3", "::1",
                           "[::1]", "0:0:0:0:0:0:0:1", "::0001"}) {
    CAPTURE(host);
    REQUIRE(is_loopback(host));
  }
  for (const auto* host : {"", "localhost.example.org", "xlocalhost", ".localhost.", "127.example.org",
                           "127.0.0", "127.0.0.1.2", "127.0.0.256", "127.0.0.1x", "128.0.0.1", "::2", "::10",
                           "::1:1", "::ffff:127.0.0.1", ":", "1", "0.0.0.0", "10.0.0.1"}) {
    CAPTURE(host);
    REQUIRE_FALSE(is_loopback(host));
  }
}

TEST_CASE("an address that libcurl may read otherwise than it looks is no loopback") {
  for (const auto* host : {"0127.0.0.1", "127.00.0.010", "127.0.0.01", "127.0.0.0x1", "0x7f.0.0.1", "127.1",
                           "127.0.1", "2130706433", "017700000001", "127.0.0.1."}) {
    CAPTURE(host);
    REQUIRE_FALSE(is_loopback(host));
  }
}
