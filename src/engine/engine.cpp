#include "inferwire/engine/engine.hpp"

#include "engine/call/engine_call.hpp"
#include "engine/call/engine_state.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {

struct INFERWIRE_PRIVATE Engine::State final : EngineState {
  using EngineState::EngineState;
};

Engine::Engine(EngineOptions options) : state_(std::make_shared<State>(std::move(options))) {}
Engine::~Engine() = default;

std::unique_ptr<Generation> Engine::start(const HttpRequest& request, TimePoint now) {
  return EngineCall(*state_, request, now).answer();
}

std::uint64_t Engine::max_request_bytes() const { return state_->dialects.most_body_bytes(); }

Journal Engine::journal() const { return state_->journal; }

std::vector<std::string> Engine::endpoint_names() const {
  std::vector<std::string> names;
  for (const auto& endpoint : state_->endpoints.all()) names.push_back(endpoint->name);
  return names;
}

}  // namespace inferwire::inline v0_1::engine
