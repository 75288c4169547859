/// \file
/// The journal and the script shared by ScriptTransport and MockServer.
#pragma once

#include "inferwire/testing/handler.hpp"
#include "inferwire/testing/reply.hpp"
#include "inferwire/transport.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::testing {

/// Received requests and scripted replies. Safe from any thread; the handler runs and is destroyed without a
/// lock.
class Record {
 public:
  void push(Reply reply);
  std::size_t remaining() const;
  void use_handler(std::shared_ptr<Handler> handler);
  void keep_secrets();
  std::vector<HttpRequest> requests() const;

  /// Records the request and takes the next reply that was pushed, if there is one.
  std::optional<Reply> take(const HttpRequest& request);
  /// The handler's reply, if there is a handler.
  std::optional<Reply> ask(const HttpRequest& request);

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::deque<Reply> replies_;
  std::shared_ptr<Handler> handler_;
  std::vector<HttpRequest> requests_;
  bool keeps_secrets_{};
};

/// The error for a request without a reply.
std::string no_reply_left(const HttpRequest& request);

}  // namespace inferwire::inline v0_1::testing
