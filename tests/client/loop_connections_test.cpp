/// \file
/// The connections of a loop, and what happens to them as clients leave.

#include "inferwire/inferwire.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/eventually.hpp"
#include "support/mock_calls.hpp"
#include "support/no_descriptors.hpp"
#include "support/open_files.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

TEST_CASE("a client that leaves a shared loop closes its connections", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto loop = std::make_shared<EventLoop>();
  const bool on_loop = GENERATE(false, true);
  const auto ask = [&] {
    auto client = std::make_unique<Client>(client_of(server, {.loop = loop}));
    if (!on_loop) {
      REQUIRE(client->chat.start(hello).get());
      return;
    }
    Baton<bool> left;
    client->chat.start(hello).then([&](const Result<chat::Response>& answer) {
      client.reset();
      left.pass(answer.has_value());
    });
    REQUIRE(left.take());
  };
  const bool another_stays = GENERATE(false, true);
  const auto stays = client_of(server, {.loop = loop});
  if (another_stays) REQUIRE(stays.chat.start(hello).get());
  ask();
  const auto before = open_files();
  for (int i = 0; i < 8; ++i) ask();
  CHECK(eventually([&] { return open_files() <= before; }));  // the server closes its ends a little later
  CHECK(server.connections() == (another_stays ? 10 : 9));
  if (another_stays) REQUIRE(stays.chat.start(hello).get());
  CHECK(server.connections() == (another_stays ? 10 : 9));
}

TEST_CASE("a client that leaves keeps the connections of a transport that another client has", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto loop = std::make_shared<EventLoop>();
  const auto transport = inferwire::network_transport();
  const auto client = [&] { return client_of(server, {.transport = transport, .loop = loop}); };
  const auto stays = client();
  REQUIRE(stays.chat.start(hello).get());
  REQUIRE(client().chat.start(hello).get());
  REQUIRE(stays.chat.start(hello).get());
  CHECK(server.connections() == 1);
}

TEST_CASE("a stream whose end comes a little after its end marker keeps its connection", "[async]") {
  MockServer server;
  auto reply = whole_stream({"One."});
  reply.body.push_back({.delay = 5ms});
  server.push(std::move(reply));
  const auto client = client_of(server);
  Baton<bool> whole;
  auto stream = client.chat.open(hello);
  stream.listen([](const chat::Chunk&) {}, [&](const Result<void>& end) { whole.pass(end.has_value()); });
  CHECK(whole.take());
  CHECK(eventually([&] { return answered(server) == 1; }));
  CHECK(server.closed_by_client() == 0);
}

TEST_CASE("a stream that is left before its late end keeps its connection", "[async]") {
  const bool on_loop = GENERATE(false, true);
  CAPTURE(on_loop);
  MockServer server;
  auto reply = Reply::stream({stop + done});
  reply.body.push_back({.delay = 50ms});
  server.push(std::move(reply));
  const auto client = client_of(server);
  if (on_loop) {
    auto stream = client.chat.open(hello);
    REQUIRE(stream.get());
  } else {
    auto stream = client.chat.stream(hello);
    REQUIRE(stream.next());
  }
  CHECK(eventually([&] { return answered(server) == 1; }));
  CHECK(server.closed_by_client() == 0);
}

TEST_CASE("a call whose event loop gets no file descriptor fails, and the next one works", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server, {.retry = inferwire::RetryPolicy::none()});
  const auto refused = [&] {
    const inferwire_test::NoDescriptors none;
    return client.chat.start(hello).get();
  }();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::connection);
  CHECK(refused.error().retryable);
  CHECK_THAT(refused.error().detail, inferwire_test::contains("event loop"));
  CHECK(client.chat.start(hello).get());
}

