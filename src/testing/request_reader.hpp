/// \file
/// Parses the bytes that a client sends into requests.
#pragma once

#include "inferwire/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::testing {

/// Reads the requests of one HTTP/1.1 connection, with bodies of declared length or in chunks.
class RequestReader {
 public:
  enum class Next : std::uint8_t {
    more,        ///< the rest has not been received
    request,     ///< `request` is complete
    unreadable,  ///< no valid method, or no way to find the end of the body; nothing more can be read
  };

  /// Reads the next request from the start of `bytes`, to which callers only append. A path is appended to
  /// `base_url`.
  Next next(std::string& bytes, std::string_view base_url, HttpRequest& request);
  /// Whether the client waits for "100 Continue" before it sends the rest; true once per request.
  bool take_expectation() noexcept;

 private:
  enum class Part : std::uint8_t { head, body, chunk_size, chunk, chunk_end, trailer };

  std::optional<Next> step(std::string_view& bytes, std::string_view base_url);
  std::optional<Next> read_head(std::string_view& bytes, std::string_view base_url);
  std::optional<Next> find_end();
  std::optional<Next> read_chunk_size(std::string_view& bytes);
  bool read_bytes(std::string_view& bytes);

  Part part_{Part::head};
  HttpRequest begun_;  // without its body
  std::string body_;
  std::size_t read_{};    // bytes already read, at the beginning of the given ones
  std::uint64_t left_{};  // remaining bytes of the body, or of the chunk
  bool expectation_{};
};

}  // namespace inferwire::inline v0_1::testing
