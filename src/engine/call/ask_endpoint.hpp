/// \file
/// Asks a model to answer a request: plans it, applies the script, and hands it to the handler.
#pragma once

#include "engine/answer/answer.hpp"
#include "engine/answer/call_frame.hpp"
#include "engine/document.hpp"
#include "engine/endpoints.hpp"
#include "engine/plan/responses_request.hpp"
#include "engine/router.hpp"
#include "inferwire/transport.hpp"

#include <cstdint>

namespace inferwire::inline v0_1::engine {

/// A request to a model: its document is read and its endpoint found. It owns all that a Question borrows but
/// the dialect, which is the frame's.
struct ModelRequest {
  Task task{};  ///< the path's
  Document document{};
  RequestBody body{};  ///< the text of the document
  EndpointRef endpoint{};
  std::uint64_t seed{};  ///< the sampling seed if the request names none
};

/// Answers the request, or refuses it: the endpoint does not support the task, or the document is wrong.
Answer ask_endpoint(const ModelRequest& request, const Memory& memory, const CallFrame& frame);

/// Whether the answer may be truncated at the deadline instead of failing: only completions have
/// `error_behavior`.
bool may_truncate(const ModelRequest& request);

}  // namespace inferwire::inline v0_1::engine
