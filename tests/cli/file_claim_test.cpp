/// \file
/// Files that one run of the program keeps from another.

#include "cli/commands/file_claim.hpp"

#include "support/catch.hpp"
#include "support/temporary_file.hpp"

#include <cstdint>
#include <filesystem>

using inferwire::cli::FileClaim;
using inferwire_test::TemporaryFile;

TEST_CASE("a file is claimed once, however large it is") {
  const TemporaryFile file("a line\n");
  const auto size = GENERATE(std::uintmax_t{7}, std::uintmax_t{5} << 30U);
  std::filesystem::resize_file(file.path(), size);
  const FileClaim claim(file.path());
  CHECK_FALSE(claim.is_taken());
  CHECK(FileClaim(file.path()).is_taken());
}
