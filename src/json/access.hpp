/// \file
/// Gives the codec access to Json and Extra, so that it can reuse their memory instead of replacing them.
#pragma once

#include "inferwire/json.hpp"

#include <string>
#include <vector>

namespace inferwire::inline v0_1::detail {

struct JsonAccess {
  static std::string& text(Json& json) noexcept { return json.text_; }
  static std::vector<Member>& members(Extra& extra) noexcept { return extra.members_; }
};

}  // namespace inferwire::inline v0_1::detail

namespace inferwire::inline v0_1::json {

using Access = inferwire::detail::JsonAccess;

}  // namespace inferwire::inline v0_1::json
