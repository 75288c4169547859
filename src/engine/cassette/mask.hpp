/// \file
/// Masks a request for a cassette: secrets become "***", all else stays.
#pragma once

#include <string>

namespace inferwire::inline v0_1::engine {

/// A path and query without the values of parameters with names of secrets.
std::string shown_target(const std::string& target);

/// A body. If it is JSON, all strings and numbers, at any depth, of members with names of secrets and of
/// objects of headers are masked.
std::string shown_body(const std::string& body);

}  // namespace inferwire::inline v0_1::engine
