// Tests which members of a hub are asked to connect further.
#include "http/loop/curl_hub.hpp"

#include "http/transfer.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <string>

namespace {

using namespace inferwire;
using http::CurlHub;

struct Connecting final : CurlHub::Member {
  Connecting(char own_name, std::string& log) : name(own_name), asked(log) {}
  void attend() noexcept override {}
  bool prepare() noexcept override { return false; }
  bool look() override { return false; }
  bool connect_further() noexcept override {
    asked += name;
    return !connected;
  }

  char name;
  std::string& asked;
  bool connected{};
};

/// The members that one check asks.
std::string asked_by(CurlHub& hub, std::string& log) {
  log.clear();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (log.empty() && std::chrono::steady_clock::now() < deadline) {
    hub.run(std::chrono::steady_clock::now() + 2 * http::Transfer::address_sleep);
  }
  return log;
}

}  // namespace

TEST_CASE("CurlHub asks the exchanges that connect, and none after stop_watching") {
  CurlHub hub(http::make_poller());
  std::string log;
  Connecting a('a', log), b('b', log), c('c', log), d('d', log);
  for (auto* const member : {&a, &b, &c, &d}) hub.watch_connecting(*member);
  hub.stop_watching(b);
  CHECK(asked_by(hub, log).size() == 3);
  CHECK(log.find('b') == log.npos);
  hub.stop_watching(d);
  a.connected = true;
  CHECK(asked_by(hub, log).size() == 2);  // `a` is asked for the last time
  CHECK(asked_by(hub, log) == "c");
  hub.stop_watching(c);
  log.clear();
  hub.run(std::chrono::steady_clock::now() + 2 * http::Transfer::address_sleep);
  CHECK(log.empty());
}
