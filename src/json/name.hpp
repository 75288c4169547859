/// \file
/// The names of members, and how a document's name is looked up in a table.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace inferwire::inline v0_1::json {

/// A name in a form that can be compared with a few instructions: its first eight bytes, its last eight, and
/// eight from the middle.
struct Name {
  std::uint64_t first{};
  std::uint64_t first_mask{};  ///< the bytes of the word that `first` uses
  std::uint64_t middle{};
  std::uint64_t last{};
  const char* text{};
  std::size_t size{};

  constexpr Name() = default;
  constexpr Name(std::string_view name) : text(name.data()), size(name.size()) {
    if (size < 8) {
      first = pack(text, size);
      first_mask = (std::uint64_t{1} << (8 * size)) - 1;
      return;
    }
    first = pack(text, 8);
    first_mask = ~std::uint64_t{0};
    last = pack(text + size - 8, 8);
    if (size > 16) middle = pack(text + (size - 8) / 2, 8);
  }
  /// Makes a Name from a name in a document; reads eight bytes at `p` regardless of the size.
  static Name in_document(const char* p, std::size_t size) noexcept {
    Name name;
    name.text = p;
    name.size = size;
    name.first = pack(p, 8);
    if (size < 8) {
      name.first &= (std::uint64_t{1} << (8 * size)) - 1;
      return name;
    }
    name.last = pack(p + size - 8, 8);
    if (size > 16) name.middle = pack(p + (size - 8) / 2, 8);
    return name;
  }

  /// Whether the document has this name, followed by its closing quote, at `p`; reads eight bytes there
  /// regardless of the size.
  bool is_key_at(const char* p) const noexcept {
    if ((pack(p, 8) & first_mask) != first || p[size] != '"') return false;
    if (size < 8) return true;
    return pack(p + size - 8, 8) == last && (size <= 16 || std::memcmp(p, text, size) == 0);
  }

  constexpr std::string_view view() const noexcept { return {text, size}; }
  constexpr std::uint64_t hash(std::uint64_t multiplier, unsigned shift) const noexcept {
    return ((first ^ std::rotl(last, 29) ^ std::rotl(middle, 47) ^ size) * multiplier) >> shift;
  }
  bool same(const Name& other) const noexcept {
    const bool likely =
        ((first ^ other.first) | (middle ^ other.middle) | (last ^ other.last) | (size ^ other.size)) == 0;
    return likely && (size <= 24 || std::memcmp(text, other.text, size) == 0);
  }

 private:
  /// Up to eight bytes as a word, whose lowest byte is the first.
  static constexpr std::uint64_t pack(const char* p, std::size_t n) noexcept {
    std::uint64_t word = 0;
    if (std::endian::native == std::endian::little && !std::is_constant_evaluated()) {
      std::memcpy(&word, p, n);
      return word;
    }
    for (std::size_t i = 0; i < n; ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
    }
    return word;
  }
};

/// A perfect hash of names, computed at compile time.
struct Index {
  std::uint64_t multiplier{};
  unsigned shift{};
  const std::uint8_t* slots{};
  static constexpr std::uint8_t nothing = 255;

  /// The index of the entry with this name; `nothing` if there is none. This was made from the names of
  /// `entries`.
  template <class Entry>
  std::uint8_t find(const Name& name, const Entry* entries) const noexcept {
    const std::uint8_t slot = slots[name.hash(multiplier, shift)];
    return slot != nothing && entries[slot].name.same(name) ? slot : nothing;
  }
};

namespace detail {

constexpr unsigned slot_bits(std::size_t names) {
  unsigned bits = 2;
  while ((std::size_t{1} << bits) < names * names / 3 && bits < 9) ++bits;
  return bits;
}

template <unsigned Bits>
struct Slots {
  std::uint64_t multiplier{};
  std::uint8_t slots[std::size_t{1} << Bits]{};

  constexpr Index index() const noexcept {
    return {.multiplier = multiplier, .shift = 64 - Bits, .slots = slots};
  }
};

/// Tries multipliers until no two names of entries share a slot. Duplicate names never succeed: not a
/// constant expression.
template <unsigned Bits, class Entry>
constexpr Slots<Bits> place(const Entry* entries, std::size_t count) {
  std::uint64_t seed = 0x9e3779b97f4a7c15;
  for (int tries = 0; tries < 100000; ++tries) {
    seed ^= seed << 13U;
    seed ^= seed >> 7U;
    seed ^= seed << 17U;
    Slots<Bits> out;
    out.multiplier = seed | 1U;
    for (auto& slot : out.slots) slot = Index::nothing;
    bool fits = true;
    for (std::size_t i = 0; i < count && fits; ++i) {
      auto& slot = out.slots[entries[i].name.hash(out.multiplier, 64 - Bits)];
      fits = slot == Index::nothing;
      slot = static_cast<std::uint8_t>(i);
    }
    if (fits) return out;
  }
  throw "two entries of a table have the same name";
}

}  // namespace detail

}  // namespace inferwire::inline v0_1::json
