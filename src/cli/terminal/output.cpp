#include "cli/terminal/output.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

namespace inferwire::inline v0_1::cli {

bool print(std::string_view text) noexcept {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

ExitCode output_lost() noexcept {
  if (errno == EPIPE) return reader_left;
  std::fprintf(stderr, "inferwire: cannot write standard output: %s\n", std::strerror(errno));
  return usage_error;
}

Error file_error(const std::string& path, const std::string& why) {
  return {.kind = ErrorKind::config, .detail = path + ": " + why};
}

Result<std::string> contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 8192> piece;
  while (file) {
    file.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad()) return file_error(path, "cannot be read: " + reason_in_errno());
  return text;
}

void complain(std::string_view text) noexcept {
  std::fprintf(stderr, "inferwire: %.*s\n", static_cast<int>(text.size()), text.data());
}

ExitCode fail(std::string_view text) noexcept {
  complain(text);
  return usage_error;
}

std::string reason_in_errno() { return std::generic_category().message(errno); }

ExitCode not_written(const std::string& path) {
  return fail("cannot write " + path + ": " + reason_in_errno());
}

ExitCode not_read(const std::string& path) { return fail("cannot read " + path + ": " + reason_in_errno()); }

void ignore_broken_pipes() noexcept {
#if defined(SIGPIPE)
  std::signal(SIGPIPE, SIG_IGN);
#endif
}

}  // namespace inferwire::inline v0_1::cli
