/// \file
/// Captures what is written to the standard error stream.
#pragma once

#include "support/catch.hpp"

#include <unistd.h>

#include <cstdio>
#include <string>

namespace inferwire_test {

/// Redirects the standard error stream to a temporary file from its construction on.
class CapturedStderr {
 public:
  CapturedStderr() : file_(std::tmpfile()), usual_(::dup(STDERR_FILENO)) {
    REQUIRE(file_ != nullptr);
    std::fflush(stderr);
    ::dup2(::fileno(file_), STDERR_FILENO);
  }
  ~CapturedStderr() {
    restore();
    std::fclose(file_);
  }
  CapturedStderr(const CapturedStderr&) = delete;
  CapturedStderr& operator=(const CapturedStderr&) = delete;

  /// Ends the capture, and returns everything that was written.
  std::string take() {
    restore();
    std::rewind(file_);
    std::string text;
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) text += static_cast<char>(c);
    return text;
  }

 private:
  void restore() {
    if (usual_ < 0) return;
    std::fflush(stderr);
    ::dup2(usual_, STDERR_FILENO);
    ::close(usual_);
    usual_ = -1;
  }

  std::FILE* file_;
  int usual_;
};

}  // namespace inferwire_test
