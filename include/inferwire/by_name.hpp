/// \file
/// A guard for structs of options.
#pragma once

#include "inferwire/export.hpp"

namespace inferwire::inline v0_1 {

/// The first member of a struct whose members should only be set by name. Nothing converts to it, so that
/// `{.timeouts = 300ms}`, which would set the first of the timers, does not compile.
struct ByName {
  constexpr ByName() noexcept {}
  friend bool operator==(ByName, ByName) noexcept { return true; }
};

}  // namespace inferwire::inline v0_1
