/// \file
/// What the tests of the server send, what its service answers, and how long a stop takes.
#pragma once

#include "inferwire/engine/cassette.hpp"
#include "inferwire/engine/engine_transport.hpp"
#include "inferwire/server/http_server.hpp"
#include "support/scripted_service.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire_test {

inline std::string post(std::string_view path, std::string_view body, std::string_view more_headers = "") {
  return "POST " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         std::string(more_headers) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

inline ScriptedAnswer whole(std::string body) {
  return {.head = {.status = 201, .headers = {{"content-type", "application/json"}, {"x-request-id", "r1"}}},
          .streamed = false,
          .steps = {work(), send(std::move(body))}};
}

/// A service that passes requests on to `upstream`.
inline std::shared_ptr<inferwire::engine::Proxy> proxy_of(
    std::shared_ptr<inferwire::engine::Service> upstream) {
  return inferwire::engine::Proxy::open(
             std::make_shared<inferwire::engine::EngineTransport>(std::move(upstream)), "https://elsewhere")
      .value();
}

inline std::chrono::milliseconds time_of_stop(inferwire::server::HttpServer& server) {
  const auto begin = std::chrono::steady_clock::now();
  server.stop();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
}

}  // namespace inferwire_test
