/// \file
/// A decoder of text deltas of a Responses stream as one would write it by hand with simdjson On-Demand, with
/// the tag read in the same pass. It does the same job as the table: it reads every member of the struct,
/// keeps unknown members and checks the document's end. Events of other types are kept as they are.
#pragma once

#include "hand_written_decode.hpp"
#include "inferwire/response_events.hpp"

namespace inferwire_bench {

struct SomeEvent {
  bool is_delta{};
  inferwire::responses::TextDelta delta{};
  inferwire::Unknown other{};
};

class HandWrittenEvents : private HandWritten {
 public:
  bool decode(std::string_view text, std::size_t capacity, SomeEvent& event) {
    ondemand::document document;
    ondemand::object object;
    if (parser_.iterate(text.data(), text.size(), capacity).get(document) ||
        document.get_object().get(object)) {
      return false;
    }
    auto& delta = event.delta;
    delta.sequence_number.reset();
    delta.output_index.reset();
    delta.content_index = 0;
    delta.logprobs.reset();
    delta.obfuscation.reset();
    delta.extra.clear();
    event.is_delta = false;
    for (auto item : object) {
      ondemand::field field;
      std::string_view key;
      if (std::move(item).get(field) || field.unescaped_key().get(key)) return false;
      bool ok = true;
      if (key == "type") {
        std::string_view type;
        if (field.value().get_string().get(type)) return false;
        event.is_delta = type == inferwire::responses::TextDelta::type;
        if (!event.is_delta) {
          event.other.json = inferwire::Json::raw(std::string(text));
          return true;
        }
      } else if (key == "sequence_number") {
        ok = read(field.value(), delta.sequence_number);
      } else if (key == "item_id") {
        ok = read(field.value(), delta.item_id);
      } else if (key == "output_index") {
        ok = read(field.value(), delta.output_index);
      } else if (key == "content_index") {
        ok = !field.value().get_int64().get(delta.content_index);
      } else if (key == "delta") {
        ok = read(field.value(), delta.delta);
      } else if (key == "logprobs") {
        ok = read_logprobs(field.value(), delta.logprobs);
      } else if (key == "obfuscation") {
        ok = read(field.value(), delta.obfuscation);
      } else {
        ok = keep(key, field.value(), delta.extra);
      }
      if (!ok) return false;
    }
    return document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  }

 private:
  /// Reads only the number of logprobs, since they are rare in streams.
  static bool read_logprobs(Value& value, inferwire::Optional<std::vector<inferwire::TokenLogprob>>& out) {
    if (null(value)) return true;
    ondemand::array array;
    if (value.get_array().get(array)) return false;
    auto& logprobs = out.emplace();
    for (auto element : array) {
      if (element.error()) return false;
      logprobs.emplace_back();
    }
    return true;
  }
};

}  // namespace inferwire_bench
