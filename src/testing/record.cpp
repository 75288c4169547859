#include "testing/record.hpp"

#include "protocol/headers.hpp"
#include "protocol/redact.hpp"

#include <utility>

namespace inferwire::inline v0_1::testing {

void Record::push(Reply reply) {
  const std::lock_guard lock(mutex_);
  replies_.push_back(std::move(reply));
}

std::size_t Record::remaining() const {
  const std::lock_guard lock(mutex_);
  return replies_.size();
}

void Record::use_handler(std::shared_ptr<Handler> handler) {
  const std::lock_guard lock(mutex_);
  handler_.swap(handler);  // the previous one is destroyed after the lock is released
}

void Record::keep_secrets() {
  const std::lock_guard lock(mutex_);
  keeps_secrets_ = true;
}

std::vector<HttpRequest> Record::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::optional<Reply> Record::take(const HttpRequest& request) {
  const std::lock_guard lock(mutex_);
  auto& noted = requests_.emplace_back(request);
  for (auto& header : noted.headers) {
    if (!keeps_secrets_ && protocol::is_secret_header(header.name)) header.value = "***";
  }
  if (replies_.empty()) return std::nullopt;
  auto reply = std::move(replies_.front());
  replies_.pop_front();
  return reply;
}

std::optional<Reply> Record::ask(const HttpRequest& request) {
  std::shared_ptr<Handler> handler;
  {
    const std::lock_guard lock(mutex_);
    handler = handler_;
  }
  if (!handler) return std::nullopt;
  return handler->answer(request);
}

std::string no_reply_left(const HttpRequest& request) {
  const std::string path(protocol::without_query(request.url));
  return "the script has no reply left for " + request.method + " " + path;
}

}  // namespace inferwire::inline v0_1::testing
