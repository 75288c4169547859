/// \file
/// What the stream decoder has to know of the elements of a stream, so that it can be one piece of code for
/// all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "inferwire/error.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/json.hpp"
#include "inferwire/observer.hpp"
#include "json/codec.hpp"
#include "wire/error_body.hpp"

namespace inferwire::inline v0_1::client {

/// Keeps in mind which choices of an answer have begun and which have ended, by their index.
class ChoiceTracker {
 public:
  void started(std::int64_t index) { mark(index, begun); }
  void finished(std::int64_t index) { mark(index, ended); }
  /// Whether any has begun: from then on the same request would not give the rest of this answer.
  bool any() const noexcept { return !states_.empty(); }
  /// Whether every choice that was asked for, and every one that began, has ended.
  bool complete(std::int64_t expected) const noexcept {
    return std::ranges::count(states_, ended) >= expected && states_.find(begun) == std::string::npos;
  }

 private:
  static constexpr char unseen = 0;
  static constexpr char begun = 1;
  static constexpr char ended = 2;
  /// More than any provider allows; hostile indices beyond it count for nothing.
  static constexpr std::int64_t most = 4096;

  void mark(std::int64_t index, char state) {
    if (index < 0 || index >= most) return;
    const auto place = static_cast<std::size_t>(index);
    if (place >= states_.size()) states_.resize(place + 1, unseen);
    states_[place] = std::max(states_[place], state);
  }

  std::string states_;  ///< one a choice; a string, since a few need no memory elsewhere
};

/// What an element says about the end of its answer.
enum class AnswerState : std::uint8_t {
  none,
  piece,      ///< nothing either, but it is a piece of the answer
  under_way,  ///< the server will tell when the answer is whole
  complete,   ///< it is the last one, and all is well
  failed,     ///< it is the last one, and the answer failed
};

/// How to handle an element of one type, the type itself erased.
struct ElementOps {
  /// Decodes a frame over the element. `text` is padded; `name` is the frame's, "" when it has none.
  bool (*decode)(json::Decoder& decoder, std::string_view text, std::string_view name, void* element,
                 Error& error);
  /// Makes one element of a whole answer, for servers that do not stream when asked to. `text` is padded.
  bool (*decode_whole)(json::Decoder& decoder, std::string_view text, void* element, Error& error);
  /// The error that the element holds instead of an answer.
  std::optional<wire::ErrorFacts> (*error_in)(const void* element);
  void (*track)(const void* element, ChoiceTracker& choices);
  /// What the element says about the end of its answer; an Error{response_failed} when it failed. nullptr:
  /// nothing, the frame `[DONE]` and the choices tell the end.
  AnswerState (*answer_state)(const void* element, Error& error){};
  /// Takes what the element says about its answer, for those who watch. nullptr: nothing is known of it.
  void (*note)(const void* element, AnswerFacts& facts){};
  /// Whether the element brings something of the answer beside an error in it. nullptr: none does.
  bool (*answers)(const void* element){};
  /// Whether the element, a frame decoded, is a whole answer that has to be read as one. nullptr: none is.
  bool (*is_whole)(const void* element){};
};

/// The operations of `T`; defined beside the resource that streams it.
template <class T>
const ElementOps& element_ops();
template <>
const ElementOps& element_ops<Json>();
template <>
const ElementOps& element_ops<chat::Chunk>();
template <>
const ElementOps& element_ops<completions::Chunk>();
template <>
const ElementOps& element_ops<responses::Event>();

}  // namespace inferwire::inline v0_1::client
