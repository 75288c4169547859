// A plugin that links inferwire: plugin_host.cpp loads it.
#include "faults/chat_service.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/raw_socket.hpp"
#include "support/stalled_resolver.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

std::optional<Client> static_client;
std::optional<Pending<chat::Response>> static_call;
std::optional<MockServer> static_server;
std::atomic<bool> asked{false};
std::atomic<bool> ending{false};

/// Destroyed before the statics above.
struct Ending {
  ~Ending() { ending = true; }
} const at_end;

bool call_in_each_way() {
  MockServer server;
  server.set_handler(&good_answer);
  const auto client = strict_client_of(server);
  return client.chat.create(hello) && !client.chat.stream(hello).collect().error &&
         client.chat.start(hello).get() && !client.chat.open(hello).collect().get().error;
}

bool leave_call_in_progress() {
  const auto script = std::make_shared<ScriptTransport>();
  script->push(Reply::silence());
  static_client.emplace(ClientOptions{.api_key = "any", .transport = script});
  static_call.emplace(static_client->chat.start(hello));
  while (script->requests().empty()) std::this_thread::yield();
  return true;
}

/// The handler needs a variable of its thread for the first time when statics are being destroyed.
bool leave_handler_at_work() {
  if (asked) return true;  // the plugin is still loaded
  static_server.emplace();
  static_server->set_handler([](const HttpRequest& request) {
    asked = true;
    while (!ending) std::this_thread::yield();
    thread_local const std::string needed = stream_body;
    return good_answer(request).with("x-needed", std::to_string(needed.size()));
  });
  RawSocket(static_server->port()).write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  while (!asked) std::this_thread::yield();
  return true;
}

/// A thread of libcurl goes on with the lookup.
bool leave_lookup() {
  const Client client({.base_url = "https://" + std::string(stalled_name), .api_key = "any"});
  const auto reply = client.chat.create(hello, {.timeouts = {.overall = std::chrono::milliseconds(50)}});
  return !reply && reply.error().kind == ErrorKind::timeout;
}

}  // namespace

/// Whether all went well.
extern "C" [[gnu::visibility("default")]] bool use(const char* how) {
  const std::string_view way = how;
  if (way == "calls") return call_in_each_way();
  if (way == "loop") return leave_call_in_progress();
  if (way == "server") return leave_handler_at_work();
  return leave_lookup();
}
