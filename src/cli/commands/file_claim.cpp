#include "cli/commands/file_claim.hpp"

#include "cli/terminal/output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

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

}  // namespace inferwire::inline v0_1::cli
