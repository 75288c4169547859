/// \file
/// Keeps two runs of the program from writing to the same file at once.
#pragma once

#include <string>

namespace inferwire::inline v0_1::cli {

/// Locks a file during its lifetime, creating it if necessary, or prints an error if another process has
/// locked it. Has no effect on a file system without locks.
class FileClaim {
 public:
  explicit FileClaim(const std::string& path);
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
