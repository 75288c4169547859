/// \file
/// Assembles the head of an answer from its lines.
#pragma once

#include "inferwire/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::http {

/// Interim answers (1xx except 101) are skipped, and so are trailers after a body.
class HeadReader {
 public:
  /// The maximum size of the head, including interim answers and trailers (which libcurl keeps).
  static constexpr std::size_t max_bytes = 256 * 1024;

  enum class Line : std::uint8_t {
    more,       ///< the head goes on
    complete,   ///< `head()` is complete
    switched,   ///< what follows is another protocol (101)
    too_large,  ///< more than `max_bytes`
  };

  /// Takes one line, with or without its line end.
  Line take(std::string_view line);

  /// Starts over, keeping the memory of the last head.
  void reset() noexcept;
  /// Frees the headers of a complete head.
  void release_headers() noexcept { [[maybe_unused]] const auto freed = std::move(head_.headers); }

  /// For ResponseHead::connection_reused of a complete head.
  void set_connection_reused(bool reused) noexcept { head_.connection_reused = reused; }

  /// Whether the next line is the first behind a status line, or may be.
  bool expects_first_header() const noexcept {
    return has_status_line_ && !complete_ && head_.headers.empty();
  }
  bool complete() const noexcept { return complete_; }
  const ResponseHead& head() const noexcept { return head_; }
  /// The Content-Length if it is greater than `bytes`; the largest number if it cannot be read as one.
  std::optional<std::uint64_t> longer_than(std::uint64_t bytes) const noexcept;

 private:
  void take_status(std::string_view line);
  void take_header(std::string_view line);

  ResponseHead head_;
  std::size_t bytes_{};
  bool has_status_line_{};  ///< the lines that follow are headers, even if one begins like a status line
  bool complete_{};
};

}  // namespace inferwire::inline v0_1::http
