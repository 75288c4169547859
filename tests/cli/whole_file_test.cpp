/// \file
/// Files that are written as a whole.

#include "cli/commands/whole_file.hpp"

#include "support/catch.hpp"
#include "support/temporary_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

namespace fs = std::filesystem;

using inferwire::cli::write_whole;
using inferwire::cli::WritePiece;
using inferwire_test::TemporaryFile;

namespace {

int fsync_error = 0;  // 0: it succeeds

}  // namespace

/// Takes the place of the C library's.
extern "C" int fsync(int) {
  errno = fsync_error;
  return fsync_error == 0 ? 0 : -1;
}

namespace {

/// The file in which write_whole keeps what it has written so far.
std::string name_beside(const TemporaryFile& file) {
  return file.path() + "." + std::to_string(::getpid()) + ".part";
}

/// Checks that `file` keeps its old content until the new one takes its place.
void check_replaced(const TemporaryFile& file) {
  std::string meanwhile;
  CHECK(write_whole(file.path(), [&](const WritePiece& write) {
    meanwhile = file.content();
    return write("after");
  }));
  CHECK(meanwhile == "before");
  CHECK(file.content() == "after");
  CHECK_FALSE(fs::exists(fs::symlink_status(name_beside(file))));
}

}  // namespace

TEST_CASE("write_whole gives a file its permissions before its contents") {
  const TemporaryFile file("before");
  fs::permissions(file.path(), fs::perms::owner_read | fs::perms::owner_write);
  auto beside = fs::perms::unknown;
  CHECK(write_whole(file.path(), [&](const WritePiece& write) {
    beside = fs::status(name_beside(file)).permissions();
    return write("after");
  }));
  CHECK(beside == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(file.content() == "after");
}

TEST_CASE("write_whole does not follow a link that has the name of its own file") {
  const TemporaryFile file("before"), other("other");
  fs::create_symlink(other.path(), name_beside(file));
  check_replaced(file);
  CHECK_FALSE(fs::is_symlink(file.path()));
  CHECK(other.content() == "other");
}

TEST_CASE("write_whole replaces a file as a whole though an earlier run left a part") {
  const TemporaryFile file("before");
  std::ofstream(name_beside(file)) << "left";
  check_replaced(file);
}

TEST_CASE("write_whole leaves a file alone that may not be written") {
  const TemporaryFile file("before");
  fs::permissions(file.path(), fs::perms::owner_read);
  if (::access(file.path().c_str(), W_OK) == 0) return;  // root may write every file
  CHECK_FALSE(write_whole(file.path(), [](const WritePiece& write) { return write("after"); }));
  CHECK(errno == EACCES);
  CHECK(file.content() == "before");
}

TEST_CASE("write_whole leaves a file alone if the new contents do not reach the disk") {
  const TemporaryFile file("before");
  fsync_error = GENERATE(EIO, EDQUOT);
  CHECK_FALSE(write_whole(file.path(), [](const WritePiece& write) { return write("after"); }));
  CHECK(errno == std::exchange(fsync_error, 0));
  CHECK(file.content() == "before");
  CHECK_FALSE(fs::exists(name_beside(file)));
}
