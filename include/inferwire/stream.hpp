/// \file
/// Streamed answers, one element at a time.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/result.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1 {

/// How a stream ended.
enum class EndReason : std::uint8_t {
  none,  ///< the stream has not ended
  /// The end marker arrived after an answer, the response reported its end, or a whole answer came instead of
  /// a stream.
  done,
  /// No end marker, but every requested choice, or the response, had finished, or a raw stream ended.
  eof_after_finish,
  failed,  ///< the last element is an Error
};
/// The name of a reason as in the enumeration: "eof_after_finish".
INFERWIRE_API std::string_view name(EndReason reason) noexcept;
/// Writes the name.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, EndReason reason) {
  return out << name(reason);
}

/// An answer, complete or partial, and the error that ended it early, if any.
template <class Response>
struct [[nodiscard]] Collected {
  Response response{};
  Optional<Error> error{};

  /// Whether the answer is complete.
  explicit operator bool() const noexcept { return !error; }
  /// The complete answer, or the error; a partial answer is dropped.
  Result<Response> result() && {
    if (error) return *std::move(error);
    return std::move(response);
  }
  Result<Response> result() const& {
    if (error) return *error;
    return response;
  }
};

namespace detail {
class StreamCore;

/// Makes streams and Pendings, whose constructors are the library's own.
struct HandleAccess {
  template <class Handle, class... Parts>
  static Handle make(Parts&&... parts) {
    return Handle(std::forward<Parts>(parts)...);
  }
};

/// The error of reading an empty stream.
INFERWIRE_API Error no_stream();
/// The metadata of an answer of which nothing is known: empty.
INFERWIRE_API const ResponseInfo& no_info() noexcept;
}  // namespace detail

/// Names the Response into which the elements of a stream are folded, and the Accumulator that folds them.
template <class T>
struct Folds;

/// A streamed answer as a range of Result<T>. The iterating thread reads from the connection; nothing is
/// received in between.
///
///     for (const auto& chunk : client.chat.stream(request)) {
///       if (!chunk) return report(chunk.error());   // an error is the last element
///       std::cout << chunk->text();
///     }
///
/// A range that ends without an error is complete. It can be read once. Destroying the stream cancels the
/// call, unless the last element of the answer has been read, and closes its connection at once, unless the
/// end of the stream has arrived. Used by one thread at a time; to cancel from another thread, use
/// `CallOptions::cancel`. An empty Stream (default-constructed or moved from) fails at once: its only element
/// is Error{config}.
template <class T>
class [[nodiscard("nothing is sent until it is read")]] Stream {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Result<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = const Result<T>*;
    using reference = const Result<T>&;

    iterator() = default;
    reference operator*() const { return *current_; }
    pointer operator->() const { return current_; }
    /// Reads the next element, which overwrites the current one.
    iterator& operator++() {
      current_ = stream_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& i, std::default_sentinel_t) { return i.current_ == nullptr; }

   private:
    friend class Stream;
    explicit iterator(Stream& stream) : stream_(&stream), current_(stream.next()) {}

    Stream* stream_{};
    const Result<T>* current_{};
  };

  /// Empty, to be assigned later.
  INFERWIRE_API Stream() noexcept;
  INFERWIRE_API Stream(Stream&&) noexcept;
  INFERWIRE_API Stream& operator=(Stream&&) noexcept;
  INFERWIRE_API ~Stream();

  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Whether this is a stream, and not empty. Stays true after the end.
  bool valid() const noexcept { return core_ != nullptr; }

  /// The next element, or nullptr after the last one; blocks until it has arrived. Valid until the next call,
  /// which reuses it.
  INFERWIRE_API const Result<T>* next() & INFERWIRE_LIFETIMEBOUND;
  /// The element would be gone with the temporary stream.
  const Result<T>* next() && = delete;

  /// Reads to the end and folds the elements into one answer. If elements were read before, they are missing
  /// from it; its error is then the stream's, or else Error{config}.
  Collected<typename Folds<T>::Response> collect() { return fold(nullptr, nullptr); }
  /// Also calls `on_element(const T&)` with each element as it arrives, on this thread:
  ///
  ///     const auto answer = client.chat.stream(request).collect(
  ///         [](const chat::Chunk& chunk) { std::cout << chunk.text() << std::flush; });
  ///
  /// An exception from `on_element` ends the call with Error{cancelled}, whose detail quotes the exception.
  template <class OnElement>
    requires std::invocable<OnElement&, const T&>
  Collected<typename Folds<T>::Response> collect(OnElement on_element) {
    return fold([](void* function, const T& element) { (*static_cast<OnElement*>(function))(element); },
                std::addressof(on_element));
  }

  /// The answer's metadata: head, request id and counts are filled in as the answer arrives, attempts and
  /// timings are available from the first element on.
  INFERWIRE_API const ResponseInfo& info() const noexcept INFERWIRE_LIFETIMEBOUND;
  /// Why the stream ended.
  INFERWIRE_API EndReason end_reason() const noexcept;

 private:
  friend struct detail::HandleAccess;

  INFERWIRE_API explicit Stream(std::unique_ptr<detail::StreamCore> core);
  INFERWIRE_API Collected<typename Folds<T>::Response> fold(void (*on_element)(void* function, const T&),
                                                            void* function);

  std::unique_ptr<detail::StreamCore> core_{};
  Result<T> element_{};
};

}  // namespace inferwire::inline v0_1
