/// \file
/// What the tests of cassettes and proxies ask, and of whom.
#pragma once

#include "inferwire/engine/engine_transport.hpp"
#include "inferwire/engine/service.hpp"
#include "inferwire/transport.hpp"
#include "support/scripted_service.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace inferwire_test {

inline inferwire::HttpRequest request(std::string body, std::string path = "/v1/x") {
  return {.url = "http://localhost" + path,
          .headers = {{"content-type", "application/json"}, {"Authorization", "Bearer s3cret"}},
          .body = std::move(body)};
}

inline std::shared_ptr<inferwire::Transport> transport_of(ScriptedAnswer answer) {
  return std::make_shared<inferwire::engine::EngineTransport>(
      std::make_shared<ScriptedService>(std::move(answer)));
}

/// The pieces in which a service sends its answer.
inline std::vector<std::string> pieces_of(inferwire::engine::Service& service,
                                          const inferwire::HttpRequest& asked,
                                          inferwire::Duration* waited = nullptr) {
  using Kind = inferwire::engine::Step::Kind;
  const inferwire::TimePoint start{std::chrono::hours(1)};
  auto now = start;
  std::vector<std::string> out;
  const auto answer = service.start(asked, now);
  for (;;) {
    const auto step = answer->step(now);
    if (step.kind == Kind::bytes && !step.bytes.empty()) out.emplace_back(step.bytes);
    if (step.kind == Kind::wait) now = step.until;
    if (step.kind == Kind::broken) out.emplace_back("broken");
    if (step.kind == Kind::done || step.kind == Kind::broken) break;
  }
  if (waited != nullptr) *waited = std::chrono::duration_cast<inferwire::Duration>(now - start);
  return out;
}

}  // namespace inferwire_test
