/// \file
/// A guard for structs of options.
#pragma once

#include "inferwire/export.hpp"

namespace inferwire::inline v0_1 {

/// The first member of a struct whose members are set by their names alone. Nothing converts to it:
/// `{.timeouts = 300ms}` does not compile, where it would have set the first of the timers.
struct ByName {
  constexpr ByName() noexcept {}
  friend bool operator==(ByName, ByName) noexcept { return true; }
};

}  // namespace inferwire::inline v0_1
