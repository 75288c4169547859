/// \file
/// Takes out what a server repeats of the keys that it was sent.
#pragma once

#include <string>
#include <vector>

#include "client/core.hpp"
#include "inferwire/secret.hpp"

namespace inferwire::inline v0_1::client {

/// Writes "***" over the secrets of a call: those of the client's credential, those in the headers and the
/// URL of `request`, and the `keys` that its attempt was sent with, which the credential may have forgotten.
/// Borrows all of them for its life.
class Concealer {
 public:
  Concealer(detail::Core& core, const HttpRequest& request, const std::vector<Secret>& keys)
      : core_(core), request_(request), keys_(keys) {}

  void conceal(std::string& text) const;
  /// Conceals them in every text of an error.
  void conceal(Error& error) const;

 private:
  detail::Core& core_;
  const HttpRequest& request_;
  const std::vector<Secret>& keys_;
};

}  // namespace inferwire::inline v0_1::client
