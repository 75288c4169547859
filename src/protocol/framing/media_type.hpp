/// \file
/// The framing that an answer's Content-Type indicates.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

enum class MediaKind : std::uint8_t {
  none,              ///< no Content-Type, or one without a type
  event_stream,      ///< text/event-stream
  json_lines,        ///< application/jsonlines and its variants
  json,              ///< application/json, text/json, anything with the suffix +json
  html,              ///< text/html, application/xhtml+xml: a login page or a proxy's
  aws_event_stream,  ///< application/vnd.amazon.eventstream
  other,
};

/// Ignores parameters (charset and the like) and case.
MediaKind media_kind(std::optional<std::string_view> content_type);

/// Whether an answer of this kind consists of frames.
constexpr bool is_stream(MediaKind kind) noexcept {
  return kind == MediaKind::event_stream || kind == MediaKind::json_lines ||
         kind == MediaKind::aws_event_stream;
}

}  // namespace inferwire::inline v0_1::protocol
