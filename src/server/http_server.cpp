#include "inferwire/server/http_server.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/ascii.hpp"
#include "server/connections.hpp"
#include "server/host_check.hpp"
#include "server/httplib_adapter.hpp"

namespace inferwire::inline v0_1::server {
namespace {

using namespace std::chrono_literals;

/// How often a wait is interrupted to check whether the client is still connected.
constexpr auto look_at_client = 20ms;
/// A longer path is answered before cpp-httplib's routes see it: std::regex needs stack for every character.
constexpr std::size_t longest_routed_path = 1024;
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

/// Everything that outlives a move of the server. The handlers run on the pool's threads.
struct INFERWIRE_PRIVATE HttpServer::State {
  State(std::shared_ptr<engine::Service> the_service, HostCheck check)
      : service(std::move(the_service)), hosts(std::move(check)) {}

  const std::shared_ptr<engine::Service> service;
  const HostCheck hosts;
  httplib::Server http;
  std::string base_url;
  int port{};
  int listening_socket{-1};
  Queue* queue{};  // set before the threads that use it start; owned by cpp-httplib
  SocketAddress listening_at;
  std::thread listener;
  std::once_flag stop_once;

  std::atomic<bool> stopping{false};
  std::mutex mutex;
  std::condition_variable stopped;  // `stopping` has become true
  std::condition_variable listener_ended;
  bool listening{
      true};  // guarded by `mutex`: false once the listener and all threads of the pool have returned

  void listen() {
    http.listen_after_bind();
    {
      const std::lock_guard lock(mutex);
      listening = false;
    }
    listener_ended.notify_all();
  }
  void set_up(std::size_t threads);
  Result<void> bind(const std::string& host, int wanted_port);
  void start_listener();
  void stop();
  void route();
  void answer_with_body(const httplib::Request& from, httplib::Response& to,
                        const httplib::ContentReader& read);
  void refuse_part(const httplib::Request& from, httplib::Response& to);
  bool ends_connection(const httplib::Request& from) const;
  void answer(const httplib::Request& from, httplib::Response& to, std::string body, bool body_was_cut);
  void answer_streamed(std::unique_ptr<engine::Generation> generation, const httplib::Request& from,
                       httplib::Response& to, const std::string& type);
  bool pump(engine::Generation& generation, httplib::DataSink& sink, bool closes);

