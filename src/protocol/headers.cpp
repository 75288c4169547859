#include "protocol/headers.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::protocol {

namespace {

constexpr auto token_characters = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<unsigned char>(c)] = true;
  for (int c = 0; c < 128; ++c) {
    const auto letter = static_cast<char>(c);
    if (ascii::is_letter(letter) || ascii::is_digit(letter)) table[static_cast<std::size_t>(c)] = true;
  }
  return table;
}();

bool is_token_character(char c) noexcept { return token_characters[static_cast<unsigned char>(c)]; }

bool breaks_its_line(std::string_view value) noexcept {
  return value.find('\r') != value.npos || value.find('\n') != value.npos || value.find('\0') != value.npos;
}

/// Makes an invalid header name printable: at most 40 characters, with '?' for unprintable ones.
std::string printable(std::string_view name) {
  std::string out(name.substr(0, 40));
  std::ranges::replace_if(out, [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

}  // namespace

Result<void> check_header(std::string_view name, std::string_view value) {
  if (!is_token(name)) {
    return Error{.kind = ErrorKind::config,
                 .detail = "the header name \"" + printable(name) + "\" is not a token as HTTP wants it"};
  }
  if (breaks_its_line(value)) {
    const bool is_key = is_secret_header(name);
    return Error{.kind = ErrorKind::config,
                 .detail = (is_key ? "the key in the header " : "the value of the header ") +
                           std::string(name) + " holds CR, LF or NUL" +
                           (is_key ? "; was the end of its line copied along?" : "")};
  }
  return {};
}

Result<void> check_headers(const std::vector<Header>& headers) {
  const auto bad = std::ranges::find_if_not(
      headers, [](const Header& header) { return is_token(header.name) && !breaks_its_line(header.value); });
  if (bad != headers.end()) return check_header(bad->name, bad->value);
  return {};
}

bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, is_token_character);
}

void remove_header(std::vector<Header>& headers, std::string_view name) {
  std::erase_if(headers,
                [name](const Header& header) { return ascii::equal_ignoring_case(header.name, name); });
}

void set_header(std::vector<Header>& headers, Header header) {
  remove_header(headers, header.name);
  headers.push_back(std::move(header));
}

void layer_headers(std::vector<Header>& headers, const std::vector<Header>& above) {
  for (const auto& header : above) remove_header(headers, header.name);
  headers.insert(headers.end(), above.begin(), above.end());
}

bool is_secret_header(std::string_view name) {
  static constexpr std::string_view endings[] = {
      // the one that most calls have first
      "authorization", "key",  "keys",   "token",      "secret",      "password", "passwd",   "-pass",
      "signature",     "auth", "cookie", "credential", "credentials", "jwt",      "assertion"};
  const auto lower = ascii::to_lower(name);
  if (lower.ends_with("idempotency-key")) return false;
  return std::ranges::any_of(endings, [&lower](auto ending) { return lower.ends_with(ending); });
}

}  // namespace inferwire::inline v0_1::protocol
