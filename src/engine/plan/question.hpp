/// \file
/// The input of a plan.
#pragma once

#include "engine/dialect.hpp"
#include "engine/document.hpp"
#include "inferwire/engine/engine.hpp"

#include <cstdint>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// A request to a model: its document is read and its endpoint found.
struct Question {
  const Document& document;
  std::string_view body;  ///< the text of the document
  const Endpoint& endpoint;
  const Dialect& dialect;
  std::uint64_t seed{};  ///< the sampling seed if the request names none

  /// The speaker whose rules the request must follow.
  protocol::Speaker speaker() const noexcept {
    return endpoint.era == Era::preview ? dialect.preview_speaker.value_or(dialect.speaker) : dialect.speaker;
  }
};

}  // namespace inferwire::inline v0_1::engine
