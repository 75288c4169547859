/// \file
/// Whether a request may be answered: engine keys.
#pragma once

#include "engine/refusal.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/transport.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Whether the texts are equal; the time taken does not reveal how much of `given` was right.
bool same_in_constant_time(std::string_view given, std::string_view expected);

/// Checks the Authorization header against `key`: `Bearer <key>`, or Basic with user "token" and the key as
/// password, as Databricks accepts personal access tokens. Without a key every request is accepted, but if
/// `wants_bearer`, it must have some bearer token. The refusal never repeats what was sent.
std::optional<Refusal> check_key(const std::vector<Header>& headers, const Optional<Secret>& key,
                                 bool wants_bearer);

}  // namespace inferwire::inline v0_1::engine