TEST_CASE("a client that leaves a shared loop destroys its transport and multiplexer", "[async]") {
  struct Alive {
    std::atomic<int> transports{0};
    std::atomic<int> multiplexers{0};
  };
  class Carrier final : public inferwire::Multiplexer {
   public:
    Carrier(std::shared_ptr<Alive> alive, std::unique_ptr<inferwire::Multiplexer> inner)
        : alive_(std::move(alive)), inner_(std::move(inner)) {
      ++alive_->multiplexers;
    }
    ~Carrier() override {
      --alive_->multiplexers;
      CHECK(alive_->transports == 1);
    }
    Result<std::unique_ptr<inferwire::Exchange>> start(HttpRequest request, inferwire::Sink& sink,
                                                       const inferwire::ExchangeOptions& options) override {
      return inner_->start(std::move(request), sink, options);
    }
    void wake() noexcept override { inner_->wake(); }
    void run(inferwire::TimePoint deadline) override { inner_->run(deadline); }

   private:
    std::shared_ptr<Alive> alive_;
    std::unique_ptr<inferwire::Multiplexer> inner_;
  };
  class Own final : public inferwire::Transport {
   public:
    explicit Own(std::shared_ptr<Alive> alive) : alive_(std::move(alive)) { ++alive_->transports; }
    ~Own() override { --alive_->transports; }
    Result<std::unique_ptr<inferwire::Exchange>> start(HttpRequest request, inferwire::Sink& sink,
                                                       const inferwire::ExchangeOptions& options) override {
      return inner_->start(std::move(request), sink, options);
    }
    void wake() noexcept override { inner_->wake(); }
    std::unique_ptr<inferwire::Multiplexer> multiplexer() override {
      return std::make_unique<Carrier>(alive_, inner_->multiplexer());
    }

   private:
    std::shared_ptr<Alive> alive_;
    std::shared_ptr<inferwire::Transport> inner_ = inferwire::network_transport();
  };
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto loop = std::make_shared<EventLoop>();
  const auto stays = client_of(server, {.loop = loop});
  REQUIRE(stays.chat.start(hello).get());
  const auto alive = std::make_shared<Alive>();
  {
    const auto client = client_of(server, {.transport = std::make_shared<Own>(alive), .loop = loop});
    REQUIRE(client.chat.start(hello).get());
    CHECK(alive->multiplexers == 1);
  }
  CHECK(alive->multiplexers == 0);
  CHECK(alive->transports == 0);
  CHECK(stays.chat.start(hello).get());

  // A client with a separate loop, whose last handle is destroyed on that loop's thread.
  Baton<int> gone;
  {
    auto last = std::make_shared<Client>(client_of(server, {.transport = std::make_shared<Own>(alive)}));
    auto call = last->chat.start(hello);
    call.then([&gone, last](Result<chat::Response>) mutable {
      last.reset();
      gone.pass(1);
    });
  }
  gone.take();
  CHECK(eventually([&] { return alive->transports == 0; }));
  CHECK(alive->multiplexers == 0);
}

TEST_CASE("a ForwardingTransport sees requests and bodies of blocking and async calls", "[async]") {
  class Seen final : public inferwire::ForwardingExchange {
   public:
    Seen(inferwire::Sink& sink, std::atomic<std::size_t>& received)
        : ForwardingExchange(sink), received_(received) {}

   private:
    void on_body(std::string_view bytes) override {
      received_ += bytes.size();
      ForwardingExchange::on_body(bytes);
    }
    std::atomic<std::size_t>& received_;
  };
  class Seeing final : public inferwire::ForwardingTransport {
   public:
    using ForwardingTransport::ForwardingTransport;
    std::atomic<std::size_t> received{0};

   private:
    Result<std::unique_ptr<inferwire::Exchange>> start_at(
        inferwire::Transport& inner, HttpRequest request, inferwire::Sink& sink,
        const inferwire::ExchangeOptions& options) override {
      request.headers.push_back({"X-Team", "search"});
      return inferwire::ForwardingExchange::begin(std::make_unique<Seen>(sink, received), inner,
                                                  std::move(request), options);
    }
  };
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto seeing = std::make_shared<Seeing>(inferwire::network_transport());
  CHECK(seeing->is_remote());
  CHECK(seeing->multiplexer());
  const auto client = client_of(server, {.transport = seeing});
  CHECK(client.chat.create(hello));
  CHECK(client.chat.start(hello).get());
  CHECK(seeing->received == 2 * answer_of("Hi.").size());
  for (const auto& request : server.requests()) {
    CHECK(inferwire::find_header(request.headers, "X-Team") == "search");
  }
  CHECK(server.requests().size() == 2);
}

