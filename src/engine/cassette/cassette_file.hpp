/// \file
/// The file that a recorder appends to.
#pragma once

#include "inferwire/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::engine {

/// Accepts only complete lines, so that a cassette stays readable. Used by one thread at a time; several
/// objects, even in different programs, may append to one file.
class CassetteFile {
 public:
  /// Refuses a file whose first line is no recording, since it is something else, and one whose last line is
  /// incomplete: a line after it could not be read, and the rest is not
  /// ours to remove. A complete last line that only lacks its line end gets one. Errors: config.
  static Result<CassetteFile> open(const std::string& path);

  CassetteFile(CassetteFile&& other) noexcept
      : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
  CassetteFile& operator=(CassetteFile&&) = delete;
  ~CassetteFile();

  /// Writes the line and its end at once: lines that others append come before or after it. Errors: config; a
  /// partially written line is removed.
  Result<void> append(std::string line);

 private:
  CassetteFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  /// Errors: config; partial output is removed.
  Result<void> write(std::string_view text);
  bool take_back(std::size_t bytes) const noexcept;

  std::string path_;
  int descriptor_;
};

}  // namespace inferwire::inline v0_1::engine
