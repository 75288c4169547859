/// \file
/// An HTTP server for tests that does what it is told, faults of every kind included.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inferwire/error.hpp"
#include "inferwire/testing/reply.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::testing {

/// Listens on 127.0.0.1, on a port that the system chooses, and serves from one thread of its own until it is
/// destroyed. HTTP/1.1 with keep-alive. Safe from any thread.
///
///     testing::MockServer server;
///     server.push({.body = {{"{\"half\":"}}, .ending = testing::Ending::cut});
///     ... call server.url() ...
class INFERWIRE_API MockServer {
 public:
  using Handler = std::function<Reply(const HttpRequest&)>;

  MockServer();
  ~MockServer();
  MockServer(const MockServer&) = delete;
  MockServer& operator=(const MockServer&) = delete;

  /// Why there is no server: no socket could be had. Nothing when there is one; otherwise `url` is empty and
  /// nothing is ever received.
  const std::optional<Error>& problem() const noexcept { return problem_; }

  /// "http://127.0.0.1:PORT"
  std::string url() const;
  std::uint16_t port() const noexcept;

  /// Appends a reply: requests are answered in the order in which they are complete.
  void push(Reply reply);
  /// Answers the requests for which no reply was pushed; runs on the server's thread. Without it they get
  /// status 500.
  void set_handler(Handler handler);

  /// The requests so far, with absolute URLs. Credentials in their headers read "***" unless `keep_secrets`
  /// was called before.
  std::vector<HttpRequest> requests() const;
  void keep_secrets();

  /// How many connections were accepted, and how many of those the client has closed.
  std::size_t connections() const;
  std::size_t closed_by_client() const;

  /// Waits until so many requests were received in all; false when that takes longer than `limit`.
  bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit = std::chrono::seconds(10)) const;
  /// Waits until the client has closed so many connections in all; false when that takes longer than `limit`.
  bool wait_for_close(std::size_t count, std::chrono::milliseconds limit = std::chrono::seconds(10)) const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
  std::optional<Error> problem_;
};

}  // namespace inferwire::inline v0_1::testing
