/// \file
/// The regular expressions of scripts. std::regex costs seconds of compile time: only expression.cpp uses it.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Whether std::regex accepts a text as an expression.
bool is_expression(const std::string& text);

/// Whether the expression matches a part of a text, of which the first 1,024 bytes are searched. An invalid
/// expression matches nothing.
bool finds(const std::string& expression, std::string_view text);

}  // namespace inferwire::inline v0_1::engine
