/// \file
/// The models that the engine serves, by the names used in requests.
#pragma once

#include "inferwire/engine/engine.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Databricks' name of the task: "llm/v1/chat".
std::string_view name_of(EndpointTask task) noexcept;

/// The name of the model in answers.
inline std::string served_name(const Endpoint& endpoint) {
  return endpoint.served_model.empty() ? endpoint.name : endpoint.served_model;
}

/// Shared, so that a deleted endpoint lives as long as the requests that use it.
using EndpointRef = std::shared_ptr<const Endpoint>;

/// Safe from any thread.
class Endpoints {
 public:
  /// The bundled ones, then `more`; if several have one name, the last replaces the first in its place.
  explicit Endpoints(std::vector<Endpoint> more);

  /// The endpoint of this name; nullptr if there is none.
  EndpointRef find(std::string_view name) const;
  /// All, in the order of registration.
  std::vector<EndpointRef> all() const;
  /// False if there is already one of this name.
  bool add(Endpoint endpoint);
  /// False if there is none of this name.
  bool remove(std::string_view name);

 private:
  mutable std::mutex mutex_;  // guards the members below
  std::vector<EndpointRef> endpoints_;
};

/// The endpoint with the served model that answers a request; `lot`, any number, selects the model.
EndpointRef draw_served_model(const EndpointRef& endpoint, std::uint64_t lot);

}  // namespace inferwire::inline v0_1::engine
