/// \file
/// Configuration files: [sections] of `key = value` lines, as in ~/.databrickscfg and ~/.aws/config.
#pragma once

#include "inferwire/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::auth {

struct IniSection {
  std::string name{};
  struct Value {
    std::string key{};
    std::string text{};
    std::string as_written{};  ///< the value with its quotes, and with a possible comment
  };
  std::vector<Value> values{};  ///< in order, keys may repeat

  /// The last value of `key`, in upper or lower case; empty if there is none.
  std::string_view find(std::string_view key) const;
  std::string_view find_as_written(std::string_view key) const;

 private:
  const Value* last(std::string_view key) const;
};

/// Parses the sections in order, merging those with the same name. Lines before the first section belong to
/// DEFAULT. A key ends at the first `=` or `:`. `#` and `;` begin a comment at the start of a line and after
/// white space, so that passwords may contain them; a pair of quotes around a value is removed. Indented
/// lines below a key without a value belong to it and are ignored; any other indented line that is not `key =
/// value` continues the value above it, after a line break. Errors: config names the line, never its text.
Result<std::vector<IniSection>> parse_ini(std::string_view text);

/// The section called `name`; nullptr if there is none.
const IniSection* find_section(const std::vector<IniSection>& sections, std::string_view name);
/// Finds a section whose name has two words, such as [profile dev] or [profile "my team"].
const IniSection* find_section(const std::vector<IniSection>& sections, std::string_view kind,
                               std::string_view name);

}  // namespace inferwire::inline v0_1::auth
