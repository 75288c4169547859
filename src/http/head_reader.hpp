/// \file
/// Puts the head of an answer together from its lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::http {

/// Interim answers (1xx but 101) are passed over, and so are the trailers behind a body.
class HeadReader {
 public:
  /// The head may have this many bytes, interim answers included.
  static constexpr std::size_t max_bytes = 256 * 1024;

  enum class Line : std::uint8_t {
    more,       ///< the head goes on
    complete,   ///< `head()` is whole
    switched,   ///< what follows is another protocol (101)
    too_large,  ///< more than `max_bytes`
  };

  /// Takes one line, with its line end or without.
  Line take(std::string_view line);

  /// Begins anew. The memory of the last head is kept for the next.
  void reset() noexcept;

  bool complete() const noexcept { return complete_; }
  const ResponseHead& head() const noexcept { return head_; }
  /// How long the body says it is, where that is more than `bytes`; what cannot be read as a number is the
  /// largest one.
  std::optional<std::uint64_t> longer_than(std::uint64_t bytes) const noexcept;

 private:
  void take_status(std::string_view line);
  void take_header(std::string_view line);

  ResponseHead head_;
  std::size_t bytes_{};
  bool complete_{};
};

}  // namespace inferwire::inline v0_1::http
