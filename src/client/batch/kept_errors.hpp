/// \file
/// Errors kept until the end of a batch, possibly as many as there are inputs.
#pragma once

#include "inferwire/error.hpp"

#include <cstddef>
#include <utility>

namespace inferwire::inline v0_1::client {

/// Keeps the whole body of the first errors, and the beginning of the others' bodies.
class KeptErrors {
 public:
  Error keep(Error error) {
    constexpr int whole = 32;
    constexpr std::size_t most_bytes = 1024;
    if (++count_ > whole && error.body.size() > most_bytes) error.body = error.body.substr(0, most_bytes);
    return error;
  }

 private:
  int count_{};
};

}  // namespace inferwire::inline v0_1::client
