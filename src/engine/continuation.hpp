/// \file
/// Requests that continue a response on which work may be left.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "engine/document.hpp"
#include "engine/endpoints.hpp"
#include "engine/kept_responses.hpp"
#include "engine/router.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/service.hpp"
#include "inferwire/transport.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A request that is not planned yet, with all that its plan needs.
struct Continuation {
  KeptRef earlier{};  ///< the response that it continues, made in the background
  Task task{};
  Document document{};
  RequestBody body{};
  EndpointRef endpoint{};
  std::uint64_t seed{};
  std::vector<PromptTemplate> prompts{};  ///< a copy, since answers may outlive their engine
  std::shared_ptr<KeptResponses> keeper{};
  CallFrame frame{};
};

/// The response that a request continues if it is made in the background and has not ended; nullptr for other
/// requests.
KeptRef unfinished_earlier(Task task, const Document& document, const Dialect& dialect,
                           const KeptResponses& keeper);

/// Does the work that is due on the earlier response, a piece in each step, and then answers the request.
std::unique_ptr<Generation> answer_continuation(Continuation request);

}  // namespace inferwire::inline v0_1::engine
