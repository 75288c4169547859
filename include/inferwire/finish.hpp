/// \file
/// Why a model stopped: in the server's words, and in the same terms for all servers.
#pragma once

#include "inferwire/export.hpp"
#include "inferwire/open_enum.hpp"

#include <cstdint>
#include <iosfwd>
#include <string_view>

namespace inferwire::inline v0_1 {

/// The words of FinishReason.
struct FinishReasonWords {
  static constexpr std::string_view stop = "stop";              ///< a natural end, or a stop string
  static constexpr std::string_view length = "length";          ///< the token limit was reached
  static constexpr std::string_view tool_calls = "tool_calls";  ///< the model calls tools
  /// A filter of the provider stopped it.
  static constexpr std::string_view content_filter = "content_filter";
  /// The former name of `tool_calls`; deprecated by OpenAI.
  static constexpr std::string_view function_call = "function_call";
  static constexpr std::string_view eos_token = "eos_token";          ///< LMI
  static constexpr std::string_view stop_sequence = "stop_sequence";  ///< LMI
  static constexpr std::string_view error = "error";                  ///< LMI
  static constexpr std::string_view abort = "abort";                  ///< LMI
};
/// Why the model stopped, in the server's words.
using FinishReason = OpenEnum<FinishReasonWords>;

/// Why the model stopped, in the same terms for all providers.
enum class Finish : std::uint8_t {
  none,            ///< not finished, or the server did not say
  stop,            ///< a natural end or a stop sequence
  length,          ///< the token limit
  tool_calls,      ///< the model calls tools
  content_filter,  ///< a filter of the provider; Claude: it refused
  error,           ///< the server stopped because of an error; Gemini: it could not read a tool call
  other,           ///< a reason that this library does not know: see FinishReason
};
/// The name of `finish` ("stop"); empty for `none`.
INFERWIRE_API std::string_view name(Finish finish) noexcept;
/// Writes the name.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, Finish finish) {
  return out << name(finish);
}
/// The Finish for `reason`. LMI's `eos_token` together with tool calls means tool_calls.
INFERWIRE_API Finish finish_of(const FinishReason& reason, bool has_tool_calls) noexcept;

}  // namespace inferwire::inline v0_1
