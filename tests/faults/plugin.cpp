// A plugin that links inferwire: plugin_host.cpp loads it.
#include "faults/chat_service.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/stalled_resolver.hpp"

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
  if (way == "statics") return leave_call_in_progress();
  return leave_lookup();
}
