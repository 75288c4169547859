/// \file
/// Log messages of the library.
#pragma once

#include "inferwire/export.hpp"

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1 {

/// The importance of a log message.
enum class LogLevel : std::uint8_t {
  debug,  ///< every step of a call: requests, answers, elements
  /// Calls and requests for tokens that have ended, cancelled ones included; retries, and refusals that a
  /// batch repeats.
  info,
  warning,  ///< what deserves attention
  error,    ///< calls that failed, and exceptions from callbacks
};

/// The name of a level as written in the enumeration: "warning".
INFERWIRE_API std::string_view name(LogLevel level) noexcept;
/// Writes the name.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, LogLevel level) {
  return out << name(level);
}

/// Receives log messages: derive from it, or make one from a function with `Log::of`, and set
/// ClientOptions::log. Called on the threads that make the calls, by several at a time; must not throw. No
/// message holds a secret.
class INFERWIRE_API Log {
 public:
  virtual ~Log();
  /// Takes a message: one line, without the line break. With Visibility::wire it must not make calls of the
  /// same client: libcurl may hold a lock that such a call would wait for.
  virtual void write(LogLevel level, std::string_view text) noexcept = 0;
  /// The minimum level of the messages it receives; must not change. Default warning.
  virtual LogLevel level() const noexcept;

  /// A log that writes to standard error. A client without a log creates one itself if the environment
  /// variable INFERWIRE_LOG is debug, info, warning or error; "debug,bodies" and "debug,wire" also turn on
  /// those members of Visibility.
  static std::shared_ptr<Log> standard_error(LogLevel least);

  /// Makes a Log from a function: `function(level, text)` is called with messages of level `least` and above.
  template <class F>
  static std::shared_ptr<Log> of(F function, LogLevel least = LogLevel::warning) {
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
