/// \file
/// Files that runs of the program append to.

#include "cli/commands/file_claim.hpp"

#include "support/catch.hpp"
#include "support/temporary_file.hpp"

#include <sys/resource.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <ios>
#include <ostream>

using inferwire::cli::FileClaim;
using inferwire::cli::open_to_append;
using inferwire_test::TemporaryFile;

TEST_CASE("a file is claimed once, however large it is") {
  const TemporaryFile file("a line\n");
  const auto size = GENERATE(std::uintmax_t{7}, std::uintmax_t{5} << 30U);
  std::filesystem::resize_file(file.path(), size);
  const FileClaim claim(file.path());
  CHECK_FALSE(claim.is_taken());
  CHECK(FileClaim(file.path()).is_taken());
}

TEST_CASE("what did not fit on the disk is not appended when there is room again") {
  const TemporaryFile file;
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit four_bytes{.rlim_cur = 4, .rlim_max = before.rlim_max};
  auto* const on_excess = std::signal(SIGXFSZ, SIG_IGN);
  {
    auto out = open_to_append(file.path());
    ::setrlimit(RLIMIT_FSIZE, &four_bytes);
    CHECK_FALSE(out << "a line\n" << std::flush);
    ::setrlimit(RLIMIT_FSIZE, &before);
  }
  std::signal(SIGXFSZ, on_excess);
  CHECK(file.content() == "a li");
}
