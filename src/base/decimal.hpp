/// \file
/// Numbers as texts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1 {

/// The number that all of `text` is: `12`, `-.5`, `1e3`, whatever the program's locale is. Nothing where it
/// is none, or beyond the range of a double; one too small for it is 0.
std::optional<double> parse_decimal(std::string_view text);

/// The shortest text that is read as the same number; a whole one has no exponent as long as all its digits
/// count.
std::string print_decimal(double number);
std::string print_decimal(float number);
/// Appends what `print_decimal` gives.
void append_decimal(std::string& out, double number);

}  // namespace inferwire::inline v0_1
