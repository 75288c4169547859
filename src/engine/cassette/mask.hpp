/// \file
/// What of a request may stand in a cassette: everything but secrets, which are "***".
#pragma once

#include <string>

#include "engine/json_text.hpp"

namespace inferwire::inline v0_1::engine {

/// A path and query without the values of parameters whose names say that they are secret.
std::string shown_target(const std::string& target);

/// Takes the place of all strings and numbers of members whose names say that they are secret, or that they
/// are headers, at any depth. False: there is no such member.
template <class Json>
bool conceal_members(Json& document);
extern template bool conceal_members(Document& document);
extern template bool conceal_members(OrderedJson& document);

/// A body as it is, but for such members where it is JSON.
std::string shown_body(const std::string& body);

}  // namespace inferwire::inline v0_1::engine
