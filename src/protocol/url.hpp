/// \file
/// URLs of services: RFC 3986, for http and https only.
#pragma once

#include "inferwire/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

struct Url {
  std::string scheme{};  ///< "http" or "https"
  std::string host{};    ///< in lower case; an IPv6 address without its brackets
  std::uint16_t port{};  ///< 0: the scheme's default
  std::string path{};    ///< begins with a slash and does not end with one; or empty
  std::string query{};   ///< the query without the question mark

  friend bool operator==(const Url&, const Url&) = default;
};

/// Parses the URL that a service's paths are appended to. Error{config} says what is wrong with it: a scheme
/// that is missing or neither http nor https, no host, a user name or password, a fragment, a space, a
/// control or non-ASCII character, a path with dot segments, a port out of range. Errors do not repeat the
/// query.
[[gnu::cold]] Result<Url> parse_base_url(std::string_view text);
/// Parses any URL; errors call it "the URL".
Result<Url> parse_url(std::string_view text);
/// Whether a path with its query, which begins with a slash, may follow a URL that has neither.
Result<void> check_target(std::string_view text);

/// The parts of a URL as they are written, whether it is valid or not.
struct UrlParts {
  std::string_view origin{};  ///< scheme, host and port; empty, like `host`, if there is no scheme
  std::string_view host{};    ///< the host with its port
  std::string_view path{};
  std::string_view query{};  ///< the query without the question mark and without a fragment
};

/// Splits a URL, or the target of a request, into its parts.
UrlParts split_url(std::string_view url) noexcept;

[[gnu::cold]] std::string to_string(const Url& url);
/// Host, and port if it is not the scheme's default.
std::string place_of(const Url& url);

}  // namespace inferwire::inline v0_1::protocol
