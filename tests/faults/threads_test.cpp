// Sixteen threads use one client while tokens expire, the server is busy and calls are cancelled. The test
// shows its full strength only in the build with ThreadSanitizer.
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "faults/chat_service.hpp"
#include "support/catch.hpp"

using namespace std::chrono_literals;
using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

/// Fetches tokens from a URL: the body of an answer is the token.
class TokenSource final : public inferwire::GrantSource {
 public:
  explicit TokenSource(std::string url) : url_(std::move(url)) {}

  Step next(Instant) override {
    if (failure_) return *std::exchange(failure_, std::nullopt);
    if (token_.empty()) return Credential::Fetch{.request = {.method = "GET", .url = url_}};
    return Grant{.credential = Credential::bearer(std::exchange(token_, {}))};
  }
  void accept(const inferwire::ResponseHead&, std::string_view body, Instant) override { token_ = body; }
  void failed(const Error& why, Instant) override { failure_ = why; }

 private:
  std::string url_;
  std::string token_;
  std::optional<Error> failure_;
};

/// Hands out tokens. Every hundred calls all tokens so far become invalid, and every seventh call gets a 503.
class StrictServer {
 public:
  StrictServer() {
    server_.keep_secrets();
    server_.set_handler([this](const HttpRequest& request) {
      if (request.url.ends_with("/token")) return Reply::json(std::to_string(++issued_));
      if (++calls_ % 100 == 0) wanted_ = issued_ + 1;
      if (find_header(request.headers, "authorization") < "Bearer " + std::to_string(wanted_))
        return Reply::error(401, "this token has run out");
      if (calls_ % 7 == 0) return Reply::error(503).with("retry-after-ms", "1");
      return good_answer(request);
    });
  }
  MockServer& server() { return server_; }
  int issued() const { return issued_ - first; }

 private:
  static constexpr int first = 100'000;  // numbers of equal length compare as texts
  std::atomic<int> issued_{first};       // written by the server's thread
  int wanted_{first};
  int calls_{};
  MockServer server_;  // the last member: its thread uses the others
};

}  // namespace

TEST_CASE("sixteen threads share a client while tokens run out, servers are busy and calls are cancelled") {
  constexpr int threads_count = 16;
  constexpr int calls_each = 60;
  StrictServer strict;
  auto options = options_for(strict.server());
  options.api_key.reset();
  options.credential =
      Credential::refreshing(std::make_unique<TokenSource>(strict.server().url() + "/token"));
  options.retry = {.max_retries = 20, .first_delay = 1ms, .max_delay = 2ms};
  const Client client(options);
  std::atomic<int> answers{0};
  std::atomic<int> cancelled{0};
  std::atomic<int> unlucky{0};  // refused twice: the second token had expired, too
  std::atomic<int> others{0};
  const auto count = [&](const std::optional<Error>& error) {
    if (!error) {
      ++answers;
    } else if (error->kind == ErrorKind::cancelled) {
      ++cancelled;
    } else {
      ++(error->kind == ErrorKind::auth && error->attempts.size() > 1 ? unlucky : others);
    }
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < threads_count; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < calls_each; ++i) {
        CancelSource source;
        const CallOptions call{.cancel = source.token()};
        std::thread canceller;
        if (i % 10 == thread % 10) canceller = std::thread([source]() mutable { source.cancel(); });
        if (i % 2 == 0) {
          auto reply = client.chat.create(hello, call);
          count(reply ? std::nullopt : std::optional(reply.error()));
        } else {
          count(client.chat.stream(hello, call).collect().error);
        }
        if (canceller.joinable()) canceller.join();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(answers + cancelled + unlucky == threads_count * calls_each);
  CHECK(others == 0);
  CHECK(answers > threads_count * calls_each / 2);
  CHECK(strict.issued() > 5);
  CHECK(strict.issued() < 100);  // one call fetches for all
}
