/// \file
/// What the stream decoder needs to know about the elements of a stream, so that one decoder serves all
/// types.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/json.hpp"
#include "inferwire/observer.hpp"
#include "json/codec.hpp"
#include "wire/error_body.hpp"
#include "wire/fold.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// Numbers of choices that a request asks for, if it does not tell the number.
inline constexpr std::int64_t any_number_of_choices = 0;  ///< an answer may have none
inline constexpr std::int64_t some_choices = -1;          ///< an answer has at least one

/// Tracks which choices of an answer have begun and which have ended, by their index.
class ChoiceTracker {
 public:
  /// `requested`: how many choices the request asked for, or one of the constants.
  explicit ChoiceTracker(std::int64_t requested) noexcept
      : least_(requested == some_choices ? 1 : requested), one_(requested == 1) {}

  /// Whether a chunk's only choice is the answer's only one: the request asked for one, and no index was
  /// below its predecessor's. Its index is 0, whatever the server sends.
  bool is_the_one(std::int64_t index) noexcept {
    one_ = one_ && index >= last_;
    last_ = index;
    return one_;
  }
  void started(std::int64_t index) { mark(index, begun); }
  void finished(std::int64_t index) { mark(index, ended); }
  /// Whether any has begun: a retry would then not continue this answer.
  bool any() const noexcept { return !states_.empty(); }
  /// Whether an answer without choices is incomplete.
  bool needs_any() const noexcept { return least_ > 0; }
  /// Whether all requested choices, and all that began, have ended.
  bool complete() const noexcept {
    return std::ranges::count(states_, ended) >= least_ && states_.find(begun) == std::string::npos;
  }

  /// Whether an index is taken for a choice's. Larger ones, from a hostile server, are ignored.
  static constexpr bool is_index(std::int64_t index) noexcept {
    return index >= 0 && index < static_cast<std::int64_t>(wire::most_choices);
  }

 private:
  static constexpr char unseen = 0;
  static constexpr char begun = 1;
  static constexpr char ended = 2;

  void mark(std::int64_t index, char state) {
    if (!is_index(index)) return;
    const auto place = static_cast<std::size_t>(index);
    if (place >= states_.size()) states_.resize(place + 1, unseen);
    states_[place] = std::max(states_[place], state);
  }

  std::int64_t least_;
  /// The index of the last chunk that had one choice.
  std::int64_t last_{std::numeric_limits<std::int64_t>::min()};
  bool one_;
  std::string states_{};  ///< one per choice; a string, since short ones need no allocation
};

/// What an element says about the state of its answer.
enum class AnswerState : std::uint8_t {
  none,
  piece,        ///< nothing, but it is a piece of the answer
  under_way,    ///< the server will report the end of the answer
  complete,     ///< it is the last one, and the answer succeeded
  failed,       ///< it is the last one, and the answer failed
  unexplained,  ///< the answer failed, and an error that says why may follow
};

/// The operations of one element type, with the type erased.
struct ElementOps {
  /// Decodes a frame into the element. `text` is padded; `name` is the frame's, "" if it has none.
  bool (*decode)(json::Decoder& decoder, std::string_view text, std::string_view name, void* element,
                 Error& error);
  /// Makes one element from a whole answer, for servers that do not stream on request. `text` is padded;
  /// `choices` is how many the request asked for, as in ChoiceTracker.
  bool (*decode_whole)(json::Decoder& decoder, std::string_view text, std::int64_t choices, void* element,
                       Error& error);
  /// The error that the element contains in place of an answer.
  std::optional<wire::ErrorFacts> (*error_in)(const void* element);
  /// Tells the tracker which choices the element begins and ends. Numbers the element's choice if the request
  /// asked for one.
  void (*track)(void* element, ChoiceTracker& choices);
  /// The state of the answer according to the element, with an Error{response_failed} if it failed. nullptr:
  /// elements say nothing; `[DONE]` and the choices determine the end.
  AnswerState (*answer_state)(const void* element, Error& error){};
  /// Takes facts about the answer from the element, for observers.
  void (*note)(const void* element, AnswerFacts& facts);
  /// Whether the element has a part of the answer besides an error. nullptr: none does.
  bool (*answers)(const void* element){};
  /// Whether the element, decoded from a frame, is a whole answer and must be decoded as one. nullptr: none
  /// is.
  bool (*is_whole)(const void* element){};
  bool takes_null{};  ///< whether `null` is an element
};

/// The operations of `T`: in chat_elements.cpp and the like.
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
