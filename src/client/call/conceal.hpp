/// \file
/// Takes out what a server repeats of the keys that it was sent.
#pragma once

#include <string>

#include "client/core.hpp"

namespace inferwire::inline v0_1::client {

/// Writes "***" over the secrets of the client's credential and of the headers of `request` in a text.
void conceal(detail::Core& core, const HttpRequest& request, std::string& text);
/// Conceals the secrets of a request in every text of an error.
void conceal(detail::Core& core, const HttpRequest& request, Error& error);

}  // namespace inferwire::inline v0_1::client
