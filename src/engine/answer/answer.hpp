/// \file
/// Answers whose body is known from the start.
#pragma once

#include "engine/dialect.hpp"
#include "engine/refusal.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// An answer, or the reason why there is none.
using Answer = OrRefusal<std::unique_ptr<Generation>>;

/// The head of an answer.
ResponseHead make_head(int status, std::string content_type, std::string request_id);

/// The media type of a stream in this framing.
const char* media_type(Framing framing) noexcept;
/// Appends a JSON text as a frame of a stream.
void append_frame(std::string& out, Framing framing, std::string_view json);

/// Sends `body` in one piece; `streamed`: with the head of a stream.
std::unique_ptr<Generation> whole_answer(ResponseHead head, std::string body, bool streamed = false);

/// Sends a JSON document, status 200.
std::unique_ptr<Generation> json_answer(std::string body, std::string request_id);

/// Refuses in the error form of `dialect`.
std::unique_ptr<Generation> refusal_answer(const Dialect& dialect, const Refusal& refusal,
                                           std::string request_id);

}  // namespace inferwire::inline v0_1::engine
