/// \file
/// What the library has to say besides answers and errors.
#pragma once

#include <cstdint>
#include <string_view>

#include "inferwire/export.hpp"

namespace inferwire::inline v0_1 {

enum class LogLevel : std::uint8_t { debug, warning };

/// Hears remarks: derive one from it, and give it to ClientOptions::log. Called from whichever thread makes
/// the call, several at a time; must not throw. No secret is ever in a text.
class INFERWIRE_API Log {
 public:
  virtual ~Log();
  virtual void write(LogLevel level, std::string_view text) noexcept = 0;
};

}  // namespace inferwire::inline v0_1
