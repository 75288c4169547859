/// \file
/// Uses the last document as a stencil for the next one. The events of a stream are mostly the same text,
/// each with another piece of the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::json {

/// Fixed text with holes: strings and integers that were copied directly into their members and affect
/// nothing else. A document that fits is read by comparing the fixed text and filling the holes; no names are
/// looked up, and the fixed text is known to be valid.
class Stencil {
 public:
  /// A longer document is not kept: a stream keeps its stencil for its whole life.
  static constexpr std::size_t most_bytes = 4096;

  /// Starts over with `text`; the walk then reports the holes in order.
  void begin(std::string_view text);
  /// Reports a string that was written to `member`, without its quotes.
  void string(std::string_view inside, std::string& member) { add(Kind::string, inside, &member); }
  /// Reports a string that was written with its quotes and escapes.
  void raw_string(std::string_view quoted, std::string& member) {
    if (quoted.size() > 2) add(Kind::raw_string, quoted, &member);
  }
  void integer(std::string_view digits, std::int64_t& member) { add(Kind::integer, digits, &member); }
  /// Invalidates the stencil: members have moved, or one value affected another.
  void spoil() noexcept { text_.clear(); }

  /// Fills the holes from `text`; false, with any of them filled, if it does not fit.
  bool fill(std::string_view text);

 private:
  enum class Kind : std::uint8_t { string, raw_string, integer };
  struct Hole {
    std::uint16_t begin;
    std::uint16_t end;
    Kind kind;
    void* member;
  };

  void add(Kind kind, std::string_view value, void* member);
  bool find_changing(std::size_t next, std::size_t from, std::string_view text);
  bool decides(const Hole& hole) const noexcept;
  static std::size_t fill(const Hole& hole, std::string_view text);

  std::string text_{};  ///< the text of the document; empty: there is no stencil
  const char* source_{};
  std::vector<Hole> holes_{};
  std::vector<Hole> changing_{};  ///< those that have differed; the others count as fixed text
};

}  // namespace inferwire::inline v0_1::json
