/// \file
/// Real models for `inferwire serve`.
#pragma once

#include "inferwire/engine/engine.hpp"
#include "inferwire/result.hpp"

#include <string>
#include <vector>

namespace inferwire::inline v0_1::cli {

/// The endpoints of a GGUF file, by the file's name: "name" chats and completes, "name-embed" embeds. Errors:
/// config (the file), unsupported (this program was built without llama.cpp).
Result<std::vector<engine::Endpoint>> gguf_endpoints(const std::string& path);

}  // namespace inferwire::inline v0_1::cli
