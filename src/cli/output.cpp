#include "cli/output.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace inferwire::inline v0_1::cli {

bool print(std::string_view text) noexcept {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

std::string one_line(std::string json) {
  std::replace_if(json.begin(), json.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return json;
}

void complain(std::string_view text) noexcept {
  std::fprintf(stderr, "inferwire: %.*s\n", static_cast<int>(text.size()), text.data());
}

void ignore_broken_pipes() noexcept {
#if defined(SIGPIPE)
  std::signal(SIGPIPE, SIG_IGN);
#endif
}

}  // namespace inferwire::inline v0_1::cli
