/// \file
/// Counts the bytes that are currently allocated, by us and by libcurl, regardless of resident memory.
/// Defines operator new: only one file of a program may include it. Not for use with ThreadSanitizer, which
/// has its own operator new.
#pragma once

#include <curl/curl.h>
#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace inferwire_test {

class LiveMemory {
 public:
  static std::size_t bytes() noexcept { return bytes_.load(std::memory_order_relaxed); }

  static void* allocate(std::size_t size) noexcept { return note(std::malloc(size != 0 ? size : 1)); }
  static void* allocate_zeros(std::size_t count, std::size_t size) { return note(std::calloc(count, size)); }
  static void* reallocate(void* memory, std::size_t size) noexcept {
    const auto before = size_of(memory);
    auto* const moved = std::realloc(memory, size);
    if (moved != nullptr) bytes_.fetch_sub(before, std::memory_order_relaxed);
    return note(moved);
  }
  /// Releases memory. It is not inlined, since GCC 12 would warn that free() gets memory from `new`.
  [[gnu::noinline]] static void release(void* memory) noexcept {
    bytes_.fetch_sub(size_of(memory), std::memory_order_relaxed);
    std::free(memory);
  }
  static char* copy(const char* text) {
    auto* const memory = static_cast<char*>(allocate(std::strlen(text) + 1));
    return memory == nullptr ? nullptr : std::strcpy(memory, text);
  }

 private:
  static std::size_t size_of(void* memory) noexcept { return ::malloc_usable_size(memory); }
  static void* note(void* memory) noexcept {
    bytes_.fetch_add(size_of(memory), std::memory_order_relaxed);
    return memory;
  }

  static inline std::atomic<std::size_t> bytes_{0};
};

/// Makes libcurl allocate through LiveMemory, from the beginning of the program.
inline const CURLcode curl_is_counted =
    curl_global_init_mem(CURL_GLOBAL_DEFAULT, &LiveMemory::allocate, &LiveMemory::release,
                         &LiveMemory::reallocate, &LiveMemory::copy, &LiveMemory::allocate_zeros);

}  // namespace inferwire_test

void* operator new(std::size_t size) {
  if (void* const memory = inferwire_test::LiveMemory::allocate(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return inferwire_test::LiveMemory::allocate(size);
}
void operator delete(void* memory) noexcept { inferwire_test::LiveMemory::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { operator delete(memory); }
// The standard library's array forms call these, but those of a sanitizer do not.
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& none) noexcept {
  return operator new(size, none);
}
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { operator delete(memory); }
