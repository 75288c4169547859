/// \file
/// Reads JSON texts of a grammar byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/constraint/grammar.hpp"

namespace inferwire::inline v0_1::engine {

/// The innermost value that is being written; the ones around it are below. What the numbers mean depends on
/// the node.
struct Frame {
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  NodeId node{no_node};       ///< none: the text is whole
  std::uint32_t below{none};  ///< the place of the value around this one
  Cost rest{};                ///< tokens that the values around need once this one is whole
  std::uint32_t depth{};
  std::uint8_t phase{};
  std::uint32_t count{};
  std::uint32_t first{};
  std::uint32_t last{};
  Digits digits{};

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
  /// What `from` becomes by one byte more; `to` is written over.
  void step(const Frames& from, char byte, Frames& to);
  /// Whether the text may end here.
  bool may_end(const Frames& frames) const;
  /// The fewest tokens that end it.
  Cost left(const Frames& frames) const;
  /// Leaves out lists that have just begun and may be empty, unless they are all that there is or lie deep:
  /// what leads back to itself has to end. Says whether there were any.
  bool drop_empty_lists(Frames& frames) const;
  /// Whether, in a frame of a FreeString, a character or the string's end comes next.
  static bool is_between_characters(const Frame& frame) noexcept;

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
