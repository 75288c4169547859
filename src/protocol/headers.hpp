/// \file
/// Headers: what may be sent, which go before others, which are secret. Finding one: transport.hpp.
#pragma once

#include <string_view>
#include <vector>

#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::protocol {

/// Whether a header can be sent: its name is a token (RFC 9110 5.1), its value holds no CR, LF or NUL, so
/// that nothing can be smuggled behind it. Error{config} names the header, never its value.
Result<void> check_header(std::string_view name, std::string_view value);
/// The first error of all of them.
Result<void> check_headers(const std::vector<Header>& headers);

/// Whether `text` is a token of RFC 9110: the name of a header, a method.
bool is_token(std::string_view text) noexcept;

/// Removes every header of this name, in any case.
void remove_header(std::vector<Header>& headers, std::string_view name);
/// Sets a header: those of the same name, in any case, make room for it.
void set_header(std::vector<Header>& headers, Header header);
/// Sets every header of `above`, so that the upper layer wins; several of one name in it are all kept.
void layer_headers(std::vector<Header>& headers, const std::vector<Header>& above);

/// Whether a header called `name` is there for a credential by the look of it, which no log or journal may
/// show. A credential may be in a header of any other name, too: where nobody needs to see unknown headers,
/// `is_harmless_header` (redact.hpp) is the question.
bool is_secret_header(std::string_view name);

}  // namespace inferwire::inline v0_1::protocol
