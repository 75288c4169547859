/// \file
/// The regular expressions of scripts. std::regex takes a compiler seconds, so expression.cpp alone uses it.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Whether std::regex takes a text for an expression.
bool is_expression(const std::string& text);

/// Whether the expression fits a part of a text, of which the first 1,024 bytes are searched. Nothing fits
/// what is no expression.
bool finds(const std::string& expression, std::string_view text);

}  // namespace inferwire::inline v0_1::engine
