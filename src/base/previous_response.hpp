/// \file
/// The error of a response that continues one that the server no longer has.
#pragma once

#include "base/ascii.hpp"
#include "inferwire/error.hpp"

#include <string_view>

namespace inferwire::inline v0_1 {

/// The code for it: OpenAI, with status 400.
inline constexpr std::string_view previous_response_not_found = "previous_response_not_found";

/// Whether the server no longer has the response that the request continues; other requests have others. vLLM
/// and SGLang send 404 without a code, older versions without `param` too.
inline bool is_previous_response_gone(const Error& error) noexcept {
  if (error.code == previous_response_not_found) return true;
  if (error.kind != ErrorKind::not_found) return false;
  return error.param == "response_id" || error.param == "previous_response_id" ||
         ascii::find_ignoring_case(error.detail, "response with id '") != error.detail.npos;
}

}  // namespace inferwire::inline v0_1
