/// \file
/// Whether a request may be answered: engine keys.
#pragma once

#include <optional>

#include "engine/refusal.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::engine {

/// Checks the Authorization header against `key`: `Bearer <key>`, or Basic with user "token" and the key as
/// password, as Databricks takes personal access tokens. Without a key every request is welcome. The refusal
/// never repeats what was sent, and the time of the check does not tell how much of a key was right.
std::optional<Refusal> check_key(const std::vector<Header>& headers, const std::optional<Secret>& key);

}  // namespace inferwire::inline v0_1::engine
