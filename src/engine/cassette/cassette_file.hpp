/// \file
/// The file that a recorder appends to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::engine {

/// Takes whole lines only, so that a cassette stays readable. Used by one thread at a time; several of them,
/// in other programs too, may append to one file.
class CassetteFile {
 public:
  /// Nothing is written to a file whose last line is not whole: a line behind it could not be read, and what
  /// is there is not ours to cut off. A whole one that only lacks its end gets it. Errors: config.
  static Result<CassetteFile> open(const std::string& path);

  CassetteFile(CassetteFile&& other) noexcept
      : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
  CassetteFile& operator=(CassetteFile&&) = delete;
  ~CassetteFile();

  /// Writes the line and its end at once: what others append comes before or behind it. Errors: config; what
  /// was written of the line is taken back.
  Result<void> append(std::string line);

 private:
  CassetteFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  /// Errors: config; what was written is taken back.
  Result<void> write(std::string_view text);
  bool take_back(std::size_t bytes) const noexcept;

  std::string path_;
  int descriptor_;
};

}  // namespace inferwire::inline v0_1::engine
