/// \file
/// The headers of a request in libcurl's form, in reused memory.
#pragma once

#include "inferwire/transport.hpp"

#include <curl/curl.h>

#include <cstddef>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::http {

class HeaderList {
 public:
  /// Copies the headers of a request whose body has `body_bytes` bytes, and keeps libcurl from adding headers
  /// that the caller did not ask for.
  [[gnu::cold]] void assign(const std::vector<Header>& headers, std::size_t body_bytes);
  /// Whether it was last assigned headers like these.
  bool holds(const std::vector<Header>& headers, std::size_t body_bytes) const;
  /// Frees its memory.
  void release() noexcept;
  /// Valid until the next `assign` or `release`; libcurl reads it until the request has been sent.
  curl_slist* get() noexcept { return nodes_.data(); }

 private:
  std::string text_;  // the lines, each terminated by NUL
  std::vector<curl_slist> nodes_;
  std::vector<Header> headers_;  // what the lines say
  bool is_complete_{};           // false: there are no lines, or memory ran out
  bool has_long_body_{};
};

}  // namespace inferwire::inline v0_1::http
