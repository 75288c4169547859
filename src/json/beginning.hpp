/// \file
/// Closes documents that break off.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// `text` as far as it is the beginning of a document, with the quote and the brackets that close it where it
/// could be closed last. Empty: there is nothing of a document.
std::string closed_beginning(std::string_view text);

}  // namespace inferwire::inline v0_1::json