  /// Returns at `until`, when the server stops, or after a while, whichever comes first.
  void wait(TimePoint until) {
    std::unique_lock lock(mutex);
    stopped.wait_until(lock, std::min(until, now() + look_at_client), [this] { return stopping.load(); });
  }
};

void HttpServer::State::set_up(std::size_t threads) {
  http.new_task_queue = [this, threads] { return queue = new Queue(threads); };
  // Omits cpp-httplib's SO_REUSEPORT, which would let two servers share a port unnoticed.
  http.set_socket_options([this](auto socket) {
    listening_socket = static_cast<int>(socket);
    const int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, reinterpret_cast<const char*>(&on), sizeof on);
  });
  http.set_tcp_nodelay(true);
  http.set_keep_alive_max_count(1'000'000);  // sent to clients in Keep-Alive
  http.set_keep_alive_timeout(60);
  http.set_read_timeout(60);
  http.set_write_timeout(60);
  http.set_payload_max_length(SIZE_MAX);  // the body's reader has its own limit
  route();
}

Result<void> HttpServer::State::bind(const std::string& host, int wanted_port) {
  errno = 0;
  port = wanted_port == 0 ? http.bind_to_any_port(host) : wanted_port;
  if (port <= 0 || (wanted_port != 0 && !http.bind_to_port(host, wanted_port))) {
    // If no socket was created, the host was not a valid address, and errno is unrelated.
    const int code = listening_socket >= 0 ? errno : 0;
    return Error{.kind = ErrorKind::connection,
                 .detail = "cannot listen on " + host + " port " + std::to_string(wanted_port) +
                           (code != 0 ? ": " + std::generic_category().message(code) : "")};
  }
  listening_at = address_of(listening_socket);
  widen_backlog(listening_socket);
  const bool v6 = host.find(':') != std::string::npos;
  base_url = "http://" + (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
  return {};
}

void HttpServer::State::start_listener() {
  listener = std::thread([this] { listen(); });
  // cpp-httplib forgets a stop() that comes before its loop has begun.
  while (!http.is_running()) {
    std::unique_lock lock(mutex);
    if (listener_ended.wait_for(lock, 1ms, [this] { return !listening; })) break;
  }
}

void HttpServer::State::stop() {
  {
    std::unique_lock lock(mutex);
    stopping = true;
    stopped.notify_all();
    http.stop();
    // More than once: a connection may be accepted while the first round runs.
    do {
      shut_down_accepted(listening_at);
    } while (!listener_ended.wait_for(lock, look_at_client, [this] { return !listening; }));
  }
  listener.join();
}

void HttpServer::State::route() {
  // Also called for the service's own error answers: those have a Content-Type. One without was refused by
  // cpp-httplib, perhaps in the middle of a head, and the rest of that is not a request.
  http.set_error_handler(httplib::Server::HandlerWithResponse([this](const auto& from, auto& to) {
    if (to.has_header("Content-Type")) return httplib::Server::HandlerResponse::Unhandled;
    refuse(listening_at, from, to,
           to.status < 500 ? "the request's head is malformed, or a line of it is too long"
                           : "the request could not be answered");
    return httplib::Server::HandlerResponse::Handled;
  }));
  http.set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& to) {
    if (!hosts.accepts(from.get_header_value("Host"))) {
      to.status = 403;
      refuse(listening_at, from, to, "a server on loopback does not answer to the name in Host");
      return httplib::Server::HandlerResponse::Handled;
    }
    ignore_range(from);
    if (from.path.size() <= longest_routed_path && !has_unreadable_body(from))
      return httplib::Server::HandlerResponse::Unhandled;
    answer(from, to, {}, true);
    return httplib::Server::HandlerResponse::Handled;
  });

  const auto without_body = [this](const httplib::Request& from, httplib::Response& to) {
    answer(from, to, {}, false);
  };
  const auto with_body = [this](const httplib::Request& from, httplib::Response& to,
                                const httplib::ContentReader& read) { answer_with_body(from, to, read); };
  constexpr auto everything =
      R"([\s\S]*)";  // "." would leave out line breaks, which a path may hold once unescaped
  http.Get(everything, without_body);
  http.Options(everything, without_body);
  http.Post(everything, with_body);
  http.Put(everything, with_body);
  http.Patch(everything, with_body);
  http.Delete(everything, with_body);
}

/// Answers once the body has been read, up to the size the service accepts. The rest is dropped, up to a
/// limit.
void HttpServer::State::answer_with_body(const httplib::Request& from, httplib::Response& to,
                                         const httplib::ContentReader& read) {
  // No body comes without these headers (RFC 9112, 6.3); cpp-httplib would read until the client closes.
  const bool coded = from.has_header("Transfer-Encoding");
  if (!coded && !from.has_header("Content-Length")) {
    answer(from, to, {}, false);
    return say_that_nothing_is_left(from);
  }
  if (!coded && !tells_length(from)) return refuse_part(from, to);
  // It would also read until then if it does not know the coding.
  const auto coding = from.get_header_value("Transfer-Encoding");
  if (coded && !ascii::equal_ignoring_case(coding, "chunked")) return refuse_part(from, to);
  const auto wanted = service->max_request_bytes();
  const auto most = std::max(wanted, wanted + 1);  // one more than `wanted`, unless that overflows
  std::string body;
  std::uint64_t dropped = 0;
  const bool complete = read([&](const char* bytes, std::size_t size) {
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(size, most - body.size()));
    body.append(bytes, room);
    dropped += size - room;
    return dropped <= longest_drained && !stopping;
  });
  if (!complete && body.size() <= wanted) return refuse_part(from, to);
  answer(from, to, std::move(body), !complete);
}

/// Refuses a body that is incomplete or that cpp-httplib cannot decode: the service would take the partial
/// body for the whole.
void HttpServer::State::refuse_part(const httplib::Request& from, httplib::Response& to) {
  to.status = 400;
  refuse(listening_at, from, to, "the request's body did not come whole, or in a coding that is not known");
}

