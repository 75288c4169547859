#include "inferwire/testing/mock_server.hpp"

#include "base/own_thread.hpp"
#include "protocol/url.hpp"
#include "testing/connection.hpp"
#include "testing/connection_journal.hpp"
#include "testing/record.hpp"
#include "testing/socket.hpp"
#include "testing/tls.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::testing {

namespace {

/// Wakes the loop from its poll.
class PipeWaiter final : public Waiter {
 public:
  PipeWaiter() : ends_(make_pipe()) {}

  void notify() noexcept override { ends_.second.send("!"); }
  int descriptor() const noexcept { return ends_.first.descriptor(); }
  void drain() noexcept {
    char bytes[64];
    while (ends_.first.receive(bytes, sizeof bytes) > 0) {}
  }

 private:
  std::pair<Socket, Socket> ends_;
};

std::string url_of(const MockServerOptions& options, std::uint16_t port, std::string host) {
  return protocol::to_string(
      {.scheme = options.certificate ? "https" : "http", .host = std::move(host), .port = port});
}

std::string default_host(const MockServerOptions& options) {
  return options.unix_socket.empty() ? options.address : "localhost";
}

/// What happens to the next connections. Safe from any thread.
class ConnectionFates {
 public:
  void push(Ending fate) {
    const std::lock_guard lock(mutex_);
    fates_.push_back(fate);
  }
  /// The next one; `whole` if none is left.
  Ending take() {
    const std::lock_guard lock(mutex_);
    if (fates_.empty()) return Ending::whole;
    const auto fate = fates_.front();
    fates_.pop_front();
    return fate;
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::deque<Ending> fates_;
};

}  // namespace

/// What the server's thread shares with callers. It also exists if the server is not running.
struct INFERWIRE_PRIVATE MockServer::State {
  Record record;
  ConnectionFates fates;
  ConnectionJournal journal;
  std::unique_ptr<Loop> loop;  // last: it uses everything above; nullptr: the server is not running
};

/// The server's thread, and its sockets.
class INFERWIRE_PRIVATE MockServer::Loop {
 public:
  /// Errors: connection (no socket), and those of make_tls_server.
  static Result<std::unique_ptr<Loop>> start(State& shared, MockServerOptions options) {
    std::unique_ptr<TlsServer> tls;
    if (options.certificate) {
      auto made = make_tls_server(options);
      if (!made) return std::move(made).error();
      tls = *std::move(made);
    }
    try {
      return std::make_unique<Loop>(shared, std::move(options), std::move(tls));
    } catch (const std::system_error& failure) {
      return Error{.kind = ErrorKind::connection,
                   .detail = std::string("no socket for a mock server: ") + failure.what()};
    }
  }

  /// `shared` must outlive it.
  Loop(State& shared, MockServerOptions options, std::unique_ptr<TlsServer> tls)
      : shared_(shared),
        options_(std::move(options)),
        tls_(std::move(tls)),
        listener_(options_.unix_socket.empty() ? listen_on(options_.address)
                                               : listen_on_path(options_.unix_socket)),
        port_(port_of(listener_)),
        url_(url(default_host(options_))),
        thread_(start_thread([this] { run(); })) {}
  ~Loop() {
    stop();
    if (!options_.unix_socket.empty()) std::remove(options_.unix_socket.c_str());
  }

  /// Returns once the thread has ended.
  void stop() {
    if (!thread_.joinable()) return;
    stopping_ = true;
    waiter_->notify();
    thread_.join();
  }

  std::uint16_t port() const noexcept { return port_; }
  const std::string& url() const noexcept { return url_; }
  std::string url(std::string host) const { return url_of(options_, port_, std::move(host)); }

 private:
  void run() {
    while (!stopping_) {
      wait();
      waiter_->drain();
      while (accept_one()) {}
      for (auto& connection : connections_) serve(connection);
      std::erase_if(connections_, [this](const Connection& connection) {
        if (connection.is_open()) return false;
        shared_.journal.note_end(connection);
        return true;
      });
    }
  }

  void wait() {
    // If there is no descriptor for a waiting connection, it would end every wait at once.
    std::vector<Watch> watched{{waiter_->descriptor(), true, false},
                               {listener_.descriptor(), !crowded_, false}};
    constexpr std::int64_t longest = 60'000;  // a longer wait is repeated
    int limit = crowded_ ? 10 : -1;
    const auto now = std::chrono::steady_clock::now();
    for (const auto& connection : connections_) {
      watched.push_back(
          {connection.socket().descriptor(), connection.wants_to_receive(), connection.wants_to_send()});
      if (const auto due = connection.due()) {
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(std::max(*due, now) - now).count();
        const auto left = static_cast<int>(std::min<std::int64_t>(wait, longest));
        limit = limit < 0 ? left : std::min(limit, left);
      }
    }
    wait_for(watched, limit);
  }

