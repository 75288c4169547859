#include "inferwire/testing/mock_server.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "protocol/url.hpp"
#include "testing/connection.hpp"
#include "testing/record.hpp"
#include "testing/socket.hpp"
#include "testing/tls.hpp"

namespace inferwire::inline v0_1::testing {

namespace {

using Kind = JournalEntry::Kind;

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

}  // namespace

/// The server's thread, and the state that it shares with callers.
class INFERWIRE_PRIVATE MockServer::Loop {
 public:
  Loop(MockServerOptions options, std::unique_ptr<TlsServer> tls)
      : options_(std::move(options)),
        tls_(std::move(tls)),
        listener_(options_.unix_socket.empty() ? listen_on(options_.address)
                                               : listen_on_path(options_.unix_socket)),
        port_(port_of(listener_)),
        url_(url(default_host(options_))),
        thread_([this] { run(); }) {}
  ~Loop() {
    stopping_ = true;
    waiter_->notify();
    thread_.join();
    if (!options_.unix_socket.empty()) ::unlink(options_.unix_socket.c_str());
  }

  std::uint16_t port() const noexcept { return port_; }
  const std::string& url() const noexcept { return url_; }
  std::string url(std::string host) const { return url_of(options_, port_, std::move(host)); }
  Record& record() noexcept { return record_; }

  void push_connection(Ending fate) {
    const std::lock_guard lock(mutex_);
    fates_.push_back(fate);
  }
  std::vector<JournalEntry> journal() const {
    const std::lock_guard lock(mutex_);
    return journal_;
  }
  std::size_t accepted() const {
    const std::lock_guard lock(mutex_);
    return accepted_;
  }
  std::size_t closed_by_client() const {
    const std::lock_guard lock(mutex_);
    return closed_by_client_;
  }
  std::size_t open() const {
    const std::lock_guard lock(mutex_);
    return accepted_ - closed_;
  }

  bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const {
    return wait_for(limit, [&] { return requests_ >= count; });
  }
  bool wait_for_close(std::size_t count, std::chrono::milliseconds limit) const {
    return wait_for(limit, [&] { return closed_by_client_ >= count; });
  }
  bool wait_until_all_closed(std::chrono::milliseconds limit) const {
    return wait_for(limit, [&] { return closed_ == accepted_; });
  }

 private:
  template <class Condition>
  bool wait_for(std::chrono::milliseconds limit, Condition&& condition) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, std::forward<Condition>(condition));
  }

  void run() {
    while (!stopping_) {
      wait();
      waiter_->drain();
      while (accept_one()) {}
      for (auto& connection : connections_) serve(connection);
      std::erase_if(connections_, [this](const Connection& connection) {
        if (connection.is_open()) return false;
        note_end(connection);
        return true;
      });
    }
  }

  void wait() {
    // If there is no descriptor for a waiting connection, poll would return at once because of it.
    const auto arrivals = static_cast<short>(crowded_ ? 0 : POLLIN);
    std::vector<pollfd> watched{{waiter_->descriptor(), POLLIN, 0}, {listener_.descriptor(), arrivals, 0}};
    constexpr std::int64_t longest = 60'000;  // a longer wait is repeated
    int limit = crowded_ ? 10 : -1;
    const auto now = std::chrono::steady_clock::now();
    for (const auto& connection : connections_) {
      const auto events = static_cast<short>((connection.wants_to_receive() ? POLLIN : 0) |
                                             (connection.wants_to_send() ? POLLOUT : 0));
      watched.push_back({connection.socket().descriptor(), events, 0});
      if (const auto due = connection.due()) {
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(std::max(*due, now) - now).count();
        const auto left = static_cast<int>(std::min<std::int64_t>(wait, longest));
        limit = limit < 0 ? left : std::min(limit, left);
      }
    }
    ::poll(watched.data(), static_cast<nfds_t>(watched.size()), limit);
  }

  bool accept_one() {
    auto socket = accept_from(listener_, crowded_);
    if (!socket.is_open()) return false;
    Ending fate = Ending::whole;
    std::size_t number{};
    {
      const std::lock_guard lock(mutex_);
      if (!fates_.empty()) {
        fate = fates_.front();
        fates_.pop_front();
      }
      number = accepted_++;
      journal_.push_back({.kind = Kind::connected, .connection = number, .at = TimePoint::clock::now()});
    }
    changed_.notify_all();
    connections_.emplace_back(number, std::move(socket), waiter_, tls_ ? tls_->accept() : nullptr);
    connections_.back().meet(fate);
    return true;
  }

  void serve(Connection& connection) {
    connection.receive();
    for (;;) {
      const auto now = std::chrono::steady_clock::now();
      connection.move(now);
      if (connection.take_answered()) note(Kind::answered, connection);
      auto request = connection.next_request(url_);
      if (!request) return connection.part(now);
      auto reply = record_.take(*request);
      note(Kind::request, connection);
      connection.play(reply ? *std::move(reply) : handled(*request, connection));
    }
  }

  /// The handler's reply.
  Reply handled(const HttpRequest& request, const Connection& connection) {
    try {
      if (auto reply = record_.ask(request)) return *std::move(reply);
      return Reply::error(500, no_reply_left(request)).with("x-should-retry", "false");
    } catch (const std::exception& thrown) {
      note(Kind::handler_threw, connection, thrown.what());
    } catch (...) {
      note(Kind::handler_threw, connection, "no std::exception");
    }
    return Reply::reset();
  }

  void note(Kind kind, const Connection& connection, std::string what = {}) {
    {
      const std::lock_guard lock(mutex_);
      auto& entry = journal_.emplace_back(
          JournalEntry{.kind = kind, .connection = connection.number(), .at = TimePoint::clock::now()});
      if (kind == Kind::request) {
        latest_[entry.connection] = requests_++;
        entry.resumed = connection.resumed();
      }
      const bool of_request = kind == Kind::request || kind == Kind::handler_threw || kind == Kind::answered;
      if (of_request) entry.request = latest_[entry.connection];
      entry.what = std::move(what);
    }
    changed_.notify_all();
  }

  void note_end(const Connection& connection) {
    const bool by_client = connection.end() != Connection::End::by_script;
    note(connection.end() == Connection::End::handshake ? Kind::handshake_failed
         : by_client                                    ? Kind::closed_by_client
                                                        : Kind::closed,
         connection);
    {
      const std::lock_guard lock(mutex_);
      ++closed_;
      if (by_client) ++closed_by_client_;
      latest_.erase(connection.number());
    }
    changed_.notify_all();
  }

  const MockServerOptions options_;
  const std::unique_ptr<TlsServer> tls_;
  const std::shared_ptr<PipeWaiter> waiter_ = std::make_shared<PipeWaiter>();
  const Socket listener_;
  const std::uint16_t port_;
  const std::string url_;
  Record record_;
  std::atomic<bool> stopping_{false};

  mutable std::mutex mutex_;  // guards what follows
  mutable std::condition_variable changed_;
  std::deque<Ending> fates_;
  std::vector<JournalEntry> journal_;
  std::map<std::size_t, std::size_t> latest_;  // connection: its current request
  std::size_t accepted_{};
  std::size_t closed_{};
  std::size_t closed_by_client_{};
  std::size_t requests_{};

  std::vector<Connection> connections_;  // used only by the thread
  bool crowded_{};                       // used only by the thread: no descriptor is left for a connection
  std::thread thread_;                   // last: everything above exists when it starts
};

