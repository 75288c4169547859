/// \file
/// Cancelling at any moment of a call: the call returns at once and its socket is closed.

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/eventually.hpp"
#include "support/open_files.hpp"
#include "support/quiet_listener.hpp"
#include "support/stalled_resolver.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

using SteadyClock = std::chrono::steady_clock;

/// The limit for "at once": below every timer in these tests. A quiet machine takes less than 50 ms, a busy
/// one more.
constexpr auto at_once = 5s;

struct Cancelled {
  std::optional<Error> error{};
  SteadyClock::duration took{};
};

/// Runs `call(token)` and cancels it as soon as `ready()` is true, which it has to become. `took` is the time
/// from then until the call returns.
template <class Ready, class Call>
Cancelled cancel_when(Ready ready, Call call) {
  CancelSource source;
  SteadyClock::time_point cancelled;
  bool was_ready{};
  std::thread other([&] {
    was_ready = eventually(ready);
    cancelled = SteadyClock::now();
    source.cancel();
  });
  Cancelled out{.error = call(source.token())};
  const auto returned = SteadyClock::now();
  other.join();
  REQUIRE(was_ready);
  out.took = returned - cancelled;
  return out;
}

/// Cancels `call` three times and checks the errors, and that the fastest returned at once.
template <class Ready, class Call>
void check_cancelled(Ready ready, Call call) {
  auto fastest = SteadyClock::duration::max();
  for (int i = 0; i < 3; ++i) {
    const auto cancelled = cancel_when(ready, call);
    REQUIRE(cancelled.error);
    CHECK(cancelled.error->kind == ErrorKind::cancelled);
    fastest = std::min(fastest, cancelled.took);
  }
  CHECK(fastest < at_once);
}

std::optional<Error> create(const Client& client, const inferwire::CancelToken& token) {
  const auto reply = client.chat.create(hello, {.cancel = token});
  return reply ? std::nullopt : std::optional(reply.error());
}

std::optional<Error> stream(const Client& client, const inferwire::CancelToken& token) {
  return client.chat.stream(hello, {.cancel = token}).collect().error;
}

