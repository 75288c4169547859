/// \file
/// What the stream decoder has to know of the elements of a stream, so that it can be one piece of code for
/// all.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "inferwire/error.hpp"
#include "inferwire/json.hpp"
#include "json/codec.hpp"

namespace inferwire::inline v0_1::client {

/// Which choices of an answer have begun and which have ended, by their index.
class ChoiceTracker {
 public:
  void started(std::int64_t index) noexcept { mark(started_, index); }
  void finished(std::int64_t index) noexcept {
    mark(started_, index);
    mark(finished_, index);
  }
  /// Whether every choice that was asked for, and every one that began, has ended.
  bool complete(std::int64_t expected) const noexcept {
    return static_cast<std::int64_t>(finished_.count()) >= expected && (started_ & ~finished_).none();
  }

 private:
  /// More than any provider allows; hostile indices beyond it count for nothing.
  static constexpr std::size_t most = 4096;

  static void mark(std::bitset<most>& set, std::int64_t index) noexcept {
    if (index >= 0 && index < static_cast<std::int64_t>(most)) set.set(static_cast<std::size_t>(index));
  }

  std::bitset<most> started_;
  std::bitset<most> finished_;
};

/// How to handle an element of one type, the type itself erased.
struct ElementOps {
  /// Decodes a frame over the element. `text` is padded.
  bool (*decode)(json::Decoder& decoder, std::string_view text, void* element, Error& error);
  /// Makes one element of a whole answer, for servers that do not stream when asked to. `text` is padded.
  bool (*decode_whole)(json::Decoder& decoder, std::string_view text, void* element, Error& error);
  /// The members that the element's struct does not name.
  const Extra& (*unknown)(const void* element);
  void (*track)(const void* element, ChoiceTracker& choices);
};

/// The operations of `T`; specialised beside the resource that streams it.
template <class T>
const ElementOps& element_ops();

}  // namespace inferwire::inline v0_1::client
