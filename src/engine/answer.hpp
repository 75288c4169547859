/// \file
/// Answers whose body is known at once.
#pragma once

#include <memory>
#include <string>

#include "engine/dialect.hpp"
#include "inferwire/engine/service.hpp"

namespace inferwire::inline v0_1::engine {

/// The head of an answer.
ResponseHead make_head(int status, std::string content_type, std::string request_id);

/// Sends `body` in one piece.
std::unique_ptr<Generation> whole_answer(ResponseHead head, std::string body);

/// Refuses, in the form of `dialect`.
std::unique_ptr<Generation> refusal_answer(const Dialect& dialect, const Refusal& refusal,
                                           std::string request_id);

}  // namespace inferwire::inline v0_1::engine
