/// \file
/// Runs a stream through the SSE parser and a decoder, and counts what they allocate. Defines operator new:
/// only one file of a program may include it.
#pragma once

#include "protocol/framing/sse.hpp"

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string_view>

namespace inferwire_bench {

inline std::atomic<std::size_t> allocations{0};

}  // namespace inferwire_bench

[[gnu::noinline]] void* operator new(std::size_t size) {
  inferwire_bench::allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(size != 0 ? size : 1)) return p;
  std::abort();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace inferwire_bench {

/// Runs `stream` through the parser in pieces of the size that curl hands over, and calls `decode(data,
/// element)` for every event. Counters: events, the sum of `content_of(element)`, and the allocations per
/// event of the last pass.
template <class Element, class Decode, class ContentOf>
void run_stream(benchmark::State& state, std::string_view stream, Element& element, Decode decode,
                ContentOf content_of) {
  constexpr std::size_t piece_size = 16 * 1024;
  inferwire::protocol::SseParser parser;
  std::size_t count = 0;
  std::size_t content = 0;
  std::size_t allocated = 0;
  for (auto _ : state) {
    count = 0;
    content = 0;
    const std::size_t before = allocations.load(std::memory_order_relaxed);
    for (std::string_view rest = stream; !rest.empty();) {
      const std::string_view piece = rest.substr(0, piece_size);
      rest.remove_prefix(piece.size());
      parser.feed(piece);
      inferwire::protocol::SseEvent event;
      while (parser.next(event) == inferwire::protocol::SseParser::Next::event) {
        if (event.data == "[DONE]") continue;
        if (!decode(event.data, element)) {
          state.SkipWithError("an event was not decoded");
          return;
        }
        ++count;
        content += content_of(element);
      }
    }
    allocated = allocations.load(std::memory_order_relaxed) - before;
  }
  state.counters["events"] = static_cast<double>(count);
  state.counters["content_bytes"] = static_cast<double>(content);
  state.counters["allocations"] = static_cast<double>(allocated) / static_cast<double>(count);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * stream.size()));
}

}  // namespace inferwire_bench
