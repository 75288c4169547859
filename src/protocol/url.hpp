/// \file
/// URLs of services: RFC 3986, for http and https only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::protocol {

struct Url {
  std::string scheme{};  ///< "http" or "https"
  std::string host{};    ///< in lower case; an IPv6 address without its brackets
  std::uint16_t port{};  ///< 0: the scheme's own
  std::string path{};    ///< begins with a slash and does not end with one; or empty
  std::string query{};   ///< the query without the question mark

  friend bool operator==(const Url&, const Url&) = default;
};

/// Reads the URL that a service's paths are appended to. Error{config} says what is wrong with it: no scheme
/// or another one than http and https, no host, a user's name or password, a fragment, a space, a control or
/// a non-ASCII character, a path with dot segments, a port out of range. The query is not repeated in errors.
Result<Url> parse_base_url(std::string_view text);
/// Parses any URL: the errors call it "the URL".
Result<Url> parse_url(std::string_view text);
/// Whether a path with its query, which begins with a slash, may follow a URL that has neither.
Result<void> check_target(std::string_view text);

/// The parts of a URL as they are written, whether it is a good one or not.
struct UrlParts {
  std::string_view origin{};  ///< scheme, host and port; empty where there is no scheme, nor a host then
  std::string_view host{};    ///< the host with its port
  std::string_view path{};
  std::string_view query{};  ///< the query without the question mark; a fragment is no part of it
};

/// Takes a URL, or the target of a request, apart.
UrlParts split_url(std::string_view url) noexcept;

std::string to_string(const Url& url);
/// Host, and port where it is not the scheme's own.
std::string place_of(const Url& url);

/// Whether `host` can only be this machine: localhost, names below it, 127.0.0.0/8, ::1.
bool is_loopback(std::string_view host) noexcept;

/// `text` as one segment of a path: everything but unreserved characters is escaped. The segments "." and
/// "..", which servers would resolve, come out escaped too, though a server may still read them so.
std::string percent_encode_segment(std::string_view text);

}  // namespace inferwire::inline v0_1::protocol