  bool accept_one() {
    auto socket = accept_from(listener_, crowded_);
    if (!socket.is_open()) return false;
    const auto fate = shared_.fates.take();
    const auto number = shared_.journal.note_connected();
    connections_.emplace_back(number, std::move(socket), waiter_, tls_ ? tls_->accept() : nullptr);
    connections_.back().meet(fate);
    return true;
  }

  void serve(Connection& connection) {
    connection.receive();
    for (;;) {
      const auto now = std::chrono::steady_clock::now();
      connection.move(now);
      if (connection.take_answered()) shared_.journal.note(JournalEntry::Kind::answered, connection);
      auto request = connection.next_request(url_);
      if (!request) return connection.part(now);
      auto reply = shared_.record.take(*request);
      shared_.journal.note(JournalEntry::Kind::request, connection);
      connection.play(reply ? *std::move(reply) : handled(*request, connection));
    }
  }

  /// The handler's reply, or one that says why there is none.
  Reply handled(const HttpRequest& request, const Connection& connection) {
    try {
      if (auto reply = shared_.record.ask(request)) return *std::move(reply);
      return refusal(no_reply_left(request));
    } catch (const std::exception& thrown) {
      return handler_threw(thrown.what(), connection);
    } catch (...) {
      return handler_threw("no std::exception", connection);
    }
  }
  Reply handler_threw(const std::string& what, const Connection& connection) {
    shared_.journal.note(JournalEntry::Kind::handler_threw, connection, what);
    return refusal("the handler threw: " + what);
  }
  static Reply refusal(const std::string& why) {
    return Reply::error(500, why).with("x-should-retry", "false");
  }

  State& shared_;
  const MockServerOptions options_;
  const std::unique_ptr<TlsServer> tls_;
  const std::shared_ptr<PipeWaiter> waiter_ = std::make_shared<PipeWaiter>();
  const Socket listener_;
  const std::uint16_t port_;
  const std::string url_;
  std::atomic<bool> stopping_{false};

  std::vector<Connection> connections_;  // used only by the thread
  bool crowded_{};                       // used only by the thread: no descriptor is left for a connection
  std::thread thread_;                   // last: everything above exists when it starts
};

MockServer::MockServer(MockServerOptions options) : state_(std::make_unique<State>()) {
  auto loop = Loop::start(*state_, std::move(options));
  if (loop) {
    state_->loop = *std::move(loop);
  } else {
    problem_ = std::move(loop).error();
    state_->journal.end();
  }
}
/// A handler that still runs may use the server.
MockServer::~MockServer() {
  if (state_->loop) state_->loop->stop();
}

std::string MockServer::url() const { return state_->loop ? state_->loop->url() : std::string(); }
std::string MockServer::url(const std::string& host) const {
  return state_->loop ? state_->loop->url(host) : std::string();
}
std::uint16_t MockServer::port() const noexcept {
  return state_->loop ? state_->loop->port() : std::uint16_t{0};
}

void MockServer::push(Reply reply) { state_->record.push(std::move(reply)); }
std::size_t MockServer::remaining() const { return state_->record.remaining(); }
void MockServer::use_handler(std::shared_ptr<Handler> handler) {
  state_->record.use_handler(std::move(handler));
}
void MockServer::push_connection(Ending fate) { state_->fates.push(fate); }
std::vector<HttpRequest> MockServer::requests() const { return state_->record.requests(); }
void MockServer::keep_secrets() { state_->record.keep_secrets(); }
std::vector<JournalEntry> MockServer::journal() const { return state_->journal.entries(); }

std::size_t MockServer::connections() const { return state_->journal.accepted(); }
std::size_t MockServer::closed_by_client() const { return state_->journal.closed_by_client(); }
std::size_t MockServer::open_connections() const { return state_->journal.open(); }

bool MockServer::wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const {
  return state_->journal.wait_for_requests(count, limit);
}
bool MockServer::wait_for_close(std::size_t count, std::chrono::milliseconds limit) const {
  return state_->journal.wait_for_close(count, limit);
}
bool MockServer::wait_until_all_closed(std::chrono::milliseconds limit) const {
  return state_->journal.wait_until_all_closed(limit);
}

}  // namespace inferwire::inline v0_1::testing
