/// \file
/// Words that chat completions and the Responses API share.
#pragma once

#include <string_view>

#include "inferwire/open_enum.hpp"

namespace inferwire::inline v0_1 {

struct RoleWords {
  static constexpr std::string_view system = "system";
  static constexpr std::string_view developer = "developer";  ///< OpenAI's newer word for system
  static constexpr std::string_view user = "user";
  static constexpr std::string_view assistant = "assistant";
  static constexpr std::string_view tool = "tool";
};
/// Who speaks.
using Role = OpenEnum<RoleWords>;

struct ToolChoiceWords {
  static constexpr std::string_view none = "none";          ///< answer in text
  static constexpr std::string_view automatic = "auto";     ///< the model decides; the default with tools
  static constexpr std::string_view required = "required";  ///< call at least one tool
};
using ToolChoiceMode = OpenEnum<ToolChoiceWords>;

struct ReasoningEffortWords {
  static constexpr std::string_view none = "none";
  static constexpr std::string_view minimal = "minimal";
  static constexpr std::string_view low = "low";
  static constexpr std::string_view medium = "medium";
  static constexpr std::string_view high = "high";
  static constexpr std::string_view xhigh = "xhigh";
  static constexpr std::string_view max = "max";
};
using ReasoningEffort = OpenEnum<ReasoningEffortWords>;

}  // namespace inferwire::inline v0_1
