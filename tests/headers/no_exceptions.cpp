// A program that is built with -fno-exceptions -fno-rtti: it uses everything but Result::value().
#include <inferwire/clock.hpp>
#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/engine_transport.hpp>
#include <inferwire/inferwire.hpp>

#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this has to be compiled with -fno-exceptions -fno-rtti"
#endif

namespace {
/// A user's class that derives from one of ours: its vtable must not need type information.
class Wrapped final : public inferwire::Transport {
 public:
  explicit Wrapped(std::shared_ptr<inferwire::Transport> inner) : inner_(std::move(inner)) {}
  inferwire::Result<std::unique_ptr<inferwire::Exchange>> start(
      inferwire::HttpRequest request, inferwire::Sink& sink,
      const inferwire::ExchangeOptions& options) override {
    ++started;
    return inner_->start(std::move(request), sink, options);
  }
  void wake() noexcept override { inner_->wake(); }

  int started{};

 private:
  std::shared_ptr<inferwire::Transport> inner_;
};

class OwnClock final : public inferwire::Clock {
 public:
  inferwire::TimePoint now() const noexcept override { return system().now(); }
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup,
            inferwire::TimePoint until) override {
    system().wait(lock, wakeup, until);
  }
};
}  // namespace

int main() {
  const auto transport = std::make_shared<Wrapped>(
      std::make_shared<inferwire::engine::EngineTransport>(std::make_shared<inferwire::engine::Engine>()));
  inferwire::ClientOptions options;
  options.base_url = "http://localhost/v1";
  options.credential = inferwire::Credential::none();
  options.transport = transport;
  options.loop = std::make_shared<inferwire::EventLoop>(
      inferwire::EventLoopOptions{.clock = std::make_shared<OwnClock>()});
  const inferwire::Client client(options);

  inferwire::chat::Request request{
      .model = "inferwire-toy", .messages = {inferwire::chat::user("Hello")}, .max_tokens = 8};
  const auto size =
      client.chat.create(request).transform([](const auto& reply) { return reply.text().size(); });
  if (!size || *size == 0) return 1;

  const auto collected = client.chat.stream(request).collect();
  if (!collected || collected.response.text().size() != *size) return 2;

  request.model = "nobody";
  const auto refused = client.chat.create(request);
  if (refused || refused.error().status != 404) return 3;

  // If a client uses sockets, the loop asks every transport whether it is another of that kind.
  inferwire::ClientOptions closed;
  closed.base_url = "http://127.0.0.1:1/v1";
  closed.credential = inferwire::Credential::none();
  closed.retry = inferwire::RetryPolicy::none();
  closed.loop = options.loop;
  const inferwire::Client over_sockets(closed);
  const auto unreached = over_sockets.chat.start(request).get();
  if (unreached || unreached.error().kind != inferwire::ErrorKind::connection) return 4;
  const auto beside = client.chat.start(request).get();
  if (beside || beside.error().status != 404) return 5;

  std::printf("%zu bytes, %d exchanges, and: %s\n", *size, transport->started,
              refused.error().message().c_str());
  return 0;
}
