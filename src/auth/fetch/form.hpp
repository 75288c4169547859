/// \file
/// Forms, which token services take.
#pragma once

#include "inferwire/transport.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::auth {

/// The names and values of a form.
using Form = std::vector<std::pair<std::string_view, std::string_view>>;

/// `name=value&...`, escaped for a body of type application/x-www-form-urlencoded.
std::string form_encode(const Form& form);
/// A request that posts a form and accepts JSON.
HttpRequest post_form(std::string url, const Form& form);

}  // namespace inferwire::inline v0_1::auth
