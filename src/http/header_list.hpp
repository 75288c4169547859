/// \file
/// The headers of a request in the form libcurl takes, in memory that is used again.
#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <string>
#include <vector>

#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::http {

class HeaderList {
 public:
  /// Takes over the headers of a request whose body has so many bytes, and keeps libcurl from adding such of
  /// its own that nobody asked for.
  void assign(const std::vector<Header>& headers, std::size_t body_bytes);
  /// Gives its memory back.
  void release() noexcept;
  /// Valid until the next `assign` or `release`; libcurl reads it until the request has left.
  curl_slist* get() noexcept { return nodes_.data(); }

 private:
  std::string text_;  // the lines one behind the other, each closed by NUL
  std::vector<curl_slist> nodes_;
};

}  // namespace inferwire::inline v0_1::http
