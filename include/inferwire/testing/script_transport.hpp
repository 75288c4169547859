/// \file
/// A transport for unit tests, which answers from a script, without sockets.
#pragma once

#include "inferwire/clock.hpp"
#include "inferwire/testing/handler.hpp"
#include "inferwire/testing/reply.hpp"
#include "inferwire/transport.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::testing {

/// Keeps the contract of transport.hpp. Each exchange takes the next reply when it is first driven; if there
/// is none, it fails with Error{connection}, which names the request. Safe from any thread.
///
///     auto script = std::make_shared<testing::ScriptTransport>();
///     script->push(testing::Reply::json(R"({"choices": [{"message": {"content": "Hello"}}]})"));
///     auto client = Client({.base_url = "http://localhost", .transport = script});
class INFERWIRE_API ScriptTransport final : public Transport {
 public:
  /// `clock` is for delays and deadlines and has to be the client's; absent: the machine's, as for the
  /// client. With a ManualClock that jumps, silence takes no time.
  explicit ScriptTransport(std::shared_ptr<Clock> clock = nullptr);
  ~ScriptTransport() override;

  /// Appends a reply to the script.
  void push(Reply reply);
  /// How many pushed replies are not used yet.
  std::size_t remaining() const;
  /// Answers the requests for which the script has no reply: `function(const HttpRequest&)` returns a Reply
  /// and runs on the thread that drives.
  template <class F>
  void set_handler(F function) {
    use_handler(Handler::of(std::move(function)));
  }

  /// The requests so far. The values of headers named like credentials (Authorization, and names that end in
  /// "key", "token", "secret" or similar) read "***" unless `keep_secrets` was called before. A credential in
  /// a header of any other name is shown.
  std::vector<HttpRequest> requests() const;
  /// Makes `requests` show the values of all headers from now on.
  void keep_secrets();
  /// How many exchanges were destroyed before their end, without having been released.
  std::size_t cancelled() const;

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override;
  void wake() noexcept override;

 private:
  void use_handler(std::shared_ptr<Handler> handler);

  struct State;
  class Playing;
  std::shared_ptr<State> state_;
};

}  // namespace inferwire::inline v0_1::testing