MockServer::MockServer(MockServerOptions options) {
  std::unique_ptr<TlsServer> tls;
  if (options.certificate) {
    auto made = make_tls_server(options);
    if (!made) {
      problem_ = std::move(made).error();
      return;
    }
    tls = *std::move(made);
  }
  try {
    loop_ = std::make_unique<Loop>(std::move(options), std::move(tls));
  } catch (const std::system_error& failure) {
    problem_ = Error{.kind = ErrorKind::connection,
                     .detail = std::string("no socket for a mock server: ") + failure.what()};
  }
}
MockServer::~MockServer() = default;

std::string MockServer::url() const { return loop_ ? loop_->url() : std::string(); }
std::string MockServer::url(const std::string& host) const {
  return loop_ ? loop_->url(host) : std::string();
}
std::uint16_t MockServer::port() const noexcept { return loop_ ? loop_->port() : std::uint16_t{0}; }

void MockServer::push(Reply reply) {
  if (loop_) loop_->record().push(std::move(reply));
}
std::size_t MockServer::remaining() const { return loop_ ? loop_->record().remaining() : 0; }
void MockServer::use_handler(std::shared_ptr<Handler> handler) {
  if (loop_) loop_->record().use_handler(std::move(handler));
}
void MockServer::push_connection(Ending fate) {
  if (loop_) loop_->push_connection(fate);
}
std::vector<HttpRequest> MockServer::requests() const {
  return loop_ ? loop_->record().requests() : std::vector<HttpRequest>();
}
void MockServer::keep_secrets() {
  if (loop_) loop_->record().keep_secrets();
}
std::vector<JournalEntry> MockServer::journal() const {
  return loop_ ? loop_->journal() : std::vector<JournalEntry>();
}

std::size_t MockServer::connections() const { return loop_ ? loop_->accepted() : 0; }
std::size_t MockServer::closed_by_client() const { return loop_ ? loop_->closed_by_client() : 0; }
std::size_t MockServer::open_connections() const { return loop_ ? loop_->open() : 0; }

bool MockServer::wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const {
  return loop_ && loop_->wait_for_requests(count, limit);
}
bool MockServer::wait_for_close(std::size_t count, std::chrono::milliseconds limit) const {
  return loop_ && loop_->wait_for_close(count, limit);
}
bool MockServer::wait_until_all_closed(std::chrono::milliseconds limit) const {
  return loop_ && loop_->wait_until_all_closed(limit);
}

}  // namespace inferwire::inline v0_1::testing
