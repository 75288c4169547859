/// \file
/// The bytes of an answer, contiguous and followed by padding, so that they can be decoded in place.
#pragma once

#include "json/padding.hpp"

#include <cstddef>
#include <memory>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// A linear buffer. Offsets count from the first byte kept; after removing bytes at the front, callers adjust
/// their own.
class ReceiveBuffer {
 public:
  /// The number of bytes that a decoder may read after the last byte. Their values are arbitrary.
  static constexpr std::size_t padding = json::padding;

  ReceiveBuffer() = default;
  ReceiveBuffer(ReceiveBuffer&& other) noexcept;
  ReceiveBuffer& operator=(ReceiveBuffer&& other) noexcept;
  /// Leaves its memory to the next buffer, as `rest` does.
  ~ReceiveBuffer();

  char* data() noexcept { return bytes_.get(); }
  const char* data() const noexcept { return bytes_.get(); }
  std::size_t size() const noexcept { return size_; }
  std::size_t capacity() const noexcept { return capacity_; }

  /// Makes room for `bytes` in all.
  void reserve(std::size_t bytes);
  /// Appends `bytes`; moves the existing ones only if it has to grow.
  void append(std::string_view bytes);
  /// Removes `count` bytes at `offset`; the bytes after them move up.
  void erase(std::size_t offset, std::size_t count) noexcept;

  /// Leaves the memory of an empty buffer to the next buffer of this thread that needs some: among thousands
  /// of waiting streams, few have data in theirs.
  void rest() noexcept;

  /// The number of bytes moved so far, each counted as often as it was moved; tests check the cost with it.
  std::size_t moved_bytes() const noexcept { return moved_bytes_; }

 private:
  void grow(std::size_t capacity);
  void clear_padding() noexcept;

  std::unique_ptr<char[]> bytes_;
  std::size_t size_{};
  std::size_t capacity_{};
  std::size_t moved_bytes_{};
};

}  // namespace inferwire::inline v0_1::protocol
