/// \file
/// Answers requests about kept responses.
#pragma once

#include "engine/answer/answer.hpp"
#include "engine/answer/call_frame.hpp"
#include "engine/answer/kept_responses.hpp"
#include "inferwire/engine/service.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// The events of a response from number `next` on, as they become available.
std::unique_ptr<Generation> stream_events(std::shared_ptr<BackgroundResponse> response, std::size_t next,
                                          std::string request_id);

/// Begins the answer to a request, or refuses it.
using BeginAnswer = std::function<Answer(const CallFrame&)>;

/// Does the work that is due on a response, a piece in each step, and then begins the answer.
std::unique_ptr<Generation> after_work(std::shared_ptr<BackgroundResponse> response, BeginAnswer begin,
                                       CallFrame frame);

/// The answer to GET /v1/responses/{id}: the response, or its events, depending on the query of the request's
/// `url`.
Answer retrieve_response(const KeptResponses& kept, std::string_view id, std::string_view url,
                         const CallFrame& frame);
/// Cancels a response; returns the body of the answer to POST /v1/responses/{id}/cancel.
OrRefusal<std::string> cancel_response(const KeptResponses& kept, std::string_view id);
/// The body of the answer to GET /v1/responses/{id}/input_items.
OrRefusal<std::string> list_input_items(const KeptResponses& kept, std::string_view id, std::string_view url);
/// Deletes a response; returns the body of the answer to DELETE /v1/responses/{id}.
OrRefusal<std::string> delete_response(KeptResponses& kept, std::string_view id);

}  // namespace inferwire::inline v0_1::engine
