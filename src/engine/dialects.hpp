/// \file
/// The dialect of each mount.
#pragma once

#include "engine/dialect.hpp"
#include "inferwire/engine/engine.hpp"

#include <cstddef>
#include <cstdint>

namespace inferwire::inline v0_1::engine {

/// A family of paths whose requests and answers are alike.
enum class Mount : std::uint8_t {
  databricks,
  databricks_responses,
  databricks_open_responses,
  openai,
  ai21,
  lmi,
  sagemaker,  ///< the last one
};

/// The dialects of one engine, according to its options. Immutable.
class Dialects {
 public:
  explicit Dialects(const EngineOptions& options);

  const Dialect& at(Mount mount) const noexcept { return rows_[static_cast<std::size_t>(mount)]; }
  const Dialect& of(Api api) const noexcept;
  /// The limit of the mount that accepts the longest bodies.
  std::uint64_t most_body_bytes() const noexcept;

 private:
  Dialect rows_[static_cast<std::size_t>(Mount::sagemaker) + 1];
};

}  // namespace inferwire::inline v0_1::engine
