#include "inferwire/testing/mock_server.hpp"

#include <poll.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "testing/connection.hpp"
#include "testing/record.hpp"
#include "testing/socket.hpp"

namespace inferwire::inline v0_1::testing {

namespace {

/// Wakes the loop out of its poll.
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

}  // namespace

/// The server's thread and what it shares with the callers.
class MockServer::Loop {
 public:
  Loop() : listener_(listen_on_loopback()), port_(port_of(listener_)), thread_([this] { run(); }) {}
  ~Loop() {
    stopping_ = true;
    waiter_->notify();
    thread_.join();
  }

  std::uint16_t port() const noexcept { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  Record& record() noexcept { return record_; }
  std::size_t accepted() const {
    const std::lock_guard lock(mutex_);
    return accepted_;
  }
  std::size_t closed() const {
    const std::lock_guard lock(mutex_);
    return closed_;
  }

  template <class Condition>
  bool wait_for(std::chrono::milliseconds limit, Condition&& condition) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, std::forward<Condition>(condition));
  }

 private:
  friend class MockServer;

  void run() {
    while (!stopping_) {
      wait();
      waiter_->drain();
      while (auto socket = accept_one()) connections_.emplace_back(*std::move(socket), waiter_);
      for (auto& connection : connections_) serve(connection);
      std::erase_if(connections_, [this](const Connection& connection) {
        if (connection.is_open()) return false;
        if (connection.closed_by_peer()) note(closed_);
        return true;
      });
    }
  }

  void wait() {
    std::vector<pollfd> watched{{waiter_->descriptor(), POLLIN, 0}, {listener_.descriptor(), POLLIN, 0}};
    int limit = -1;
    const auto now = std::chrono::steady_clock::now();
    for (const auto& connection : connections_) {
      const auto events = static_cast<short>(POLLIN | (connection.wants_to_send() ? POLLOUT : 0));
      watched.push_back({connection.socket().descriptor(), events, 0});
      if (const auto due = connection.due()) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::max(*due, now) - now).count();
        limit = limit < 0 ? static_cast<int>(left) : std::min(limit, static_cast<int>(left));
      }
    }
    ::poll(watched.data(), static_cast<nfds_t>(watched.size()), limit);
  }

  std::optional<Socket> accept_one() {
    auto socket = accept_from(listener_);
    if (!socket.is_open()) return std::nullopt;
    note(accepted_);
    return socket;
  }

  void serve(Connection& connection) {
    connection.receive();
    for (;;) {
      connection.move(std::chrono::steady_clock::now());
      auto request = connection.next_request(url());
      if (!request) return;
      auto reply = record_.answer(*request);
      note(requests_);
      connection.play(reply ? *std::move(reply)
                            : Reply::json(R"({"error": "the script is at its end"})", 500));
    }
  }

  void note(std::size_t& counter) {
    {
      const std::lock_guard lock(mutex_);
      ++counter;
    }
    changed_.notify_all();
  }

  const std::shared_ptr<PipeWaiter> waiter_ = std::make_shared<PipeWaiter>();
  const Socket listener_;
  const std::uint16_t port_;
  Record record_;
  std::atomic<bool> stopping_{false};

  mutable std::mutex mutex_;  // guards the counters
  mutable std::condition_variable changed_;
  std::size_t accepted_{};
  std::size_t closed_{};
  std::size_t requests_{};

  std::vector<Connection> connections_;  // of the thread
  std::thread thread_;                   // last: everything above is there when it begins
};

MockServer::MockServer() {
  try {
    loop_ = std::make_unique<Loop>();
  } catch (const std::system_error& failure) {
    problem_ = Error{.kind = ErrorKind::connection,
                     .detail = std::string("no socket for a mock server: ") + failure.what()};
  }
}
MockServer::~MockServer() = default;

std::string MockServer::url() const { return loop_ ? loop_->url() : std::string(); }
std::uint16_t MockServer::port() const noexcept { return loop_ ? loop_->port() : std::uint16_t{0}; }

void MockServer::push(Reply reply) {
  if (loop_) loop_->record().push(std::move(reply));
}
void MockServer::set_handler(Handler handler) {
  if (loop_) loop_->record().set_handler(std::move(handler));
}
std::vector<HttpRequest> MockServer::requests() const {
  return loop_ ? loop_->record().requests() : std::vector<HttpRequest>();
}
void MockServer::keep_secrets() {
  if (loop_) loop_->record().keep_secrets();
}

std::size_t MockServer::connections() const { return loop_ ? loop_->accepted() : 0; }
std::size_t MockServer::closed_by_client() const { return loop_ ? loop_->closed() : 0; }

bool MockServer::wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const {
  return loop_ && loop_->wait_for(limit, [this, count] { return loop_->requests_ >= count; });
}

bool MockServer::wait_for_close(std::size_t count, std::chrono::milliseconds limit) const {
  return loop_ && loop_->wait_for(limit, [this, count] { return loop_->closed_ >= count; });
}

}  // namespace inferwire::inline v0_1::testing
