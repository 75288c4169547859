/// \file
/// Ways to authenticate, as rows of a table.
#pragma once

#include "auth/resolved_credential.hpp"
#include "inferwire/credential.hpp"
#include "inferwire/error.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace inferwire::inline v0_1::auth {

/// The result of trying a way: a credential, the reason why it is skipped, or an error that ends the search.
using Attempt = std::variant<std::shared_ptr<Credential>, std::string, Error>;

inline Attempt refreshing(std::unique_ptr<GrantSource> source) {
  return Credential::refreshing(std::move(source));
}
inline Attempt refreshing(Result<std::unique_ptr<GrantSource>> source) {
  if (!source) return std::move(source).error();
  return refreshing(*std::move(source));
}

/// One way to authenticate. `Context` holds the `settings` and whatever else the ways need.
template <class Context>
struct Method {
  std::string_view name;                  ///< used in the list of rejected ways
  std::array<std::string_view, 4> needs;  ///< the settings that it requires
  Attempt (*make)(const Context&);
  std::string_view title{};  ///< used if it was chosen; empty: the name
};

/// Tries one way. Returns whether the search is over: then `found` has the credential or the problem;
/// otherwise its report gives the reason.
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
