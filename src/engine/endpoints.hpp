/// \file
/// The models that the engine serves, by the names that requests use.
#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "inferwire/engine/engine.hpp"

namespace inferwire::inline v0_1::engine {

/// The task in Databricks' words: "llm/v1/chat".
std::string_view name_of(EndpointTask task) noexcept;

/// Shared, so that an endpoint that is deleted lasts as long as the requests that have found it.
using EndpointRef = std::shared_ptr<const Endpoint>;

/// Safe from any thread.
class Endpoints {
 public:
  /// Those in the box, then `more`; of several with one name the last counts, in the place of the first.
  explicit Endpoints(std::vector<Endpoint> more);

  /// The endpoint of this name; nullptr when there is none.
  EndpointRef find(std::string_view name) const;
  /// All, in the order of registration.
  std::vector<EndpointRef> all() const;
  /// False when there is one of the same name already.
  bool add(Endpoint endpoint);
  /// False when there is none of this name.
  bool remove(std::string_view name);

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::vector<EndpointRef> endpoints_;
};

/// The endpoint with the served model that answers the request whose lot is `lot`, any number.
EndpointRef draw_served_model(const EndpointRef& endpoint, std::uint64_t lot);

}  // namespace inferwire::inline v0_1::engine
