// The drive contract for libcurl, over real sockets.
#include "contract/contract.hpp"
#include "http/curl_pool.hpp"
#include "http/curl_transport.hpp"
#include "http/loop/curl_multiplexer.hpp"
#include "http/loop/poller.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"

namespace {

class CurlDoor final : public contract::Door {
 public:
  explicit CurlDoor(std::shared_ptr<inferwire::Transport> transport) : transport_(std::move(transport)) {}

  std::shared_ptr<inferwire::Transport> transport() override { return transport_; }
  std::string url() override { return server_.url() + "/v1/chat"; }
  void push(inferwire::testing::Reply reply) override { server_.push(std::move(reply)); }
  bool wait_for_close(std::size_t count, std::chrono::milliseconds limit) override {
    return server_.wait_for_close(count, limit);
  }

 private:
  inferwire::testing::MockServer server_;
  std::shared_ptr<inferwire::Transport> transport_;
};

std::shared_ptr<inferwire::Transport> multiplexer(std::unique_ptr<inferwire::http::Poller> poller) {
  auto pool = std::make_shared<inferwire::http::CurlPool>(inferwire::NetworkOptions(), nullptr, "");
  return inferwire::http::make_multiplexer(std::move(pool), std::move(poller));
}

}  // namespace

TEST_CASE("the curl transport keeps the drive contract") {
  const auto check = GENERATE(from_range(contract::checks()));
  DYNAMIC_SECTION(check.name) {
    CurlDoor door(inferwire::http::make_curl_transport());
    check.run(door);
  }
}

TEST_CASE("exchanges of one Multiplexer keep the drive contract") {
  const auto check = GENERATE(from_range(contract::checks()));
  DYNAMIC_SECTION(check.name + ", with the system's own way to wait") {
    CurlDoor door(multiplexer(inferwire::http::make_poller()));
    check.run(door);
  }
  DYNAMIC_SECTION(check.name + ", with the portable one") {
    CurlDoor door(multiplexer(inferwire::http::make_portable_poller()));
    check.run(door);
  }
}
