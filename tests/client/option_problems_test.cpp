#include "client/option_problems.hpp"

#include "inferwire/client_options.hpp"
#include "inferwire/event_loop.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <memory>
#include <string>

using namespace std::chrono_literals;
using namespace inferwire;
using inferwire::client::problem_with;

TEST_CASE("problem_with names a timeout that is zero or negative", "[option_problems]") {
  CHECK_FALSE(problem_with(Timeouts{}));
  const auto zero = problem_with(Timeouts{.idle = 0ms});
  REQUIRE(zero);
  CHECK(zero->kind == ErrorKind::config);
  CHECK_THAT(zero->detail,
             inferwire_test::contains("timeout idle is 0 ms") && inferwire_test::contains("or no_limit"));
  CHECK(problem_with(Timeouts{.overall = -1ms}));
}

TEST_CASE("problem_with names what a RetryPolicy cannot be, and takes its extremes", "[option_problems]") {
  const auto refused_name = [](const RetryPolicy& policy) {
    const auto problem = problem_with(policy);
    return problem ? problem->detail : "";
  };
  CHECK(refused_name(RetryPolicy{.max_retries = 0,
                                 .first_delay = 0ms,
                                 .max_delay = 0ms,
                                 .jitter = 0,
                                 .max_server_delay = 0ms,
                                 .budget = 0ms}) == "");
  CHECK(refused_name(RetryPolicy{.jitter = 1}) == "");
  CHECK_THAT(refused_name(RetryPolicy{.max_delay = -1ms}), inferwire_test::contains("max_delay"));
  CHECK_THAT(refused_name(RetryPolicy{.max_server_delay = -1ms}),
             inferwire_test::contains("max_server_delay"));
  CHECK_THAT(refused_name(RetryPolicy{.jitter = -0.1}), inferwire_test::contains("jitter"));
  CHECK_THAT(refused_name(RetryPolicy{.jitter = std::nan("")}), inferwire_test::contains("jitter"));
}

TEST_CASE("problem_with names an option of a client that cannot be used by itself", "[option_problems]") {
  const auto empty = problem_with(ClientOptions{.api_key = ""});
  REQUIRE(empty);
  CHECK_THAT(empty->detail, inferwire_test::contains("api_key is empty"));
  CHECK(problem_with(ClientOptions{.timeouts = {.idle = 0ms}}));
  CHECK(problem_with(ClientOptions{.retry = {.max_retries = -1}}));
  CHECK_FALSE(problem_with(ClientOptions{}));
}

TEST_CASE("problem_with names an option of a client that another one keeps from its effect",
          "[option_problems]") {
  const auto refused_detail = [](const ClientOptions& options) {
    const auto problem = problem_with(options);
    return problem ? problem->detail : "";
  };
  const auto clock = std::make_shared<testing::ManualClock>();
  const auto loop = std::make_shared<EventLoop>(EventLoopOptions{.clock = clock});
  CHECK_THAT(refused_detail({.api_key = "k", .credential = Credential::none()}),
             inferwire_test::contains("api_key"));
  CHECK_THAT(refused_detail({.network = {.proxy = "http://proxy:3128"}, .transport = network_transport()}),
             inferwire_test::contains("give the options to network_transport()"));
  CHECK_THAT(refused_detail({.loop = loop, .clock = clock}), inferwire_test::contains("EventLoopOptions"));
  CHECK(refused_detail({.api_key = "k", .transport = network_transport(), .loop = loop}) == "");
  CHECK(refused_detail({.credential = Credential::none(), .clock = clock}) == "");
  CHECK(refused_detail({.network = {.proxy = "http://proxy:3128"}}) == "");
  // A test may put a transport in process into the options of a client over the network.
  CHECK(refused_detail({.network = {.proxy = "http://proxy:3128"},
                        .transport = std::make_shared<testing::ScriptTransport>()}) == "");
}

TEST_CASE("each network option is refused beside a transport over the network", "[option_problems]") {
  const auto transport = network_transport();
  const NetworkOptions set[] = {{.proxy = ""},
                                {.proxy_user = "u"},
                                {.proxy_password = "p"},
                                {.no_proxy = ""},
                                {.ca_file = "f"},
                                {.ca_pem = "p"},
                                {.native_ca = true},
                                {.client_certificate_file = "f"},
                                {.client_certificate_pem = "p"},
                                {.client_key_file = "f"},
                                {.client_key_pem = "p"},
                                {.client_key_password = "p"},
                                {.min_tls = TlsVersion::v1_3},
                                {.http_version = HttpVersion::http2},
                                {.unix_socket = "s"},
                                {.local_interface = "i"},
                                {.resolve = {{.host = "h"}}},
                                {.max_redirects = 1},
                                {.keep_alive = 1s},
                                {.max_idle = 1s},
                                {.max_age = 1s}};
  for (const auto& network : set) {
    INFO(&network - set);
    CHECK(problem_with(ClientOptions{.network = network, .transport = transport}));
  }
  CHECK_FALSE(problem_with(ClientOptions{.transport = transport}));
}
