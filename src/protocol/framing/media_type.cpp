#include "protocol/framing/media_type.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace inferwire::inline v0_1::protocol {

MediaKind media_kind(std::optional<std::string_view> content_type) {
  static constexpr std::array<std::pair<std::string_view, MediaKind>, 12> kinds{{
      {"application/json", MediaKind::json},  // the types of most answers come first
      {"text/event-stream", MediaKind::event_stream},
      {"application/jsonlines", MediaKind::json_lines},
      {"application/x-jsonlines", MediaKind::json_lines},
      {"application/json-lines", MediaKind::json_lines},
      {"application/jsonl", MediaKind::json_lines},
      {"application/x-ndjson", MediaKind::json_lines},
      {"application/ndjson", MediaKind::json_lines},
      {"text/json", MediaKind::json},
      {"text/html", MediaKind::html},
      {"application/xhtml+xml", MediaKind::html},
      {"application/vnd.amazon.eventstream", MediaKind::aws_event_stream},
  }};
  if (!content_type) return MediaKind::none;
  const auto type = ascii::trim(content_type->substr(0, content_type->find(';')));
  if (type.empty()) return MediaKind::none;
  for (const auto& [name, kind] : kinds) {
    if (ascii::equal_ignoring_case(type, name)) return kind;
  }
  constexpr std::string_view of_json = "+json";
  const auto ending = type.substr(type.size() - std::min(type.size(), of_json.size()));
  return ascii::equal_ignoring_case(ending, of_json) ? MediaKind::json : MediaKind::other;
}

}  // namespace inferwire::inline v0_1::protocol
