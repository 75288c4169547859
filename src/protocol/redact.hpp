/// \file
/// Removes secrets from requests and answers before they are shown to observers.
#pragma once

#include "inferwire/transport.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::protocol {

inline constexpr std::string_view concealed = "***";

/// Replaces every occurrence of `secret` in `text` by "***", even if escaped as in JSON or in a URL, and of
/// its beginnings that have at least half of it; at the end, where the text may have been truncated, also
/// shorter ones. To tear no words apart, it conceals no secret of fewer than six characters, and no beginning
/// of fewer than twelve, or eight at the end.
void conceal(std::string& text, std::string_view secret);
/// Conceals the value of a header and, if it names a scheme ("Bearer ..."), what follows that.
void conceal_value(std::string& text, std::string_view value);

/// Conceals the values of those parameters in the query of `url` whose names are those of keys.
void conceal_parameters(std::string& text, std::string_view url);

/// Whether a member of a document, called `name`, holds a key.
bool is_secret_member(std::string_view name);
/// Whether a member called `name`, if it is an object, holds headers that a service is to send elsewhere,
/// such as to an MCP server: their values usually are keys.
bool is_headers_member(std::string_view name);
/// Whether a query parameter called `name` holds a key: services use the names of headers there, and shorter
/// ones.
bool is_secret_parameter(std::string_view name);
/// Whether the query of `url` has one.
bool has_secret_parameter(std::string_view url);
/// Whether the value of a header called `name` is known to be harmless, or is among `also`.
bool is_harmless_header(std::string_view name, std::span<const std::string> also);
/// `headers` with "***" for every value that is not harmless.
std::vector<Header> shown_headers(std::vector<Header> headers, std::span<const std::string> also);

/// The first `most` bytes of a body, cut between characters, with "***" for the values of members that hold
/// keys and for objects of headers, including those of JSON texts inside strings. It says how many bytes were
/// cut off. Never fails, whatever the bytes.
std::string shown_body(std::string_view body, std::size_t most);

/// A URL without its query.
std::string_view without_query(std::string_view url) noexcept;
/// Scheme, host and port of a URL without user name and password, for a URL whose path may be a secret too.
std::string shown_origin(std::string_view url);
/// A URL without its query and without user name and password.
std::string shown_url(std::string_view url);

}  // namespace inferwire::inline v0_1::protocol
