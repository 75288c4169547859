/// \file
/// Errors that a Python server prints instead of encoding them: vLLM behind LMI answers
/// `error=ErrorInfo(message='..', type='BadRequestError', param=None, code=400)`, older ones
/// `object='error' message='..' type='..' param=None code=400`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::wire {

/// The value of the field `name` in the printed form of an object: a string without its quotes and escapes,
/// or a whole number. Anything else is none: servers in Go write `message=some words`. Text inside strings is
/// not searched for fields.
std::optional<std::string> repr_field(std::string_view text, std::string_view name);

}  // namespace inferwire::inline v0_1::wire
