#include "cli/commands/file_claim.hpp"

#include "cli/terminal/output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <ios>

namespace inferwire::inline v0_1::cli {

// O_NONBLOCK: does not wait for the reader of a pipe.
FileClaim::FileClaim(const std::string& path)
    : descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666)),
      taken_(descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
  if (taken_) complain(path + " is being written by another run");
}

FileClaim::~FileClaim() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::ofstream open_to_append(const std::string& path) {
  std::ofstream file;
  file.rdbuf()->pubsetbuf(nullptr, 0);
  file.open(path, std::ios::binary | std::ios::app);
  return file;
}

}  // namespace inferwire::inline v0_1::cli
