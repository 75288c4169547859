/// \file
/// Writes the event stream encoding of AWS.
#pragma once

#include "protocol/framing/event_stream.hpp"

#include <span>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// Appends a message. Names have at most 255 bytes, strings and bytes at most 65,535; longer ones are cut, so
/// that the message remains valid.
void append_message(std::string& out, std::span<const EventStreamHeader> headers, std::string_view payload);

}  // namespace inferwire::inline v0_1::protocol
