/// \file
/// A conversation that can be kept in a file.
#pragma once

#include "inferwire/chat.hpp"
#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::cli {

/// Inserts or replaces the system message at the beginning, or removes it if `text` is empty.
void set_system(chat::Request& request, const std::string& text);

/// Writes the request as JSON, which any client of the API can read, with those of `others` that it does not
/// have itself. A full disk leaves the former contents: see write_whole. Errors: config, naming the file.
Result<void> save(const chat::Request& request, const Extra& others, const std::string& path);

/// Reads model and messages from such a file and leaves the rest of `request` unchanged. The other members of
/// the document become `others`, for `save`. Only role and text of messages are read. Errors: config, naming
/// the file; nothing is changed then.
Result<void> load(chat::Request& request, Extra& others, const std::string& path);

}  // namespace inferwire::inline v0_1::cli