/// The number of sockets of this machine that try to connect to a port (state SYN_SENT).
int connecting_to(int port) {
  char wanted[16];
  std::snprintf(wanted, sizeof wanted, ":%04X 02", static_cast<unsigned>(port));
  std::ifstream table("/proc/net/tcp");
  int count = 0;
  for (std::string line; std::getline(table, line);) count += line.find(wanted) != line.npos ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("a call that is cancelled while Transport::start runs is not driven", "[cancel]") {
  class Idle final : public inferwire::Exchange {
   public:
    explicit Idle(int& drives) : drives_(drives) {}
    inferwire::Progress drive(inferwire::TimePoint) override {
      ++drives_;
      return inferwire::Progress::deadline;
    }
    void pause() override {}
    void resume() override {}

   private:
    int& drives_;
  };
  class Late final : public inferwire::Transport {
   public:
    inferwire::Result<std::unique_ptr<inferwire::Exchange>> start(
        HttpRequest, inferwire::Sink&, const inferwire::ExchangeOptions&) override {
      source.cancel();  // as another thread may, just before there is an exchange to wake
      return std::unique_ptr<inferwire::Exchange>(std::make_unique<Idle>(drives));
    }
    void wake() noexcept override {}

    CancelSource source;
    int drives{};
  };
  const auto transport = std::make_shared<Late>();
  const Client client(
      {.base_url = "http://h.test/v1", .credential = Credential::none(), .transport = transport});
  const auto error = create(client, transport->source.token());
  REQUIRE(error);
  CHECK(error->kind == ErrorKind::cancelled);
  CHECK(transport->drives == 0);
}

TEST_CASE("a call is cancelled while its host's name is looked up", "[cancel]") {
  { const MockServer warm; }  // opens what is opened only once
  const auto files_before = open_files();
  {
    const Client client(
        {.base_url = "http://" + std::string(stalled_name) + "/v1", .credential = Credential::none()});
    int seen = 0;
    const auto ready = [&seen] {
      const auto lookups = stalled_lookups();
      return lookups != std::exchange(seen, lookups);
    };
    check_cancelled(ready, [&](const auto& token) { return create(client, token); });
    check_cancelled(ready, [&](const auto& token) { return stream(client, token); });
  }
  CHECK(stalled_lookups() >= 6);  // no call waited for them; newer libcurl makes two lookups per name
  end_stalled_lookups();
  CHECK(eventually([&] { return open_files() <= files_before; }));
}

TEST_CASE("a call is cancelled while it connects", "[cancel]") {
  QuietListener listener(0);
  listener.fill();
  const auto others = connecting_to(listener.port());
  const Client client({.base_url = "http://" + listener.place(), .credential = Credential::none()});
  check_cancelled([&] { return connecting_to(listener.port()) > others; },
                  [&](const auto& token) { return create(client, token); });
  // The kernel's table may lag behind.
  CHECK(eventually([&] { return connecting_to(listener.port()) <= others; }));
}

TEST_CASE("a call is cancelled in the middle of the TLS handshake", "[cancel]") {
  const QuietListener listener;
  const Client client({.base_url = "https://" + listener.place(), .credential = Credential::none()});
  std::vector<int> accepted;
  const auto ready = [&] {
    accepted.push_back(listener.accept());
    pollfd readable{accepted.back(), POLLIN, 0};
    return ::poll(&readable, 1, 10'000) == 1;
  };
  check_cancelled(ready, [&](const auto& token) { return create(client, token); });
  for (const int server : accepted) {
    char bytes[4096];
    ssize_t got = 1;
    while (got > 0) got = ::recv(server, bytes, sizeof bytes, 0);
    CHECK(got == 0);  // the client has closed
    ::close(server);
  }
}

TEST_CASE("a call is cancelled while the server says nothing, before the head and behind it", "[cancel]") {
  const auto head_only = Reply::json(answer_of("Hi.")).cut_after(0, Ending::silence);
  for (const auto& reply : {Reply::silence(), head_only}) {
    AnsweringServer server(reply);
    const Client client({.base_url = server.url(), .credential = Credential::none()});
    std::size_t seen = 0;
    const auto ready = [&] {
      if (server.requests().size() == seen) return false;
      seen = server.requests().size();
      return true;
    };
    check_cancelled(ready, [&](const auto& token) { return create(client, token); });
    check_cancelled(ready, [&](const auto& token) { return stream(client, token); });
    CHECK(server.wait_for_close(6, 2s));
  }
}

TEST_CASE("a cancelled stream does not give what had arrived", "[cancel]") {
  const auto word = chunk("one");
  MockServer server;
  server.push(Reply::stream({word + word + word + done}));
  const Client client({.base_url = server.url(), .credential = Credential::none()});
  CancelSource source;
  auto stream = client.chat.stream(hello, {.cancel = source.token()});
  const auto* first = stream.next();
  REQUIRE(first != nullptr);
  REQUIRE(*first);
  source.cancel();
  const auto* last = stream.next();
  REQUIRE(last != nullptr);
  REQUIRE_FALSE(*last);
  CHECK(last->error().kind == ErrorKind::cancelled);
  CHECK(stream.next() == nullptr);
}

TEST_CASE("a stream cancelled between two next() ends at the following one", "[cancel]") {
  MockServer server;
  server.push(unfinished_stream({chunk("one")}));
  const Client client({.base_url = server.url(), .credential = Credential::none()});
  CancelSource source;
  auto stream = client.chat.stream(hello, {.cancel = source.token()});
  REQUIRE(stream.next() != nullptr);
  source.cancel();
  const auto before = SteadyClock::now();
  const auto* last = stream.next();
  CHECK(SteadyClock::now() - before < 10s);  // the server is silent until `idle`, which is 300 s
  REQUIRE(last != nullptr);
  REQUIRE_FALSE(*last);
  CHECK(last->error().kind == ErrorKind::cancelled);
  CHECK(last->error().status == 200);
  CHECK(server.wait_for_close(1, 2s));
}

namespace {

/// Fetches a token from a server that never answers.
class Fetching final : public Credential {
 public:
  explicit Fetching(std::string url) : url_(std::move(url)) {}

  Prepared prepare(HttpRequest&, Instant) override {
    return Fetch{.request = {.method = "GET", .url = url_}};
  }

 private:
  std::string url_;
};

/// Waits for a token that another call fetches, and never gets it.
class Waiting final : public Credential {
 public:
  Prepared prepare(HttpRequest&, Instant) override {
    asked = true;
    return Wait{never_.token()};
  }
  std::atomic<bool> asked{false};

 private:
  CancelSource never_;
};

}  // namespace

TEST_CASE("a call is cancelled while it fetches a token, and while it waits for one", "[cancel]") {
  AnsweringServer server(Reply::silence());
  const Client fetching(
      {.base_url = server.url(), .credential = std::make_shared<Fetching>(server.url() + "/token")});
  std::size_t seen = 0;
  const auto requested = [&] {
    if (server.requests().size() == seen) return false;
    seen = server.requests().size();
    return true;
  };
  check_cancelled(requested, [&](const auto& token) { return create(fetching, token); });
  CHECK(server.wait_for_close(3, 2s));

  const auto waits = std::make_shared<Waiting>();
  const Client waiting({.base_url = server.url(), .credential = waits});
  check_cancelled([&] { return waits->asked.exchange(false); },
                  [&](const auto& token) { return create(waiting, token); });
}

TEST_CASE("cancelling a call does not wake the other calls of its transport", "[cancel]") {
  /// Counts the wakes that reach all exchanges.
  struct Counting final : inferwire::Transport {
    inferwire::Result<std::unique_ptr<inferwire::Exchange>> start(
        HttpRequest request, inferwire::Sink& sink, const inferwire::ExchangeOptions& options) override {
      return inner->start(std::move(request), sink, options);
    }
    void wake() noexcept override {
      ++wakes;
      inner->wake();
    }
    std::shared_ptr<inferwire::Transport> inner = inferwire::network_transport();
    std::atomic<int> wakes{0};
  };
  AnsweringServer server(Reply::silence());
  const auto transport = std::make_shared<Counting>();
  const Client client({.base_url = server.url(), .api_key = "k", .transport = transport});
  CancelSource source;
  std::thread caller([&] {
    CHECK(client.chat.create(hello, {.cancel = source.token()}).error().kind == ErrorKind::cancelled);
  });
  CHECK(server.wait_for_requests(1));
  source.cancel();
  caller.join();
  CHECK(transport->wakes == 0);
}
