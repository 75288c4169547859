/// \file
/// Lists and describes models and endpoints.
#pragma once

#include "engine/endpoints.hpp"

#include <cstdint>
#include <string>

namespace inferwire::inline v0_1::engine {

/// The bodies of the answers to GET /v1/models and /v1/models/{name}. `created`: Unix time in seconds.
std::string list_models(const Endpoints& endpoints, std::int64_t created);
std::string describe_model(const Endpoint& endpoint, std::int64_t created);

/// The bodies of the answers to GET /api/2.0/serving-endpoints and /api/2.0/serving-endpoints/{name}.
std::string list_endpoints(const Endpoints& endpoints, std::int64_t created);
std::string describe_endpoint(const Endpoint& endpoint, std::int64_t created);

}  // namespace inferwire::inline v0_1::engine
