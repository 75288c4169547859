/// \file
/// The list of parts in the content of a message, whose content may also be a string.
#pragma once

#include "inferwire/optional.hpp"
#include "inferwire/text_or_list.hpp"

#include <variant>
#include <vector>

namespace inferwire::inline v0_1::wire {

/// nullptr if there is no content, or if it is a string.
template <class Part>
const std::vector<Part>* parts_of(const Optional<TextOrList<Part>>& content) noexcept {
  return content ? std::get_if<std::vector<Part>>(&*content) : nullptr;
}
template <class Part>
std::vector<Part>* parts_of(Optional<TextOrList<Part>>& content) noexcept {
  return content ? std::get_if<std::vector<Part>>(&*content) : nullptr;
}

}  // namespace inferwire::inline v0_1::wire
