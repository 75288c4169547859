/// \file
/// What an HTML page or an XML document, such as a proxy sends in place of an answer, says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::wire {

/// The text of its `pre`, or else its title, or else its body; std::nullopt if it is not HTML.
std::optional<std::string> html_message(std::string_view text);

/// The text of the first element `tag` of an XML document, without tags: UTF-8, at most 300 bytes. Empty if
/// there is none.
std::string xml_text(std::string_view document, std::string_view tag);

}  // namespace inferwire::inline v0_1::wire
