#include "cli/our_words.hpp"

#include "cli/terminal/output.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

/// The library's name for an option, and the program's; empty if the program has no such option. cli_test.sh
/// checks that the library still has these words.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> words{{
    {"ClientOptions::base_url", "--base-url"},
    {"ClientOptions::allow_plain_http_key", "--allow-plain-http-key"},
    {"Credential::none()", "--no-key"},
    {"ClientOptions::api_key, ", ""},
    {"SigV4Options, or ", ""},
    {"in the provider's row or SigV4Options::region, ", ""},
    {"; use Credential::callback", ""},
    {"wants NetworkOptions::proxy_user and proxy_password",
     "requires a password: put NAME:PASSWORD@ before the host in https_proxy"},
}};

}  // namespace

std::string in_our_words(std::string text) {
  for (const auto& [theirs, ours] : words) {
    for (auto at = text.find(theirs); at != text.npos; at = text.find(theirs, at + ours.size())) {
      text.replace(at, theirs.size(), ours);
    }
  }
  return text;
}

std::string in_our_words(const Error& error) {
  return error.status != 0 ? error.message() : in_our_words(error.message());
}

ExitCode fail(const Error& error) {
  complain(in_our_words(error));
  return exit_code(error);
}

}  // namespace inferwire::inline v0_1::cli
