/// \file
/// Answers the requests to an HttpServer with what its service says.
#pragma once

#include "inferwire/engine/service.hpp"
#include "inferwire/timeouts.hpp"
#include "server/connections.hpp"
#include "server/httplib_adapter.hpp"
#include "server/thread_pool.hpp"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

namespace inferwire::inline v0_1::server {

/// Its functions are called by the threads of the pool, several at a time; `stop` may be called by any
/// thread.
class RequestHandler {
 public:
  /// `listening_at` and `base_url` are those of the server. The pool must outlive all requests.
  RequestHandler(std::shared_ptr<engine::Service> service, const SocketAddress& listening_at,
                 std::string base_url, ThreadPool& pool);

  /// Answers a request. `received` says whether `body` is the whole of its body.
  void answer(const httplib::Request& from, httplib::Response& to, std::string body, Body received);
  /// Answers once the body has been read, up to the size the service accepts. The rest is dropped, up to a
  /// limit.
  void answer_with_body(const httplib::Request& from, httplib::Response& to,
                        const httplib::ContentReader& read);

  /// Cuts off answers in progress, and all that follow.
  void stop();

 private:
  void answer_streamed(std::unique_ptr<engine::Generation> generation, const httplib::Request& from,
                       httplib::Response& to, const std::string& type);
  bool pump(engine::Generation& generation, httplib::DataSink& sink, bool closes);
  void refuse_part(const httplib::Request& from, httplib::Response& to) const;
  bool ends_connection(const httplib::Request& from) const;
  void wait(TimePoint until);

  const std::shared_ptr<engine::Service> service_;
  const SocketAddress listening_at_;
  const std::string base_url_;
  ThreadPool& pool_;

  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable stopped_;  // `stopping_` has become true
};

}  // namespace inferwire::inline v0_1::server
