#include "inferwire/server/http_server.hpp"

#include "base/own_thread.hpp"
#include "base/system_words.hpp"
#include "server/connections.hpp"
#include "server/host_check.hpp"
#include "server/httplib_adapter.hpp"
#include "server/request_handler.hpp"
#include "server/thread_pool.hpp"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::server {
namespace {

using namespace std::chrono_literals;

/// How often connections that were accepted during a stop are looked for.
constexpr auto between_rounds = 20ms;

/// How long a thread waits for another request, and for a client in the middle of a request or of its answer.
#if defined(_WIN32)
constexpr std::time_t idle_seconds = 2, silent_seconds = 5;  // nothing wakes it there for stop()
#else
constexpr std::time_t idle_seconds = 60, silent_seconds = 60;
#endif

#if defined(SIGPIPE)
/// Restores the program's handler of SIGPIPE, which cpp-httplib replaces when it makes a server. The server's
/// threads have the signal blocked.
class PipeHandlerKept {
 public:
  PipeHandlerKept() noexcept { ::sigaction(SIGPIPE, nullptr, &before_); }
  ~PipeHandlerKept() { ::sigaction(SIGPIPE, &before_, nullptr); }
  PipeHandlerKept(const PipeHandlerKept&) = delete;
  PipeHandlerKept& operator=(const PipeHandlerKept&) = delete;

 private:
  struct sigaction before_{};
};
#else
struct PipeHandlerKept {
  ~PipeHandlerKept() {}
};
#endif

}  // namespace

/// Everything that outlives a move of the server. The routes run on the pool's threads.
struct INFERWIRE_PRIVATE HttpServer::State {
  State(std::shared_ptr<engine::Service> the_service, std::size_t threads)
      : service(std::move(the_service)), pool(threads) {}

  const std::shared_ptr<engine::Service> service;
  ThreadPool pool;
  httplib::Server http;
  std::string host;
  std::string base_url;
  int port{};
  int listening_socket{-1};
  SocketAddress listening_at;
  // Set when the server is bound.
  std::optional<HostCheck> hosts;
  std::optional<RequestHandler> handler;
  std::thread listener;
  std::once_flag asked_once;
  std::once_flag ended_once;
  bool told_to_stop{};  // used by who stops

  std::mutex mutex;  // guards the members below
  std::condition_variable changed;
  bool listening{true};  // false once the listener and all threads of the pool have returned
  bool stopping{};

  void set_up();
  Result<void> bind(int wanted_port, std::vector<std::string> allowed_hosts);
  Result<void> start_listener();
  void listen();
  bool bind_again();
  void ask_to_stop();
  void stop_listening();
  void wait_for_end();
  void route();
};

void HttpServer::State::set_up() {
  http.new_task_queue = [this] { return new Queue(pool); };  // owned by cpp-httplib
  // Omits cpp-httplib's SO_REUSEPORT, which would let two servers share a port unnoticed.
  http.set_socket_options([this](auto socket) {
    listening_socket = static_cast<int>(socket);
    const int on = 1;
#if defined(_WIN32)
    constexpr int option = SO_EXCLUSIVEADDRUSE;  // SO_REUSEADDR shares a port there
#else
    constexpr int option = SO_REUSEADDR;
#endif
    setsockopt(socket, SOL_SOCKET, option, reinterpret_cast<const char*>(&on), sizeof on);
  });
  http.set_tcp_nodelay(true);
  http.set_keep_alive_max_count(1'000'000);  // sent to clients in Keep-Alive
  http.set_keep_alive_timeout(idle_seconds);
  http.set_read_timeout(silent_seconds);
  http.set_write_timeout(silent_seconds);
  http.set_payload_max_length(SIZE_MAX);  // the body's reader has its own limit
  route();
}

