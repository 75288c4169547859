// The elements of raw streams: any JSON.
#include "client/call/answer_facts.hpp"
#include "client/stream/element.hpp"
#include "wire/error_body.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

bool check_whole(json::Decoder&, std::string_view text, void* element, Error& error) {
  if (auto checked = json::check(text); !checked) {
    error = std::move(checked).error();
    return false;
  }
  *static_cast<Json*>(element) = Json::raw(std::string(text));
  return true;
}

/// Accepts an answer that is not streamed, unless it is an error, whatever its status.
bool take_whole(json::Decoder& decoder, std::string_view text, std::int64_t, void* element, Error& error) {
  return check_whole(decoder, text, element, error) && !wire::error_in_raw(text);
}

bool decode_frame(json::Decoder& decoder, std::string_view text, std::string_view, void* element,
                  Error& error) {
  return check_whole(decoder, text, element, error);
}

std::optional<wire::ErrorFacts> error_in_json(const void* element) {
  return wire::error_in_raw(static_cast<const Json*>(element)->text());
}

/// Tracks nothing: the choices are unknown, and a clean end of the body is the end.
void track_nothing(void*, ChoiceTracker&) {}

void note_raw(const void* element, AnswerFacts& facts) {
  note_json(facts, static_cast<const Json*>(element)->text());
}

}  // namespace

template <>
const ElementOps& element_ops<Json>() {
  static constexpr ElementOps ops{.decode = &decode_frame,
                                  .decode_whole = &take_whole,
                                  .error_in = &error_in_json,
                                  .track = &track_nothing,
                                  .note = &note_raw,
                                  .takes_null = true};
  return ops;
}

}  // namespace inferwire::inline v0_1::client
