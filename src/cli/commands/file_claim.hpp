/// \file
/// Keeps a second run of the program from writing to the file that a first one writes to.
#pragma once

#include <string>

namespace inferwire::inline v0_1::cli {

/// Holds a file while it lives, and makes it where there is none. A file system without locks goes without.
class FileClaim {
 public:
  explicit FileClaim(const std::string& path) noexcept;
  ~FileClaim();
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

  /// Whether another program holds it.
  bool is_taken() const noexcept { return taken_; }

 private:
  int descriptor_;
  bool taken_;
};

}  // namespace inferwire::inline v0_1::cli
