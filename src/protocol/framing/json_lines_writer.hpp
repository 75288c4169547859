/// \file
/// Writes JSON lines.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// Appends a JSON text as one line: line ends in it, which can only be white space between tokens, become
/// spaces.
void append_line(std::string& out, std::string_view json);

}  // namespace inferwire::inline v0_1::protocol
