#include "protocol/framing/receive_buffer.hpp"

#include "base/per_thread.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace inferwire::inline v0_1::protocol {

namespace {
// Holds an event or two, since thousands of streams may receive something at the same time; 1 KB with its
// padding, a size that allocators have in stock. Doubles as it grows, so that moving stays linear in total.
constexpr std::size_t first_capacity = 1024 - ReceiveBuffer::padding;
// Larger buffers are freed.
constexpr std::size_t largest_spare = 256 * 1024;

struct Spare {
  std::unique_ptr<char[]> bytes{};
  std::size_t capacity{};
};
constinit thread_local PerThread<Spare> kept_spare;

}  // namespace

ReceiveBuffer::ReceiveBuffer(ReceiveBuffer&& other) noexcept
    : bytes_(std::move(other.bytes_)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)),
      moved_bytes_(other.moved_bytes_) {}

ReceiveBuffer& ReceiveBuffer::operator=(ReceiveBuffer&& other) noexcept {
  bytes_ = std::move(other.bytes_);
  size_ = std::exchange(other.size_, 0);
  capacity_ = std::exchange(other.capacity_, 0);
  moved_bytes_ = other.moved_bytes_;
  return *this;
}

ReceiveBuffer::~ReceiveBuffer() {
  size_ = 0;
  rest();
}

void ReceiveBuffer::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  grow(bytes);
  clear_padding();
}

void ReceiveBuffer::append(std::string_view bytes) {
  if (bytes.empty()) return;
  if (bytes.size() > capacity_ - size_) {
    grow(std::max({first_capacity, 2 * (capacity_ + padding) - padding, size_ + bytes.size()}));
  }
  std::memcpy(bytes_.get() + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
  clear_padding();
}

/// Decoders look at it: tools that watch memory would report that it has no value.
void ReceiveBuffer::clear_padding() noexcept { std::memset(bytes_.get() + size_, 0, padding); }

/// Takes the memory that another buffer left if that is large enough.
void ReceiveBuffer::grow(std::size_t capacity) {
  if (auto& spare = kept_spare.get(); capacity_ == 0 && spare.capacity >= capacity) {
    bytes_ = std::move(spare.bytes);
    capacity_ = std::exchange(spare.capacity, 0);
    return;
  }
  std::unique_ptr<char[]> larger(new char[capacity + padding]);
  if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
  moved_bytes_ += size_;
  bytes_ = std::move(larger);
  capacity_ = capacity;
}

void ReceiveBuffer::erase(std::size_t offset, std::size_t count) noexcept {
  if (count == 0) return;
  std::memmove(bytes_.get() + offset, bytes_.get() + offset + count, size_ - offset - count);
  size_ -= count;
  moved_bytes_ += size_ - offset;
}

void ReceiveBuffer::rest() noexcept {
  if (size_ != 0 || capacity_ == 0) return;
  if (auto& spare = kept_spare.get(); capacity_ > spare.capacity && capacity_ <= largest_spare) {
    std::swap(bytes_, spare.bytes);
    std::swap(capacity_, spare.capacity);
  }
  bytes_.reset();
  capacity_ = 0;
}

}  // namespace inferwire::inline v0_1::protocol
