/// \file
/// Ways to authenticate, as a table of them has them.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "auth/resolved_credential.hpp"
#include "inferwire/credential.hpp"
#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::auth {

/// What a way makes of the settings: a credential, why it cannot be taken, or why none can.
using Attempt = std::variant<std::shared_ptr<Credential>, std::string, Error>;

inline Attempt refreshing(std::unique_ptr<GrantSource> source) {
  return Credential::refreshing(std::move(source));
}
inline Attempt refreshing(Result<std::unique_ptr<GrantSource>> source) {
  if (!source) return std::move(source).error();
  return refreshing(*std::move(source));
}

/// One of the ways. `Context` has the `settings`, and what else they need.
template <class Context>
struct Method {
  std::string_view name;                  ///< among those that were not taken
  std::array<std::string_view, 4> needs;  ///< the settings without which it is not tried
  Attempt (*make)(const Context&);
  std::string_view title{};  ///< when it was taken; empty: the name
};

/// Tries one of them. Returns whether the search is over: `found` has its credential or the problem then;
/// otherwise its report says why not.
template <class Context>
bool try_method(const Method<Context>& method, const Context& context, Resolution& found) {
  const auto missing = std::ranges::find_if(
      method.needs, [&](std::string_view name) { return !name.empty() && !context.settings.has(name); });
  auto attempt =
      missing == method.needs.end() ? method.make(context) : Attempt("no " + std::string(*missing));
  if (auto* const why = std::get_if<std::string>(&attempt)) {
    found.report.rejected.push_back({std::string(method.name), std::move(*why)});
    return false;
  }
  if (auto* const problem = std::get_if<Error>(&attempt)) {
    found.report.problem = std::move(*problem);
    return true;
  }
  found.report.method = method.title.empty() ? method.name : method.title;
  found.credential = std::get<std::shared_ptr<Credential>>(std::move(attempt));
  return true;
}

}  // namespace inferwire::inline v0_1::auth
