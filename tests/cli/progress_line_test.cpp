#include "cli/terminal/progress_line.hpp"

#include "support/catch.hpp"

#include <chrono>
#include <string>

using inferwire::cli::progress_line;

TEST_CASE("progress_line shows a bar of thirty columns and numbers") {
  CHECK(progress_line({.all = 3, .ended = 1}, 80) == "[##########                    ] 1 of 3");
  CHECK(progress_line({.all = 3, .ended = 3, .failed = 1}, 80) ==
        "[##############################] 3 of 3, 1 failed");
  CHECK(progress_line({.all = 3}, 80) == "[" + std::string(30, ' ') + "] 0 of 3");
}

TEST_CASE("progress_line says how long a job waits") {
  using namespace std::chrono_literals;
  CHECK(progress_line({.all = 3, .ended = 1, .wait = 20s, .repeated = 8}, 90) ==
        "[##########                    ] 1 of 3, waits 20 s for the service (8 requests repeated)");
  CHECK(progress_line({.all = 3, .failed = 1, .wait = 1s, .repeated = 1}, 73) ==
        "[     ] 0 of 3, 1 failed, waits 1 s for the service (1 request repeated)");
  CHECK(progress_line({.all = 3, .ended = 1, .wait = 4s}, 40) == "1 of 3, waits 4 s for the service");
}

TEST_CASE("WaitReports reports one wait per minute at most") {
  using namespace std::chrono_literals;
  const inferwire::TimePoint begin{1h};
  inferwire::cli::WaitReports reports;
  CHECK(reports.is_due(begin));
  CHECK_FALSE(reports.is_due(begin + 59s));
  CHECK(reports.is_due(begin + 60s));
  CHECK_FALSE(reports.is_due(begin + 61s));
}

TEST_CASE("progress_line is shorter than the terminal is wide") {
  CHECK(progress_line({.all = 3, .ended = 1}, 40) == "[##########                    ] 1 of 3");
  CHECK(progress_line({.all = 3, .ended = 1}, 22) == "[####        ] 1 of 3");
  CHECK(progress_line({.all = 3, .ended = 1}, 14) == "[#   ] 1 of 3");
  CHECK(progress_line({.all = 3, .ended = 1}, 13) == "1 of 3");
  CHECK(progress_line({.all = 3, .ended = 1}, 5) == "1 of");
  CHECK(progress_line({.all = 3, .ended = 1}, 0).empty());
}
