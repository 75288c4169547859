/// \file
/// The engine that most tests query.
#pragma once

#include "inferwire/engine/engine.hpp"
#include "support/ask.hpp"

namespace inferwire_test {

/// An engine with the bundled endpoints, whose answers all have the same `created`.
inline inferwire::engine::Engine& shared_engine() {
  static inferwire::engine::Engine engine({.created = 1'700'000'000});
  return engine;
}

}  // namespace inferwire_test
