/// \file
/// Answers of real providers, with the facts expected of each (tests/fixtures/wire).
#pragma once

#include "support/fixtures.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace inferwire_test {

inline const nlohmann::json& wire_index() {
  static const nlohmann::json index = nlohmann::json::parse(fixture("wire/index.json"));
  return index;
}

inline std::string wire_file(const nlohmann::json& vector) {
  return fixture("wire/" + vector.at("file").get<std::string>());
}

/// The data of the events of a recorded stream: parses enough of SSE for these files. The last block counts
/// only if a blank line ends it.
inline std::vector<std::string> stream_data(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string> out;
  std::string data;
  bool has_data = false;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    if (end == std::string_view::npos) break;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
    if (line.empty()) {
      if (has_data) out.push_back(data);
      data.clear();
      has_data = false;
    } else if (line.starts_with("data:")) {
      line.remove_prefix(5);
      if (line.starts_with(' ')) line.remove_prefix(1);
      if (has_data) data += '\n';
      data += line;
      has_data = true;
    }
  }
  return out;
}

}  // namespace inferwire_test
