/// \file
/// The error forms of the providers.
#pragma once

#include "engine/refusal.hpp"
#include "inferwire/transport.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// The JSON that carries an error.
enum class ErrorForm : std::uint8_t {
  openai,      ///< {"error": {"message", "type", "param", "code"}}
  databricks,  ///< {"error_code", "message"}
  fastapi,     ///< {"detail": [{"type", "loc", "msg"}]} with 422, as AI21's service answers
  lmi,         ///< {"code", "type", "message"}
  sagemaker,   ///< {"message"}; the error's type is in a header
};

/// The `code` of OpenAI's errors; empty: null.
std::string_view code_of(Cause cause);
/// The status of an error answer: for some causes, providers have a status of their own.
int error_status(ErrorForm form, const Refusal& refusal);
/// The headers of an error answer, with facts that the body does not contain.
std::vector<Header> error_headers(ErrorForm form, const Refusal& refusal);
/// The body of an error answer.
std::string error_body(ErrorForm form, const Refusal& refusal);

}  // namespace inferwire::inline v0_1::engine
