/// \file
/// Answers what is served.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "engine/endpoints.hpp"
#include "engine/refusal.hpp"

namespace inferwire::inline v0_1::engine {

/// The body of GET /v1/models.
std::string list_models(const Endpoints& endpoints, std::int64_t created);

/// The body of GET /v1/models/{name}.
std::variant<std::string, Refusal> get_model(const Endpoints& endpoints, std::string_view name,
                                             std::int64_t created);

}  // namespace inferwire::inline v0_1::engine
