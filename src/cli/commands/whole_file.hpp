/// \file
/// Writes a file as a whole.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::cli {

/// Replaces the contents of a file, or makes a new one. The bytes are written to a file beside it, which then
/// takes its name, so that a full disk leaves the former contents. A device, a pipe, and a file
/// beside which none can be put or whose name none can take is written directly. Returns whether it
/// succeeded; if not, errno says why.
bool write_whole(const std::string& path, std::string_view bytes);

}  // namespace inferwire::inline v0_1::cli