/// Whether the connection should close after this answer: the client sends no further request, or others
/// are waiting for a thread.
bool HttpServer::State::ends_connection(const httplib::Request& from) const {
  return !knows_chunks(from) || queue->is_crowded() || says_close(from);
}

void HttpServer::State::answer(const httplib::Request& from, httplib::Response& to, std::string body,
                               bool body_was_cut) {
  auto generation = service->start(to_ours(from, base_url, std::move(body)), now());
  ignore_codings(from);
  std::string whole;
  for (Patience patience(listening_at, from.remote_port);;) {
    if (generation->streamed() && !body_was_cut) {
      const auto type = put_head(generation->head(), to);
      return answer_streamed(std::move(generation), from, to, type);
    }
    const auto time = now();
    const auto step = generation->step(time);
    if (step.kind == engine::Step::Kind::done) break;
    if (step.kind == engine::Step::Kind::broken) {
      return send_and_close(listening_at, from, to, put_head(generation->head(), to), std::move(whole),
                            EndMark::none);
    }
    if (stopping || patience.client_has_gone(time)) {
      return send_and_close(listening_at, from, to, put_head(generation->head(), to), {}, EndMark::none);
    }
    if (step.kind == engine::Step::Kind::wait) wait(step.until);
    whole.append(step.bytes);
  }
  const auto type = put_head(generation->head(), to);
  if (!generation->head().http_version.empty()) {
    return send_and_close(listening_at, from, to, type, std::move(whole), EndMark::close);
  }
  if (body_was_cut || ends_connection(from)) {
    return send_and_close(listening_at, from, to, type, std::move(whole), EndMark::length);
  }
  to.set_content(std::move(whole), type);
}

void HttpServer::State::answer_streamed(std::unique_ptr<engine::Generation> generation,
                                        const httplib::Request& from, httplib::Response& to,
                                        const std::string& type) {
  const bool closes = ends_connection(from);
  if (closes) say_close(from);
  // Shared because std::function requires a copyable target.
  std::shared_ptr<engine::Generation> shared(std::move(generation));
  auto send = [this, shared, closes](std::size_t, httplib::DataSink& sink) {
    return pump(*shared, sink, closes);
  };
  if (knows_chunks(from)) {
    to.set_chunked_content_provider(type, std::move(send));
  } else {
    to.set_content_provider(type, std::move(send));
  }
}

/// Sends the output of one step. False closes the connection: without the end mark, so that the client
/// notices the cut, or, if `closes`, after it.
bool HttpServer::State::pump(engine::Generation& generation, httplib::DataSink& sink, bool closes) {
  for (;;) {
    if (stopping || !sink.is_writable()) return false;
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

Result<HttpServer> HttpServer::start(std::shared_ptr<engine::Service> service, HttpServerOptions options) {
  const auto refuse = [](std::string detail) {
    return Error{.kind = ErrorKind::config, .detail = std::move(detail)};
  };
  if (!service) return refuse("the server has no service");
  if (options.port < 0 || options.port > 65535) return refuse("the port is not between 0 and 65535");
  if (options.threads < 1) return refuse("the server needs at least one thread");

  auto state =
      std::make_unique<State>(std::move(service), HostCheck(options.host, std::move(options.allowed_hosts)));
  state->set_up(static_cast<std::size_t>(options.threads));
  if (auto bound = state->bind(options.host, options.port); !bound) return std::move(bound).error();
  state->start_listener();
  return HttpServer(std::move(state));
}

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpServer::HttpServer(HttpServer&&) noexcept = default;

HttpServer& HttpServer::operator=(HttpServer&& other) noexcept {
  if (this != &other) {
    stop();
    state_ = std::move(other.state_);
  }
  return *this;
}

HttpServer::~HttpServer() { stop(); }

int HttpServer::port() const noexcept { return state_ ? state_->port : 0; }

std::string HttpServer::base_url() const { return state_ ? state_->base_url : std::string(); }

void HttpServer::stop() {
  if (state_) std::call_once(state_->stop_once, [this] { state_->stop(); });  // concurrent callers wait
}

}  // namespace inferwire::inline v0_1::server
