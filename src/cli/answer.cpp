#include "cli/answer.hpp"

#include <array>
#include <ios>
#include <iostream>
#include <iterator>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

/// The library's name for an option, and the program's; empty if the program has no such option.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> words{{
    {"ClientOptions::base_url", "--base-url"},
    {"ClientOptions::allow_plain_http_key", "--allow-plain-http-key"},
    {"Credential::none()", "--no-key"},
    {"ClientOptions::api_key, ", ""},
    {"SigV4Options, or ", ""},
    {"in the provider's row or SigV4Options::region, ", ""},
    {"; use Credential::callback", ""},
    {"it wants NetworkOptions::proxy_user and proxy_password",
     "it requires a password: put NAME:PASSWORD@ before the host in https_proxy"},
    {"NetworkOptions::proxy_user and proxy_password", "the name and password in its URL"},
}};

}  // namespace

std::string in_our_words(const Error& error) {
  auto message = error.message();
  if (error.status != 0) return message;  // a service's own message is kept
  for (const auto& [theirs, ours] : words) {
    if (const auto at = message.find(theirs); at != message.npos) message.replace(at, theirs.size(), ours);
  }
  return message;
}

Ending ending_of(Finish finish, bool is_cancelled, bool has_text) noexcept {
  if (is_cancelled) return {api_error, "the answer was cancelled"};
  switch (finish) {
    case Finish::error: return {incomplete_stream, "the service broke the answer off"};
    case Finish::content_filter: return {api_error, "a filter of the service stopped the answer"};
    case Finish::length:
      if (has_text) return {};
      return {success, "there is no text: the limit of tokens was used up without one, perhaps by reasoning"};
    default: return {};
  }
}

std::optional<std::string> text_or_input(const std::string& text) {
  if (text != "-") return text;
  try {
    std::string input(std::istreambuf_iterator<char>(std::cin), {});
    if (input.find_first_not_of("\r\n") != input.npos) return input;
    complain("standard input is empty");
    return std::nullopt;
  } catch (const std::ios_base::failure&) {
    complain("cannot read standard input to its end");
    return std::nullopt;
  }
}

}  // namespace inferwire::inline v0_1::cli