Result<void> HttpServer::State::bind(int wanted_port, std::vector<std::string> allowed_hosts) {
  forget_socket_error();
  port = wanted_port == 0 ? http.bind_to_any_port(host) : wanted_port;
  if (port <= 0 || (wanted_port != 0 && !http.bind_to_port(host, wanted_port))) {
    // If no socket was created, the host was not a valid address, and the error is unrelated.
    const int code = listening_socket >= 0 ? last_socket_error() : 0;
    return Error{.kind = ErrorKind::connection,
                 .detail = "cannot listen on " + host + " port " + std::to_string(wanted_port) +
                           (code != 0 ? ": " + system_words(code) : "")};
  }
  listening_at = address_of(listening_socket);
  widen_backlog(listening_socket);
  const bool v6 = host.find(':') != std::string::npos;
  base_url = "http://" + (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
  hosts.emplace(listening_at, host, std::move(allowed_hosts));
  handler.emplace(service, listening_at, base_url, pool);
  return {};
}

Result<void> HttpServer::State::start_listener() {
  try {
    listener = start_thread([this] { listen(); });
  } catch (const std::system_error& failure) {
    httplib::detail::close_socket(listening_socket);  // cpp-httplib closes it only once it listens
    return Error{.kind = ErrorKind::config,
                 .detail = std::string("the server has no thread: ") + failure.what()};
  }
  // cpp-httplib forgets a stop() that comes before its loop has begun.
  while (!http.is_running()) {
    std::unique_lock lock(mutex);
    if (changed.wait_for(lock, 1ms, [this] { return !listening; })) break;
  }
  return {};
}

void HttpServer::State::listen() {
  while (!http.listen_after_bind() && bind_again()) {}
  pool.join();
  {
    const std::lock_guard lock(mutex);
    listening = false;
  }
  changed.notify_all();
}

/// cpp-httplib up to 0.47 gives up its port if it cannot accept a connection, except if this process has no
/// descriptor left: for example, if the system has none, or if the client has gone already. Returns false if
/// the server stops.
bool HttpServer::State::bind_again() {
  std::unique_lock lock(mutex);
  do {
    if (changed.wait_for(lock, 1ms, [this] { return stopping; })) return false;
    http.stop();  // newer versions (0.47, for example) bind no more after a failure, until this
  } while (!http.bind_to_port(host, port));
  widen_backlog(listening_socket);
  return true;
}

void HttpServer::State::ask_to_stop() {
  {
    const std::lock_guard lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  handler->stop();
  stop_listening();
  shut_down_accepted(listening_at);
}

/// Once: cpp-httplib does not take it twice, and forgets it while it does not listen.
void HttpServer::State::stop_listening() {
  if (told_to_stop || !http.is_running()) return;
  told_to_stop = true;
  http.stop();
}

void HttpServer::State::wait_for_end() {
  {
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, between_rounds, [this] { return !listening; })) {
      stop_listening();                  // if it was about to listen again
      shut_down_accepted(listening_at);  // those that were accepted meanwhile
    }
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
  // By default cpp-httplib sends the exception's message in a header.
  http.set_exception_handler([](const auto&, auto& to, const auto&) { to.status = 500; });
  http.set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& to) {
    if (!hosts->accepts(from.get_header_value("Host"))) {
      to.status = 403;
      refuse(listening_at, from, to,
             "a server on loopback does not answer to the name in Host, unless it is one of "
             "HttpServerOptions::allowed_hosts (inferwire serve --allow-host)");
      return httplib::Server::HandlerResponse::Handled;
    }
    if (!tells_end_of_body(from)) {
      to.status = 400;
      refuse(listening_at, from, to, "the request does not say in one way where its body ends");
      return httplib::Server::HandlerResponse::Handled;
    }
    ignore_range(from);
    ignore_path(from);
    if (!has_unreadable_body(from)) return httplib::Server::HandlerResponse::Unhandled;
    handler->answer(from, to, {}, Body::cut);
    return httplib::Server::HandlerResponse::Handled;
  });

  const auto without_body = [this](const httplib::Request& from, httplib::Response& to) {
    handler->answer(from, to, {}, Body::whole);
  };
  const auto with_body = [this](const httplib::Request& from, httplib::Response& to,
                                const httplib::ContentReader& read) {
    handler->answer_with_body(from, to, read);
  };
  http.Get(only_path, without_body);
  http.Options(only_path, without_body);
  http.Post(only_path, with_body);
  http.Put(only_path, with_body);
  http.Patch(only_path, with_body);
  http.Delete(only_path, with_body);
}

Result<HttpServer> HttpServer::start(std::shared_ptr<engine::Service> service, HttpServerOptions options) {
  const auto refuse = [](std::string detail) {
    return Error{.kind = ErrorKind::config, .detail = std::move(detail)};
  };
  if (!service) return refuse("the server has no service");
  if (options.host.empty()) return refuse("the server has no host; 0.0.0.0 stands for every address");
  if (options.port < 0 || options.port > 65535) return refuse("the port is not between 0 and 65535");
  if (options.threads < 1) return refuse("the server needs at least one thread");

  auto state = [&] {
    const PipeHandlerKept kept;
    return std::make_unique<State>(std::move(service), static_cast<std::size_t>(options.threads));
  }();
  state->set_up();
  state->host = std::move(options.host);
  auto bound = state->bind(options.port, std::move(options.allowed_hosts));
  if (!bound) return std::move(bound).error();
  if (auto started = state->start_listener(); !started) return std::move(started).error();
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
  if (!state_) return;
  std::call_once(state_->asked_once, [this] { state_->ask_to_stop(); });
  if (state_->pool.is_here()) return;  // the service calls, and would wait for itself
  std::call_once(state_->ended_once, [this] { state_->wait_for_end(); });  // concurrent callers wait
}

}  // namespace inferwire::inline v0_1::server
