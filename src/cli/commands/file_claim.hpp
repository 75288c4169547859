/// \file
/// Keeps two runs of the program from writing to the same file at once.
#pragma once

#include <string>

namespace inferwire::inline v0_1::cli {

/// Locks a file during its lifetime, creating it if necessary. Has no effect on a file system without locks.
class FileClaim {
 public:
  explicit FileClaim(const std::string& path) noexcept;
  ~FileClaim();
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

  /// Whether another process has locked it.
  bool is_taken() const noexcept { return taken_; }

 private:
  int descriptor_;
  bool taken_;
};

}  // namespace inferwire::inline v0_1::cli
