#include "client/log_setting.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace inferwire::inline v0_1::client {

std::optional<LogLevel> level_of(std::string_view words, Visibility& visibility) {
  constexpr std::pair<std::string_view, LogLevel> levels[] = {{"debug", LogLevel::debug},
                                                              {"info", LogLevel::info},
                                                              {"warning", LogLevel::warning},
                                                              {"error", LogLevel::error}};
  const auto comma = words.find(',');
  const auto* const level =
      std::ranges::find(levels, words.substr(0, comma), &std::pair<std::string_view, LogLevel>::first);
  if (level == std::end(levels)) return std::nullopt;
  auto shown = visibility;
  for (auto rest = comma; rest != words.npos;) {
    const auto begin = rest + 1;
    rest = words.find(',', begin);
    const auto word = words.substr(begin, rest == words.npos ? rest : rest - begin);
    if (word != "bodies" && word != "wire") return std::nullopt;
    (word == "bodies" ? shown.bodies : shown.wire) = true;
  }
  visibility = shown;
  return level->second;
}

}  // namespace inferwire::inline v0_1::client
