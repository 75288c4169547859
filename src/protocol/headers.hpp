/// \file
/// Headers: which may be sent, which override others, which are secret. Finding one: transport.hpp.
#pragma once

#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::protocol {

/// Whether a header can be sent: its name is a token (RFC 9110 5.1), and its value contains no CR, LF or NUL
/// that would allow injecting more. Error{config} names the header, never its value.
[[gnu::cold]] Result<void> check_header(std::string_view name, std::string_view value);
/// Checks all headers; returns the first error.
Result<void> check_headers(const std::vector<Header>& headers);

/// Whether `text` is a token of RFC 9110, such as a header name or a method.
bool is_token(std::string_view text) noexcept;

/// Removes every header of this name, in any case.
void remove_header(std::vector<Header>& headers, std::string_view name);
/// Sets a header, replacing those of the same name in any case.
void set_header(std::vector<Header>& headers, Header header);
/// Sets all headers of `above`, which override existing ones; several with one name in it are all kept.
void layer_headers(std::vector<Header>& headers, const std::vector<Header>& above);

/// Whether a header called `name` looks as if it carried a credential, which no log or journal may show.
/// Other headers may also carry one: where unknown headers need not be shown, use `is_harmless_header`
/// (redact.hpp).
bool is_secret_header(std::string_view name);

}  // namespace inferwire::inline v0_1::protocol
