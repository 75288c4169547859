/// \file
/// Reads JSON texts of a grammar byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "base/utf8.hpp"
#include "engine/constraint/grammar.hpp"

namespace inferwire::inline v0_1::engine {

/// Inside one of several texts: the ones from `first` to before `last` begin as what is written.
struct AtLiteral {
  std::uint32_t written{};
  std::uint32_t first{};
  std::uint32_t last{};

  friend bool operator==(const AtLiteral&, const AtLiteral&) = default;
};

struct AtString {
  enum class Next : std::uint8_t { quote, character_or_end, escaped, tail };

  Next next{};
  std::uint8_t written{};      ///< bytes of the character whose tail is next
  utf8::Lead lead{};           ///< how that character began
  std::uint32_t characters{};  ///< the whole ones before

  friend bool operator==(const AtString&, const AtString&) = default;
};

struct AtPattern {
  Pattern::State state{Pattern::nowhere};  ///< nowhere: the quote is next
  std::uint32_t bytes{};

  friend bool operator==(const AtPattern&, const AtPattern&) = default;
};

/// In an array. An element that may come next is a frame of its own.
struct AtArray {
  enum class Next : std::uint8_t { bracket, end, comma_or_end };

  Next next{};
  std::uint32_t elements{};

  friend bool operator==(const AtArray&, const AtArray&) = default;
};

/// In an object. A key that may come next is a frame of its own.
struct AtObject {
  enum class Next : std::uint8_t { brace, end, key, comma_or_end };

  Next next{};
  std::uint32_t from{};       ///< the first property that may still come
  std::uint32_t candidate{};  ///< in a key, a property that begins as what is written; there may be others
  std::uint32_t written{};    ///< bytes of the key

  friend bool operator==(const AtObject&, const AtObject&) = default;
};

/// How far a value is written, by the kind of its node.
using At = std::variant<AtLiteral, AtString, AtPattern, Digits, AtArray, AtObject>;

/// The innermost value that is being written; the ones around it are below.
struct Frame {
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  NodeId node{no_node};       ///< none: the text is whole
  std::uint32_t below{none};  ///< the place of the value around this one
  Cost rest{};                ///< tokens that the values around need once this one is whole
  std::uint32_t depth{};
  At at{};

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// All that a text so far may be: more than one where alternatives begin alike. None: it is no such text.
using Frames = std::vector<Frame>;

/// Sound, and not complete: what it accepts is a text of the grammar, in one of its spellings: without
/// spaces, properties in their order. Used by one thread at a time.
class Machine {
 public:
  explicit Machine(std::shared_ptr<const Grammar> grammar) : grammar_(std::move(grammar)) {}

  const Grammar& grammar() const noexcept { return *grammar_; }

  /// Before the first byte.
  Frames start();
  /// Computes what `from` becomes after one more byte; overwrites `to`.
  void step(const Frames& from, char byte, Frames& to);
  /// Whether the text may end here.
  bool may_end(const Frames& frames) const;
  /// The fewest tokens that end it.
  Cost left(const Frames& frames) const;
  /// Leaves out lists that have just begun and may be empty, unless they are all that there is or lie deep:
  /// what leads back to itself has to end. Says whether there were any.
  static bool drop_empty_lists(Frames& frames);
  /// A place to go back to: frames that were made since are then no longer valid.
  std::size_t mark() const noexcept { return below_.size(); }
  void release(std::size_t mark) { below_.resize(mark); }

 private:
  friend class Stepper;

  Cost left(const Frame& frame) const;
  /// Gives back what the dearest of them costs: what is found later has to cost less.
  Cost keep_cheapest(Frames& frames) const;

  std::shared_ptr<const Grammar> grammar_;
  std::vector<Frame> below_;
  Cost too_much_{unreachable};  ///< frames that cost as much are not kept
};

}  // namespace inferwire::inline v0_1::engine
