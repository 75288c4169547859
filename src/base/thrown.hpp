/// \file
/// Describes exceptions from user code that should have returned an error.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1 {

/// What is said of a lack of memory. A string holds so few bytes without allocating.
inline constexpr std::string_view no_memory = "no memory";

/// Text saying that `who` threw the exception that is being handled, with its message; `no_memory` if that is
/// std::bad_alloc, or there is no memory for the text.
std::string thrown_by(std::string_view who) noexcept;

}  // namespace inferwire::inline v0_1
