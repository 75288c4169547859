#include "protocol/url.hpp"

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "base/percent.hpp"

#include <algorithm>
#include <optional>

namespace inferwire::inline v0_1::protocol {

namespace {

Error bad_url(std::string_view what) {
  return {.kind = ErrorKind::config, .detail = "the URL " + std::string(what)};
}

bool is_printable(char c) noexcept { return c > ' ' && c < '\x7F'; }

bool is_host_character(char c) noexcept { return is_unreserved(c); }

bool is_address_character(char c) noexcept {  // of an IPv6 literal, with an IPv4 tail or a zone
  return ascii::is_letter(c) || ascii::is_digit(c) || c == ':' || c == '.' || c == '%';
}

/// Whether it is "." or "..", escaped or not.
bool is_dot_segment(std::string_view segment) {
  int dots = 0;
  for (; !segment.empty(); ++dots) {
    const bool escaped = ascii::equal_ignoring_case(segment.substr(0, 3), "%2e");
    if (!escaped && segment.front() != '.') return false;
    segment.remove_prefix(escaped ? 3 : 1);
  }
  return dots == 1 || dots == 2;
}

bool has_dot_segment(std::string_view path) {
  while (!path.empty()) {
    if (is_dot_segment(ascii::take_until(path, "/"))) return true;
  }
  return false;
}

/// What is wrong with the characters of a URL, or of a part of one; nullptr if they are valid.
const char* flaw_in_characters(std::string_view text) {
  if (!std::ranges::all_of(text, is_printable)) {
    return "has a space, a line break, a control or a non-ASCII character in it";
  }
  return text.find('#') == text.npos ? nullptr : "has a fragment (#)";
}

/// What is wrong with a path; nullptr if it is valid.
const char* flaw_in_path(std::string_view path) {
  if (path.find('\\') != path.npos) return "has a backslash in its path";
  return has_dot_segment(path) ? "has . or .. in its path" : nullptr;
}

std::uint16_t default_port(std::string_view scheme) noexcept { return scheme == "https" ? 443 : 80; }

std::optional<std::uint16_t> parse_port(std::string_view text) noexcept {
  const auto port = parse_integer<std::uint16_t>(text);
  return port && *port != 0 ? port : std::nullopt;
}

/// Splits "host:port" or "[address]:port"; what follows the host, colon included, stays in `authority`.
std::optional<std::string> take_host(std::string_view& authority) {
  const bool literal = authority.starts_with('[');
  const auto end = literal ? authority.find(']') : std::min(authority.find(':'), authority.size());
  if (end == authority.npos) return std::nullopt;
  const auto host = literal ? authority.substr(1, end - 1) : authority.substr(0, end);
  authority.remove_prefix(literal ? end + 1 : end);
  if (host.empty() || !std::ranges::all_of(host, literal ? is_address_character : is_host_character)) {
    return std::nullopt;
  }
  return ascii::to_lower(host);
}

}  // namespace

Result<Url> parse_base_url(std::string_view text) {
  return parse_url(text).transform_error([](Error error) {
    error.detail.replace(0, std::string_view("the URL").size(), "the base URL");
    return error;
  });
}

Result<Url> parse_url(std::string_view text) {
  if (text.empty()) return bad_url("is empty");
  if (const char* const flaw = flaw_in_characters(text)) return bad_url(flaw);
  const auto colon = text.find("://");
  if (colon == text.npos) return bad_url("has no scheme: it has to begin with https:// or http://");
  Url url;
  url.scheme = ascii::to_lower(text.substr(0, colon));
  if (url.scheme != "https" && url.scheme != "http") return bad_url("has a scheme other than https and http");
  text.remove_prefix(colon + 3);

  auto authority = text.substr(0, text.find_first_of("/?"));
  text.remove_prefix(authority.size());
  if (authority.find('@') != authority.npos) {
    return bad_url("has a user's name in it; credentials are given by the options");
  }
  auto host = take_host(authority);
  if (!host) return bad_url("has no host that could be resolved");
  url.host = *std::move(host);
  if (!authority.empty()) {
    const auto port = authority.front() == ':' ? parse_port(authority.substr(1)) : std::nullopt;
    if (!port) return bad_url("has no port between 1 and 65535 after its colon");
    url.port = *port == default_port(url.scheme) ? std::uint16_t{0} : *port;
  }

  auto path = text.substr(0, text.find('?'));
  text.remove_prefix(path.size());
  if (!text.empty()) url.query = text.substr(1);
  if (const char* const flaw = flaw_in_path(path)) return bad_url(flaw);
  while (path.ends_with('/')) path.remove_suffix(1);
  url.path = path;
  return url;
}

Result<void> check_target(std::string_view text) {
  const char* flaw = flaw_in_characters(text);
  if (flaw == nullptr) flaw = flaw_in_path(text.substr(0, text.find('?')));
  return flaw == nullptr ? Result<void>() : bad_url(flaw);
}

UrlParts split_url(std::string_view url) noexcept {
  constexpr std::string_view after_scheme = "://";
  const auto begins_path = [](char c) { return c == '/' || c == '?'; };
  UrlParts parts;
  url = url.substr(0, url.find('#'));
  // A target's query may hold a whole URL.
  const auto slash = std::ranges::find_if(url, begins_path);
  if (const auto scheme = url.find(after_scheme); scheme < static_cast<std::size_t>(slash - url.begin())) {
    const auto host = scheme + after_scheme.size();
    const auto path = std::find_if(url.begin() + static_cast<std::ptrdiff_t>(host), url.end(), begins_path);
    parts.origin = {url.begin(), path};
    parts.host = parts.origin.substr(host);
    url.remove_prefix(parts.origin.size());
  }
  parts.path = url.substr(0, url.find('?'));
  url.remove_prefix(parts.path.size());
  if (!url.empty()) parts.query = url.substr(1);
  return parts;
}

std::string to_string(const Url& url) {
  const bool literal = url.host.find(':') != url.host.npos;
  std::string out = url.scheme + "://";
  out += literal ? "[" + url.host + "]" : url.host;
  if (url.port != 0) out += ":" + std::to_string(url.port);
  out += url.path;
  if (!url.query.empty()) out += "?" + url.query;
  return out;
}

std::string place_of(const Url& url) {
  return url.port == 0 ? url.host : url.host + ":" + std::to_string(url.port);
}

}  // namespace inferwire::inline v0_1::protocol
