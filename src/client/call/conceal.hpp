/// \file
/// Removes keys that were sent to a server from its answers.
#pragma once

#include "client/core.hpp"
#include "inferwire/secret.hpp"

#include <memory>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::client {

/// The keys that a credential added to an attempt; nullptr: none.
using AttemptKeys = std::shared_ptr<const std::vector<Secret>>;

/// Replaces the secrets of a call with "***": those of the client's credential, those in the headers and the
/// URL of `request`, and the `keys` that its attempt was sent with, which the credential may no longer have.
/// Its constructor's arguments must outlive it.
class Concealer {
 public:
  Concealer(detail::Core& core, const HttpRequest& request, const AttemptKeys& keys)
      : core_(core), request_(request), keys_(keys) {}

  void conceal(std::string& text) const;
  /// Conceals them in every string of an error.
  void conceal(Error& error) const;

 private:
  detail::Core& core_;
  const HttpRequest& request_;
  const AttemptKeys& keys_;
};

}  // namespace inferwire::inline v0_1::client
