/// \file
/// One exchange of a cassette, and its line format.
#pragma once

#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A piece of an answer's body.
struct RecordedChunk {
  std::int64_t after_ms{};  ///< since the request
  std::string bytes{};
};

struct Recording {
  std::string method{};
  std::string target{};  ///< path and query
  std::vector<Header> headers{};
  std::string body{};
  int status{};
  std::string http_version{};  ///< the version of the answer; empty in process, or if it was not recorded
  std::vector<Header> answer_headers{};
  std::vector<RecordedChunk> chunks{};
  bool broken{};  ///< the connection broke before the end
};

/// Whether a header belongs to the connection and not to the request or answer.
bool is_of_the_connection(std::string_view name);

/// Path and query of an absolute URL.
std::string target_of(std::string_view url);

/// The recording as a line, without its end. Bytes that are not UTF-8 are in base64. Secrets are "***", and
/// so are the values of all headers but those known to be harmless, or among `shown`.
std::string to_line(const Recording& recording, const std::vector<std::string>& shown);
/// Errors: decode.
Result<Recording> from_line(std::string_view line);

/// Whether a text is a JSON pointer to something inside a document.
bool is_pointer(const std::string& text);
/// The key that is equal for equal requests: without secrets, which a recording does not have; `ignore`: JSON
/// pointers into the body.
std::string key_of(const std::string& method, const std::string& target, const std::string& body,
                   const std::vector<std::string>& ignore);
/// How one body differs from another as `key_of` compares them.
struct Difference {
  std::string place{};    ///< the JSON pointer of the first difference; empty: as a whole
  std::size_t changes{};  ///< how many there are
};
Difference difference_of(const std::string& body, const std::string& other,
                         const std::vector<std::string>& ignore);

}  // namespace inferwire::inline v0_1::engine
