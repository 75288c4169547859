/// \file
/// Writes event streams as servers send them.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// Appends an event with `data`, one `data:` line for each of its lines, after its `name`, if any. (WHATWG
/// HTML, 9.2)
void append_event(std::string& out, std::string_view data, std::string_view name = {});

/// The event that ends a stream of chat or completion chunks.
inline constexpr std::string_view done_event = "data: [DONE]\n\n";

}  // namespace inferwire::inline v0_1::protocol
