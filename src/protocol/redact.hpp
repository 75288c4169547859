/// \file
/// What may be shown of requests and answers to whoever watches: no secret.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::protocol {

inline constexpr std::string_view concealed = "***";

/// Writes "***" over every occurrence of `secret` in `text`, also one that JSON escapes, and over the first
/// part of one at its end: a text may have been cut inside of it. A secret of fewer than six characters is
/// left alone, since it would tear words apart, and so is a part of fewer than eight.
void conceal(std::string& text, std::string_view secret);
/// Conceals the value of a header and, if it names a scheme ("Bearer ..."), what is behind that.
void conceal_value(std::string& text, std::string_view value);

/// Conceals what the query of `url` holds in parameters whose names are those of keys.
void conceal_parameters(std::string& text, std::string_view url);

/// Whether a member of a document, called `name`, holds a key.
bool is_secret_member(std::string_view name);
/// Whether a parameter of a query, called `name`, holds a key: services have names there as for headers, and
/// shorter ones.
bool is_secret_parameter(std::string_view name);
/// Whether the query of `url` has one.
bool has_secret_parameter(std::string_view url);
/// Whether the value of a header called `name` is known to be harmless, or is among `also`.
bool is_harmless_header(std::string_view name, std::span<const std::string> also);
/// `headers` with "***" for every value that is not harmless.
std::vector<Header> shown_headers(std::vector<Header> headers, std::span<const std::string> also);

/// The first `most` bytes of a body, cut between characters, with "***" for the values of members that hold
/// keys; members of JSON texts inside strings too. What was cut off is told in bytes. Never fails, whatever
/// bytes it gets.
std::string shown_body(std::string_view body, std::size_t most);

/// A URL without its query.
std::string_view without_query(std::string_view url) noexcept;
/// A URL without its query, and without a user's name and password.
std::string shown_url(std::string_view url);

}  // namespace inferwire::inline v0_1::protocol
