/// \file
/// The bytes of an answer, in one piece and followed by padding, so that they can be decoded where they lie.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// A linear buffer. Offsets count from the first byte kept; whoever drops bytes at the front adjusts its own.
class ReceiveBuffer {
 public:
  /// What a vectorised decoder may read behind the last byte. The content there means nothing.
  static constexpr std::size_t padding = 64;

  ReceiveBuffer() = default;
  ReceiveBuffer(ReceiveBuffer&& other) noexcept;
  ReceiveBuffer& operator=(ReceiveBuffer&& other) noexcept;

  char* data() noexcept { return bytes_.get(); }
  const char* data() const noexcept { return bytes_.get(); }
  std::size_t size() const noexcept { return size_; }
  std::size_t capacity() const noexcept { return capacity_; }

  /// Adds `bytes` at the end; moves what is there only when it has to grow.
  void append(std::string_view bytes);
  /// Takes out `count` bytes at `offset`; what is behind them moves up.
  void erase(std::size_t offset, std::size_t count) noexcept;

  /// Leaves the memory of an empty buffer to whichever buffer of this thread needs some next: of thousands of
  /// streams that wait, few have something in theirs.
  void rest() noexcept;

  /// How many bytes have been moved so far, each as often as it was: what tests judge the cost by.
  std::size_t moved_bytes() const noexcept { return moved_bytes_; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_{};
  std::size_t capacity_{};
  std::size_t moved_bytes_{};
};

}  // namespace inferwire::inline v0_1::protocol
