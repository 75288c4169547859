/// \file
/// Engines with several sets of options (their `make`), and two doors to each: in process and over HTTP.
#pragma once

#include "http/curl_transport.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/engine_transport.hpp"
#include "inferwire/server/http_server.hpp"
#include "support/http_call.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire_test {

using namespace inferwire;

/// The options of a make, as the checklist names it; "" has the usual ones.
inline engine::EngineOptions options_of(const std::string& make) {
  engine::EngineOptions options{.created = 1'700'000'000};
  options.literal_defaults = make == "literal";
  options.lmi_0_29 = make == "lmi-0.29";
  if (make == "v1-lmi") options.v1 = engine::Api::lmi;
  if (make == "bad-arguments") {  // the model cuts its call short
    const engine::reply::Message message{.calls = {{.name = "get_weather", .arguments = R"({"city": )"}}};
    options.script.rules.push_back({.replies = {message}});
  }
  if (make == "templates") {
    options.prompts.push_back({.id = "guide", .version = "1", .instructions = "Speak of {{place}}."});
    options.prompts.push_back(
        {.id = "guide", .version = "2", .instructions = "Speak of {{place}} at great length."});
  }
  if (make == "slow") {
    options.pacing = {.per_token = std::chrono::milliseconds(20)};
    options.deadline = Duration(100);
  }
  return options;
}

/// A way to ask an engine: a transport and the URL to ask at.
struct Door {
  std::shared_ptr<Transport> transport;
  std::string url;

  RecordingSink ask(HttpRequest request) const {
    request.url = url + request.url;
    return call(*transport, std::move(request));
  }
};

/// Opens doors to engines in this process.
class InProcess {
 public:
  static constexpr const char* name = "in process";
  static Door open(const std::string& make) {
    return {std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>(options_of(make))),
            "http://localhost"};
  }
};

/// Opens doors to engines that listen on a port.
class OverHttp {
 public:
  static constexpr const char* name = "over HTTP";
  static Door open(const std::string& make) {
    static std::map<std::string, server::HttpServer> servers;
    const auto server = [&] {
      return server::HttpServer::start(std::make_shared<engine::Engine>(options_of(make))).value();
    };
    auto& running = servers.insert_or_assign(make, server()).first->second;
    return {http::make_curl_transport(), running.base_url()};
  }
};

/// The door to an engine of this make. Each make is opened once, but "fresh" anew each time.
template <class Kind>
const Door& door(std::string_view make) {
  static std::map<std::string, Door, std::less<>> doors;
  const auto found = doors.find(make);
  if (found != doors.end() && make != "fresh") return found->second;
  const std::string name(make);
  return doors.insert_or_assign(name, Kind::open(name)).first->second;
}

}  // namespace inferwire_test
