#include "engine/cassette/cassette_file.hpp"

#if defined(__unix__) || defined(__APPLE__)

#include "engine/cassette/recording.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace inferwire::inline v0_1::engine {
namespace {

Error unwritable(const std::string& path, int code) {
  return {.kind = ErrorKind::config,
          .detail = "the cassette cannot be written: " + path + ": " + std::generic_category().message(code)};
}

/// Prevents other recorders from writing to the file while this lives: a partially written line looks like a
/// broken one. On a file system without locks it does nothing.
class FileLock {
 public:
  explicit FileLock(int descriptor) noexcept : descriptor_(descriptor) {
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {}
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() { ::flock(descriptor_, LOCK_UN); }

 private:
  int descriptor_;
};

/// Whether `path` is a file whose first line that is not blank is no recording.
bool is_something_else(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    if (line.find_first_not_of(" \t\r") != line.npos) return !from_line(line);
  }
  return false;
}

/// The text after the last line end; empty: none, or `path` is not a file that can be read again.
std::string unfinished_line(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::ifstream file(path, std::ios::binary);
  char last = '\n';
  if (!file.seekg(-1, std::ios::end) || !file.get(last) || last == '\n') return {};
  file.seekg(0);
  std::string line;
  while (std::getline(file, line)) {}
  return line;
}

}  // namespace

Result<CassetteFile> CassetteFile::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return unwritable(path, errno);
  CassetteFile file(path, descriptor);
  const FileLock lock(descriptor);
  if (is_something_else(path)) {
    return Error{.kind = ErrorKind::config,
                 .detail = path + " is no cassette: its first line is no recording, or not whole"};
  }
  const auto unfinished = unfinished_line(path);
  if (unfinished.empty()) return file;
  if (!from_line(unfinished)) {
    return Error{.kind = ErrorKind::config,
                 .detail = "the last line of the cassette is not whole, take it out first: " + path};
  }
  if (auto ended = file.write("\n"); !ended) return std::move(ended).error();
  return file;
}

CassetteFile::~CassetteFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> CassetteFile::append(std::string line) {
  line += '\n';
  const FileLock lock(descriptor_);
  return write(line);
}

Result<void> CassetteFile::write(std::string_view text) {
  for (std::size_t written = 0; written < text.size();) {
    const auto count = ::write(descriptor_, text.data() + written, text.size() - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      auto error = unwritable(path_, errno);
      if (!take_back(written)) error.detail += "; its last line is not whole";
      return error;
    }
  }
  return {};
}

/// Removes the last bytes again, unless something was appended after them.
bool CassetteFile::take_back(std::size_t bytes) const noexcept {
  if (bytes == 0) return true;
  struct stat now{};
  const auto end = ::lseek(descriptor_, 0, SEEK_CUR);
  return ::fstat(descriptor_, &now) == 0 && now.st_size == end &&
         ::ftruncate(descriptor_, end - static_cast<off_t>(bytes)) == 0;
}

}  // namespace inferwire::inline v0_1::engine

#else

namespace inferwire::inline v0_1::engine {

Result<CassetteFile> CassetteFile::open(const std::string& path) {
  return Error{.kind = ErrorKind::unsupported,
               .detail = "the cassette cannot be written: " + path + ": this system is not POSIX"};
}

CassetteFile::~CassetteFile() = default;

Result<void> CassetteFile::append(std::string) { return {}; }  // none is ever open

}  // namespace inferwire::inline v0_1::engine

#endif
