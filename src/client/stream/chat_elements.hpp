/// \file
/// Errors of chat answers, in streams and in whole ones.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/transport.hpp"

#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// The error in an answer's choice, next to the partial message (OpenRouter). `text` is the answer's, and is
/// kept in the error.
std::optional<Error> failure_in(const chat::Response& answer, const ResponseHead& head,
                                std::string_view text);

}  // namespace inferwire::inline v0_1::client
