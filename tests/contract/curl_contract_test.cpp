// libcurl over real sockets.
#include "contract/contract.hpp"
#include "http/curl_transport.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"

namespace {

class CurlDoor final : public contract::Door {
 public:
  std::shared_ptr<inferwire::Transport> transport() override { return transport_; }
  std::string url() override { return server_.url() + "/v1/chat"; }
  void push(inferwire::testing::Reply reply) override { server_.push(std::move(reply)); }
  bool wait_for_close(std::size_t count, std::chrono::milliseconds limit) override {
    return server_.wait_for_close(count, limit);
  }

 private:
  inferwire::testing::MockServer server_;
  std::shared_ptr<inferwire::Transport> transport_ = inferwire::http::make_curl_transport();
};

}  // namespace

TEST_CASE("the curl transport keeps the drive contract") {
  const auto check = GENERATE(from_range(contract::checks()));
  DYNAMIC_SECTION(check.name) {
    CurlDoor door;
    check.run(door);
  }
}
