/// \file
/// Writes a file as a whole.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::cli {

/// Writes a piece of a file; returns whether it succeeded.
using WritePiece = std::function<bool(std::string_view)>;

/// Replaces the contents of a file, or makes a new one. `contents` passes them in pieces to the function that
/// it gets, as long as that succeeds, and returns whether it did; it may be called twice. They are written to
/// a file beside `path`, with its permissions, which takes its name once it is on the disk, so that a full
/// disk or a crash leaves the former contents. A device, a pipe, and a file beside which none can be put or
/// whose name none can take is written directly. Fails, too, if there is a file that may not be written.
/// Returns whether it succeeded; if not, errno says why.
bool write_whole(const std::string& path, const std::function<bool(const WritePiece&)>& contents);

}  // namespace inferwire::inline v0_1::cli
