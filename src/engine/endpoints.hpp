/// \file
/// The models that the engine serves, by the names that requests use.
#pragma once

#include <string_view>
#include <vector>

#include "inferwire/engine/engine.hpp"

namespace inferwire::inline v0_1::engine {

/// The task in Databricks' words: "llm/v1/chat".
std::string_view name_of(EndpointTask task) noexcept;

class Endpoints {
 public:
  /// Those in the box, then `more`; of several with one name the last counts, in the place of the first.
  explicit Endpoints(std::vector<Endpoint> more);

  const Endpoint* find(std::string_view name) const noexcept;
  const std::vector<Endpoint>& all() const noexcept { return endpoints_; }

 private:
  std::vector<Endpoint> endpoints_;
};

}  // namespace inferwire::inline v0_1::engine
