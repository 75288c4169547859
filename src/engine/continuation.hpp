/// \file
/// Requests that continue a response on which work may be left.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "engine/ask_endpoint.hpp"
#include "engine/kept_responses.hpp"
#include "engine/plan/responses_request.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>

namespace inferwire::inline v0_1::engine {

/// A request that is not planned yet, with all that its plan needs.
struct Continuation {
  KeptRef earlier{};  ///< the response that it continues, made in the background
  ModelRequest request{};
  Memory memory{};
  CallFrame frame{};
};

/// The response that a request continues if it is made in the background and has not ended; nullptr for other
/// requests.
KeptRef unfinished_earlier(const ModelRequest& request, const Dialect& dialect, const KeptResponses& keeper);

/// Does the work that is due on the earlier response, a piece in each step, and then answers the request.
std::unique_ptr<Generation> answer_continuation(Continuation continuation);

}  // namespace inferwire::inline v0_1::engine
