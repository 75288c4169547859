/// \file
/// A map from 64-bit keys to 32-bit numbers: filled once, then only read.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Open addressing with linear probing, grown at half load. With std::unordered_map, the map took most of
/// the tokenizer's learning time.
class FlatIndex {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  explicit FlatIndex(std::size_t expected_keys = 8) : slots_(std::bit_ceil(2 * expected_keys + 2)) {}

  /// The number stored under `key`, or `none`.
  std::uint32_t find(std::uint64_t key) const noexcept { return slots_[slot_of(key)].value; }

  /// The number stored under `key`; stores `value` (never `none`) first if there was none.
  std::uint32_t find_or_insert(std::uint64_t key, std::uint32_t value) {
    std::size_t slot = slot_of(key);
    if (slots_[slot].value != none) return slots_[slot].value;
    if (2 * (size_ + 1) > slots_.size()) {
      grow();
      slot = slot_of(key);
    }
    slots_[slot] = {key, value};
    ++size_;
    return value;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = none;
  };

  /// The slot that holds `key`, or would hold it.
  std::size_t slot_of(std::uint64_t key) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = key * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32U;
    std::size_t slot = static_cast<std::size_t>(hash) & mask;
    while (slots_[slot].value != none && slots_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& entry : old) {
      if (entry.value != none) slots_[slot_of(entry.key)] = entry;
    }
  }

  std::vector<Slot> slots_;  // size is a power of two
  std::size_t size_ = 0;
};

}  // namespace inferwire::inline v0_1::engine
