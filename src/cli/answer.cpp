#include "cli/answer.hpp"

#include <array>
#include <ios>
#include <iostream>
#include <iterator>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

/// The library's name for an option, and the program's; empty if the program has no such option.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> words{{
    {"ClientOptions::base_url", "--base-url"},
    {"ClientOptions::allow_plain_http_key", "--allow-plain-http-key"},
    {"Credential::none()", "--no-key"},
    {"ClientOptions::api_key, ", ""},
    {"SigV4Options, or ", ""},
    {"in the provider's row or SigV4Options::region, ", ""},
    {"; use Credential::callback", ""},
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

std::optional<std::string> text_or_input(const std::string& text) {
  if (text != "-") return text;
  try {
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
  } catch (const std::ios_base::failure&) {
    complain("cannot read standard input to its end");
    return std::nullopt;
  }
}

}  // namespace inferwire::inline v0_1::cli
