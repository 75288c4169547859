/// \file
/// A conversation that can be kept in a file.
#pragma once

#include <string>
#include <string_view>

#include "inferwire/chat.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::cli {

/// Puts the system message first, replaces the one that is there, or takes it away when `text` is empty.
void set_system(chat::Request& request, const std::string& text);

/// Writes the request as JSON, which any client of the API can read. Errors: config, naming the file.
Result<void> save(const chat::Request& request, const std::string& path);

/// Reads model and messages of such a file; everything else of `request` stays. Of messages role and text
/// count. Errors: config, naming the file.
Result<void> load(chat::Request& request, const std::string& path);

}  // namespace inferwire::inline v0_1::cli
