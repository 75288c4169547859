/// \file
/// Files that runs of the program append to, one run at a time.
#pragma once

#include <fstream>
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

/// Opens a file to append to, or makes a new one. What could not be written whole, as on a full disk, is not
/// written again, behind its beginning, when the file is closed.
std::ofstream open_to_append(const std::string& path);

}  // namespace inferwire::inline v0_1::cli
