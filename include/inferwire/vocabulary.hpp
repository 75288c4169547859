/// \file
/// Words that chat completions and the Responses API share.
#pragma once

#include "inferwire/open_enum.hpp"

#include <string_view>
#include <type_traits>

namespace inferwire::inline v0_1 {

namespace detail {

/// Exactly std::string_view, and nothing that converts to it: so a function can have overloads for it and for
/// std::string without string literals being ambiguous.
template <class T>
concept TextView = std::is_same_v<T, std::string_view>;

}  // namespace detail

/// The words of Role.
struct RoleWords {
  /// The instructions; on Databricks at most one message, and the first.
  static constexpr std::string_view system = "system";
  /// OpenAI's newer word for system, which other services may refuse.
  static constexpr std::string_view developer = "developer";
  static constexpr std::string_view user = "user";            ///< the user
  static constexpr std::string_view assistant = "assistant";  ///< the model
  static constexpr std::string_view tool = "tool";            ///< the result of a tool
};
/// The author of a message.
using Role = OpenEnum<RoleWords>;

/// The words of ToolChoiceMode.
struct ToolChoiceWords {
  static constexpr std::string_view none = "none";          ///< answer in text
  static constexpr std::string_view automatic = "auto";     ///< the model decides; the default with tools
  static constexpr std::string_view required = "required";  ///< call at least one tool
};
/// Whether tools are called.
using ToolChoiceMode = OpenEnum<ToolChoiceWords>;

/// The words of ReasoningEffort. Each model takes only some of them; most take low, medium and high.
struct ReasoningEffortWords {
  static constexpr std::string_view none = "none";  ///< no reasoning at all
  static constexpr std::string_view minimal = "minimal";
  static constexpr std::string_view low = "low";
  static constexpr std::string_view medium = "medium";  ///< the usual default
  static constexpr std::string_view high = "high";
  static constexpr std::string_view xhigh = "xhigh";
  static constexpr std::string_view max = "max";
};
/// How much a model reasons before it answers, which costs tokens and time.
using ReasoningEffort = OpenEnum<ReasoningEffortWords>;

}  // namespace inferwire::inline v0_1
