/// \file
/// Masks a request for a cassette: secrets become "***", all else stays.
#pragma once

#include "engine/json_text.hpp"

#include <string>

namespace inferwire::inline v0_1::engine {

/// A path and query without the values of parameters with names of secrets.
std::string shown_target(const std::string& target);

/// Masks all strings and numbers, at any depth, of members with names of secrets and of objects of headers.
/// False: there is no such member.
template <class Json>
bool conceal_members(Json& document);
extern template bool conceal_members(Document& document);
extern template bool conceal_members(OrderedJson& document);

/// A body, with such members masked if it is JSON.
std::string shown_body(const std::string& body);

}  // namespace inferwire::inline v0_1::engine
