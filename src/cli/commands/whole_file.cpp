#include "cli/commands/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
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

bool write_to(std::ofstream& file, const std::function<bool(const WritePiece&)>& contents) {
  return contents([&file](std::string_view piece) {
           return static_cast<bool>(file.write(piece.data(), static_cast<std::streamsize>(piece.size())));
         }) &&
         file.flush();
}

/// Makes an empty file with the permissions of `target`, if that exists. At no time can it be read by others
/// than `target` can: whoever has opened it may read what is written later. Replaces what an earlier process
/// of this number left there, be it a link, which is not followed.
bool make_beside(const fs::path& beside, const fs::path& target) {
  std::error_code unknown;
  const auto former = fs::status(target, unknown);
  const auto mode =
      fs::exists(former) ? static_cast<mode_t>(former.permissions() & fs::perms::all) : mode_t{0666};
  ::unlink(beside.c_str());
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0) return false;
  ::close(file);
  if (fs::exists(former)) fs::permissions(beside, former.permissions(), unknown);  // what umask took away
  return true;
}

/// Whether the contents of a file are on the disk. Some file systems say only now that they are full, and
/// after a crash of the machine others would have the file's new name without its contents.
bool is_on_disk(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_there = ::fsync(descriptor) == 0;
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return is_there;
}

/// Gives `beside` the name of `target`.
bool take_place(const fs::path& beside, const fs::path& target) {
  std::error_code failure;
  fs::rename(beside, target, failure);
  return !failure;
}

bool is_full(int reason) noexcept { return reason == ENOSPC || reason == EDQUOT || reason == EFBIG; }

}  // namespace

bool write_whole(const std::string& path, const std::function<bool(const WritePiece&)>& contents) {
  if (::access(path.c_str(), W_OK) != 0 && errno != ENOENT) return false;
  if (const auto target = file_at(path); !target.empty()) {
    auto beside = target;
    beside += "." + std::to_string(::getpid()) + ".part";
    std::ofstream file;
    if (make_beside(beside, target)) file.open(beside, std::ios::binary);
    const bool was_made = file.is_open();
    const bool written = was_made && write_to(file, contents) && is_on_disk(beside);
    const int reason = errno;
    if (written && take_place(beside, target)) return true;
    file.close();
    std::error_code unknown;
    fs::remove(beside, unknown);
    errno = reason;
    if (!written && (was_made || is_full(reason))) return false;
  }
  // No file can be put beside it or take its place, as is the case if it is mounted alone.
  std::ofstream file(path, std::ios::binary);
  return file && write_to(file, contents);
}

}  // namespace inferwire::inline v0_1::cli
