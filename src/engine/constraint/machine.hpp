/// \file
/// Reads the JSON texts of a grammar byte by byte.
#pragma once

#include "base/utf8.hpp"
#include "engine/constraint/grammar.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Inside one of several texts: those in [`first`, `last`) begin with what has been written.
struct AtLiteral {
  std::uint32_t written{};
  std::uint32_t first{};
  std::uint32_t last{};

  friend bool operator==(const AtLiteral&, const AtLiteral&) = default;
};

struct AtString {
  enum class Next : std::uint8_t { quote, character_or_end, escaped, tail };

  Next next{};
  std::uint8_t written{};      ///< bytes so far of a character whose continuation is next
  utf8::Lead lead{};           ///< the first byte of that character
  std::uint32_t characters{};  ///< complete characters so far

  friend bool operator==(const AtString&, const AtString&) = default;
};

struct AtPattern {
  Pattern::State state{Pattern::nowhere};  ///< nowhere: the opening quote is next
  std::uint32_t bytes{};

  friend bool operator==(const AtPattern&, const AtPattern&) = default;
};

/// In an array. An element that may come next has a frame of its own.
struct AtArray {
  enum class Next : std::uint8_t { bracket, end, comma_or_end };

  Next next{};
  std::uint32_t elements{};

  friend bool operator==(const AtArray&, const AtArray&) = default;
};

/// In an object. A key that may come next has a frame of its own.
struct AtObject {
  enum class Next : std::uint8_t { brace, end, key, comma_or_end };

  Next next{};
  std::uint32_t from{};       ///< the first property that may still come
  std::uint32_t candidate{};  ///< in a key: one of the properties that begin with what is written
  std::uint32_t written{};    ///< bytes of the key so far

  friend bool operator==(const AtObject&, const AtObject&) = default;
};

/// How much of a value has been written, by the kind of its node.
using At = std::variant<AtLiteral, AtString, AtPattern, Digits, AtArray, AtObject>;

/// The innermost value that is being written; the values around it are below it.
struct Frame {
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  NodeId node{no_node};       ///< no_node: the text is complete
  std::uint32_t below{none};  ///< index of the enclosing value
  Cost rest{};                ///< tokens that the enclosing values need once this one is complete
  std::uint32_t depth{};
  At at{};

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// All readings of a text so far: several if alternatives begin alike, none if it is not in the grammar.
using Frames = std::vector<Frame>;

/// Sound but not complete: it accepts only texts of the grammar, and these only without spaces and with
/// properties in order. Used by one thread at a time.
class Machine {
 public:
  explicit Machine(std::shared_ptr<const Grammar> grammar) : grammar_(std::move(grammar)) {}

  const Grammar& grammar() const noexcept { return *grammar_; }

  /// The frames before the first byte.
  Frames start();
  /// Computes the frames after one more byte; overwrites `to`.
  void step(const Frames& from, char byte, Frames& to);
  /// Whether the text may end here.
  bool may_end(const Frames& frames) const;
  /// The fewest tokens that complete the text.
  Cost left(const Frames& frames) const;
  /// Removes frames of lists that would end empty, unless there are no others. Deep lists are kept, since
  /// recursion has to end. Returns whether any were removed.
  static bool drop_empty_lists(Frames& frames);
  /// A state to return to by `release`, which invalidates the frames made since.
  std::size_t mark() const noexcept { return below_.size(); }
  void release(std::size_t mark) { below_.resize(mark); }

 private:
  friend class Stepper;

  Cost left(const Frame& frame) const;
  /// Returns the cost of the most expensive frame kept: frames found later have to cost less.
  Cost keep_cheapest(Frames& frames) const;

  std::shared_ptr<const Grammar> grammar_;
  std::vector<Frame> below_;
  Cost too_much_{unreachable};  ///< frames of this cost or more are not kept
};

}  // namespace inferwire::inline v0_1::engine
