/// \file
/// Closes documents that are cut off.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// The longest prefix of `text` that can be closed as a document, with the quote and brackets that close it.
/// Empty if there is none.
std::string closed_beginning(std::string_view text);

}  // namespace inferwire::inline v0_1::json
