#include "server/request_handler.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1::server {
namespace {

using namespace std::chrono_literals;

/// How often a wait is interrupted to check whether the client is still connected.
constexpr auto look_at_client = 20ms;
/// This much of a body that is too long is read and dropped, so that a client that sends all before it reads
/// gets the refusal instead of a reset connection.
constexpr std::uint64_t longest_drained = 32u << 20;

TimePoint now() { return std::chrono::steady_clock::now(); }

/// Checks now and then whether the client of an answer that is not streamed is still connected. Quick answers
/// are not checked.
class Patience {
 public:
  Patience(const SocketAddress& listening_at, int client_port)
      : listening_at_(listening_at), client_port_(client_port) {}

  bool client_has_gone(TimePoint time) {
    if (time < next_look_) return false;
    next_look_ = time + look_at_client;
    if (!connection_) connection_.emplace(listening_at_, client_port_);
    return connection_->has_gone();
  }

 private:
  SocketAddress listening_at_;
  int client_port_;
  TimePoint next_look_{now() + look_at_client};
  std::optional<ClientConnection> connection_;
};

}  // namespace

RequestHandler::RequestHandler(std::shared_ptr<engine::Service> service, const SocketAddress& listening_at,
                               std::string base_url, ThreadPool& pool)
    : service_(std::move(service)),
      listening_at_(listening_at),
      base_url_(std::move(base_url)),
      pool_(pool) {}

void RequestHandler::answer(const httplib::Request& from, httplib::Response& to, std::string body,
                            Body received) {
  auto generation = service_->start(to_ours(from, base_url_, std::move(body)), now());
  ignore_codings(from);
  std::string whole;
  const auto close_after = [&](std::string text, EndMark end) {
    const auto type = put_head(generation->head(), to);
    send_and_close(listening_at_, from, received, to, type, std::move(text), end);
  };
  for (Patience patience(listening_at_, from.remote_port);;) {
    // A played answer with a version told no length, which its client has to know: see CassettePlayer.
    const bool in_parts = generation->streamed() || !generation->head().http_version.empty();
    if (in_parts && received == Body::whole) {
      const auto type = put_head(generation->head(), to);
      return answer_streamed(std::move(generation), from, to, type);
    }
    const auto time = now();
    const auto step = generation->step(time);
    if (step.kind == engine::Step::Kind::done) break;
    if (step.kind == engine::Step::Kind::broken) return close_after(std::move(whole), EndMark::none);
    if (stopping_ || patience.client_has_gone(time)) return close_after({}, EndMark::none);
    if (step.kind == engine::Step::Kind::wait) wait(step.until);
    whole.append(step.bytes);
  }
  if (received == Body::cut || ends_connection(from)) return close_after(std::move(whole), EndMark::length);
  const auto type = put_head(generation->head(), to);
  to.set_content(std::move(whole), type);
}

void RequestHandler::answer_with_body(const httplib::Request& from, httplib::Response& to,
                                      const httplib::ContentReader& read) {
  // No body comes without these headers (RFC 9112, 6.3); cpp-httplib would read until the client closes.
  const bool has_length = from.has_header("Content-Length");
  if (!has_length && !from.has_header("Transfer-Encoding")) {
    answer(from, to, {}, Body::whole);
    return say_that_nothing_is_left(from);
  }
  if (has_length) cap_length(from);
  const auto wanted = service_->max_request_bytes();
  const auto most = std::max(wanted, wanted + 1);  // one more than `wanted`, unless that overflows
  std::string body;
  std::uint64_t dropped = 0;
  const bool complete = read([&](const char* bytes, std::size_t size) {
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(size, most - body.size()));
    body.append(bytes, room);
    dropped += size - room;
    return dropped <= longest_drained && !stopping_;
  });
  if (!complete && body.size() <= wanted) return refuse_part(from, to);
  answer(from, to, std::move(body), complete ? Body::whole : Body::cut);
}

void RequestHandler::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  stopped_.notify_all();
}

void RequestHandler::answer_streamed(std::unique_ptr<engine::Generation> generation,
                                     const httplib::Request& from, httplib::Response& to,
                                     const std::string& type) {
  const bool closes = ends_connection(from);
  if (closes) say_close(from);
  // nginx would keep the answer until it is complete, or fills a buffer.
  if (!to.has_header("X-Accel-Buffering")) to.set_header("X-Accel-Buffering", "no");
  // Shared because std::function requires a copyable target.
  std::shared_ptr<engine::Generation> shared(std::move(generation));
  auto send = [this, shared, closes](std::size_t, httplib::DataSink& sink) {
    try {
      return pump(*shared, sink, closes);
    } catch (...) {  // cpp-httplib would let it end the process
      return false;
    }
  };
  if (knows_chunks(from)) {
    to.set_chunked_content_provider(type, std::move(send));
  } else {
    to.set_content_provider(type, std::move(send));
  }
}

/// Sends the output of one step. False closes the connection: without the end mark, so that the client
/// notices the cut, or, if `closes`, after it.
bool RequestHandler::pump(engine::Generation& generation, httplib::DataSink& sink, bool closes) {
  for (;;) {
    if (stopping_ || !sink.is_writable()) return false;
    const auto step = generation.step(now());
    switch (step.kind) {
      case engine::Step::Kind::bytes:
        if (step.bytes.empty()) continue;
        return sink.write(step.bytes.data(), step.bytes.size());
      case engine::Step::Kind::wait: wait(step.until); break;
      case engine::Step::Kind::done: sink.done(); return !closes;
      case engine::Step::Kind::broken: return false;
    }
  }
}

/// Refuses a body that is incomplete or that cpp-httplib cannot decode: the service would take the partial
/// body for the whole.
void RequestHandler::refuse_part(const httplib::Request& from, httplib::Response& to) const {
  to.status = 400;
  refuse(listening_at_, from, to, "the request's body did not come whole, or in a coding that is not known");
}

/// Whether the connection should close after this answer: the client sends no further request, or others
/// are waiting for a thread.
bool RequestHandler::ends_connection(const httplib::Request& from) const {
  return !knows_chunks(from) || pool_.is_crowded() || says_close(from);
}

/// Returns at `until`, when the server stops, or after a while, whichever comes first.
void RequestHandler::wait(TimePoint until) {
  std::unique_lock lock(mutex_);
  stopped_.wait_until(lock, std::min(until, now() + look_at_client), [this] { return stopping_.load(); });
}

}  // namespace inferwire::inline v0_1::server
