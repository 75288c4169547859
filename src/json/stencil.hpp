/// \file
/// The last document as a stencil for the next one. The events of a stream are the same text over and over,
/// with another piece of the answer in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::json {

/// Fixed text with holes: the places of strings and integers that have gone straight into their members and
/// decide nothing else. A document that fits is read by comparing the fixed text and filling the holes;
/// nothing of it has to be looked up, and what was valid in the fixed text still is.
class Stencil {
 public:
  /// A longer document is not kept: a stream has its stencil for as long as it lives.
  static constexpr std::size_t most_bytes = 4096;

  /// Begins anew with `text`, of which the walk tells the holes, in their order.
  void begin(std::string_view text);
  /// A string that was written to `member`, without its quotes.
  void string(std::string_view inside, std::string& member) { add(Kind::string, inside, &member); }
  /// One that was written with its quotes and escapes.
  void raw_string(std::string_view quoted, std::string& member) {
    if (quoted.size() > 2) add(Kind::raw_string, quoted, &member);
  }
  void integer(std::string_view digits, std::int64_t& member) { add(Kind::integer, digits, &member); }
  /// What was told does not hold: members have moved, or one value decided about another.
  void spoil() noexcept { text_.clear(); }

  /// Fills the holes from `text`; false, with any of them filled, where it does not fit.
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

  std::string text_{};  ///< the text of the document; empty when there is none to go by
  const char* source_{};
  std::vector<Hole> holes_{};
  std::vector<Hole> changing_{};  ///< those that have differed; the others count as fixed text
};

}  // namespace inferwire::inline v0_1::json
