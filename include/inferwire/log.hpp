/// \file
/// The library's remarks, in addition to answers and errors.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "inferwire/export.hpp"

namespace inferwire::inline v0_1 {

/// The importance of a remark.
enum class LogLevel : std::uint8_t {
  debug,    ///< the course of every call: requests, answers, and what Visibility opens
  info,     ///< calls that have ended, and retries
  warning,  ///< what deserves a look
  error,    ///< calls that failed
};

/// The name of a level as written in the enumeration: "warning".
INFERWIRE_API std::string_view name(LogLevel level) noexcept;

/// Receives remarks: derive from it, or make one from a function, and set ClientOptions::log. Called on
/// whichever thread makes the call, by several at a time; must not throw. No text ever holds a secret.
class INFERWIRE_API Log {
 public:
  virtual ~Log();
  /// Takes a remark: one line, without its end.
  virtual void write(LogLevel level, std::string_view text) noexcept = 0;
  /// The minimum level that it wants; must not change. Default warning.
  virtual LogLevel level() const noexcept;

  /// Writes lines to the standard error stream. A client without a log makes one by itself if the variable
  /// INFERWIRE_LOG is debug, info, warning or error; "debug,bodies" and "debug,wire" also turn on those
  /// members of Visibility.
  static std::shared_ptr<Log> standard_error(LogLevel least);

  /// A log that calls `function(level, text)` with remarks of level `least` and above.
  template <class F>
  static std::shared_ptr<Log> to(F function, LogLevel least = LogLevel::warning) {
    class Calls final : public Log {
     public:
      Calls(F&& callee, LogLevel wanted) : function_(std::move(callee)), least_(wanted) {}
      void write(LogLevel level, std::string_view text) noexcept override {
        if (level >= least_) function_(level, text);
      }
      LogLevel level() const noexcept override { return least_; }

     private:
      F function_;
      LogLevel least_;
    };
    return std::make_shared<Calls>(std::move(function), least);
  }
};

}  // namespace inferwire::inline v0_1
