/// \file
/// Plans a request to create a serving endpoint.
/// https://docs.databricks.com/api/workspace/servingendpoints/create
#pragma once

#include "engine/document.hpp"
#include "engine/endpoints.hpp"
#include "engine/refusal.hpp"

namespace inferwire::inline v0_1::engine {

/// The endpoint that `document` describes, with provisioned throughput. Its entities are models that are
/// already served: an entity's name, or the part after its last dot, is the name of an endpoint or of the
/// model that one serves; an external model is never called, the bundled one answers in its place. All of
/// them must have the same task.
OrRefusal<Endpoint> plan_endpoint(const Document& document, const Endpoints& endpoints);

}  // namespace inferwire::inline v0_1::engine
