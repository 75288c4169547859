#include "cli/terminal/progress_line.hpp"

#include "support/catch.hpp"

#include <string>

using inferwire::cli::progress_line;

TEST_CASE("progress_line shows a bar of thirty columns and numbers") {
  CHECK(progress_line({.all = 3, .ended = 1}, 80) == "[##########                    ] 1 of 3");
  CHECK(progress_line({.all = 3, .ended = 3, .failed = 1}, 80) ==
        "[##############################] 3 of 3, 1 failed");
  CHECK(progress_line({.all = 3}, 80) == "[" + std::string(30, ' ') + "] 0 of 3");
}

TEST_CASE("progress_line is shorter than the terminal is wide") {
  CHECK(progress_line({.all = 3, .ended = 1}, 40) == "[##########                    ] 1 of 3");
  CHECK(progress_line({.all = 3, .ended = 1}, 22) == "[####        ] 1 of 3");
  CHECK(progress_line({.all = 3, .ended = 1}, 14) == "[#   ] 1 of 3");
  CHECK(progress_line({.all = 3, .ended = 1}, 13) == "1 of 3");
  CHECK(progress_line({.all = 3, .ended = 1}, 5) == "1 of");
  CHECK(progress_line({.all = 3, .ended = 1}, 0).empty());
}