TEST_CASE("clients in a row on a shared loop and transport reuse the connection", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto loop = std::make_shared<EventLoop>();
  for (int i = 0; i < 2; ++i) {
    auto transport = inferwire::network_transport();
    for (int call = 0; call < 5; ++call) {
      REQUIRE(client_of(server, {.transport = transport, .loop = loop}).chat.start(hello).get());
    }
  }
  CHECK(server.connections() == 2);
  // A transport that only one client has goes with that client; one that is gone is cleaned up when the next
  // client arrives.
  REQUIRE(client_of(server, {.loop = loop}).chat.start(hello).get());
  CHECK(server.wait_for_close(3));
}

TEST_CASE("idle connections do not keep the loop busy", "[async]") {
  /// Counts how often its exchanges are driven, which take turns, as it has no multiplexer.
  struct Counting final : inferwire::Transport {
    struct Counted final : inferwire::Exchange {
      Counted(std::unique_ptr<inferwire::Exchange> one, std::atomic<int>& all)
          : inner(std::move(one)), drives(all) {}
      inferwire::Progress drive(inferwire::TimePoint deadline) override {
        ++drives;
        return inner->drive(deadline);
      }
      void pause() override { inner->pause(); }
      void resume() override { inner->resume(); }
      std::unique_ptr<inferwire::Exchange> inner;
      std::atomic<int>& drives;
    };
    Result<std::unique_ptr<inferwire::Exchange>> start(HttpRequest request, inferwire::Sink& sink,
                                                       const inferwire::ExchangeOptions& options) override {
      auto exchange = inner->start(std::move(request), sink, options);
      if (!exchange) return exchange;
      return std::unique_ptr<inferwire::Exchange>(std::make_unique<Counted>(*std::move(exchange), drives));
    }
    void wake() noexcept override { inner->wake(); }
    bool is_remote() const noexcept override { return true; }
    std::shared_ptr<Transport> inner = inferwire::network_transport();
    std::atomic<int> drives{0};
  };
  MockServer server;
  server.push(Reply::json(answer_of("Hi.")));
  server.push(Reply::silence());
  const auto loop = std::make_shared<EventLoop>();
  const auto kept = inferwire::network_transport();
  REQUIRE(client_of(server, {.transport = kept, .loop = loop}).chat.start(hello).get());
  const auto counting = std::make_shared<Counting>();
  const auto silent = client_of(server, {.timeouts = {.overall = 1s}, .transport = counting, .loop = loop});
  REQUIRE(silent.chat.start(hello).get().error().kind == ErrorKind::timeout);
  CHECK(server.connections() == 2);
  CHECK(counting->drives < 50);
}

TEST_CASE("destroying a transport closes the connections of its blocking calls", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto loop = std::make_shared<EventLoop>();
  auto transport = inferwire::network_transport();
  {
    const auto client = client_of(server, {.transport = transport, .loop = loop});
    REQUIRE(client.chat.start(hello).get());
    REQUIRE(client.chat.create(hello));
  }
  CHECK(server.open_connections() == 2);
  transport.reset();
  CHECK(server.wait_for_close(1));
}

TEST_CASE("the loop closes connections older than max_idle", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server, {.network = {.max_idle = 1s}});
  REQUIRE(client.chat.start(hello).get());
  CHECK(server.open_connections() == 1);
  CHECK(server.wait_for_close(1));
  REQUIRE(client.chat.start(hello).get());
  CHECK(server.connections() == 2);
}
