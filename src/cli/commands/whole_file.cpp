#include "cli/commands/whole_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <ios>
#include <system_error>

namespace inferwire::inline v0_1::cli {
namespace {

namespace fs = std::filesystem;

/// The file that `path` stands for, which may be behind a link; empty: a device, a pipe or a link to nothing.
fs::path file_at(const std::string& path) {
  std::error_code unknown;
  if (!fs::exists(fs::symlink_status(path, unknown))) return path;
  return fs::is_regular_file(path, unknown) ? fs::canonical(path, unknown) : fs::path();
}

bool write_to(std::ofstream& file, std::string_view bytes) {
  return file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())) && file.flush();
}

/// Gives `beside` the permissions of `target`, and its name.
bool take_place(const fs::path& beside, const fs::path& target) {
  std::error_code unknown;
  const auto former = fs::status(target, unknown);
  if (fs::exists(former)) fs::permissions(beside, former.permissions(), unknown);
  std::error_code failure;
  fs::rename(beside, target, failure);
  errno = failure.value();
  return !failure;
}

}  // namespace

bool write_whole(const std::string& path, std::string_view bytes) {
  if (const auto target = file_at(path); !target.empty()) {
    auto beside = target;
    beside += "." + std::to_string(::getpid()) + ".part";
    if (std::ofstream file(beside, std::ios::binary); file) {
      if (write_to(file, bytes) && take_place(beside, target)) return true;
      const int reason = errno;
      std::error_code unknown;
      fs::remove(beside, unknown);
      errno = reason;
      return false;
    }
  }
  std::ofstream file(path, std::ios::binary);
  return file && write_to(file, bytes);
}

}  // namespace inferwire::inline v0_1::cli
