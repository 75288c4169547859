/// \file
/// Requests out of the bytes that a client sends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::testing {

/// Reads the requests of one connection, HTTP/1.1, their bodies of a told length or in chunks.
class RequestReader {
 public:
  enum class Next : std::uint8_t {
    more,        ///< the rest has not come
    request,     ///< `request` is there as a whole
    unreadable,  ///< it has no method, or does not say where its body ends; nothing more can be read
  };

  /// Reads in `bytes`, which are appended to and otherwise its own, what has come of the next request. A path
  /// is put behind `base_url`.
  Next next(std::string& bytes, std::string_view base_url, HttpRequest& request);
  /// Whether the client sends the rest when it is told to go on; true once for each request.
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
  std::size_t read_{};    // bytes that were read, at the beginning of those given
  std::uint64_t left_{};  // bytes of the body, or of the chunk, that are to come
  bool expectation_{};
};

}  // namespace inferwire::inline v0_1::testing
