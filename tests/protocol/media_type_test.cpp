#include "protocol/framing/media_type.hpp"

#include "support/catch.hpp"

#include <optional>
#include <string_view>
#include <utility>

using inferwire::protocol::media_kind;
using inferwire::protocol::MediaKind;

TEST_CASE("the framing is read from the media type, whatever its case and parameters") {
  using Row = std::pair<std::string_view, MediaKind>;
  const auto row = GENERATE(values<Row>({
      {"text/event-stream", MediaKind::event_stream},
      {"Text/Event-Stream;charset=UTF-8", MediaKind::event_stream},
      {" text/event-stream ; charset=utf-8", MediaKind::event_stream},
      {"application/jsonlines", MediaKind::json_lines},
      {"application/x-jsonlines", MediaKind::json_lines},
      {"application/json-lines", MediaKind::json_lines},
      {"application/x-ndjson", MediaKind::json_lines},
      {"application/ndjson", MediaKind::json_lines},
      {"application/jsonl", MediaKind::json_lines},
      {"application/json", MediaKind::json},
      {"application/json; charset=utf-8", MediaKind::json},
      {"application/problem+json", MediaKind::json},
      {"text/json", MediaKind::json},
      {"text/html; charset=utf-8", MediaKind::html},
      {"application/xhtml+xml", MediaKind::html},
      {"application/vnd.amazon.eventstream", MediaKind::aws_event_stream},
      {"text/plain", MediaKind::other},
      {"text/event-streams", MediaKind::other},
      {"", MediaKind::none},
      {";charset=utf-8", MediaKind::none},
  }));
  CAPTURE(row.first);
  REQUIRE(media_kind(row.first) == row.second);
}

TEST_CASE("an answer without a media type has none") { REQUIRE(media_kind(std::nullopt) == MediaKind::none); }
