#!/usr/bin/env bash
# Which lines of src/ the tests reach, the program left out: a summary here, the lines in build/coverage/report.
#
# usage: .ci/coverage.sh [test program]...      without a name, all of them
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh
need_packages "${inferwire_build_packages[@]}" "${inferwire_test_packages[@]}" gcovr

cmake --preset coverage "${inferwire_cmake_options[@]}" >/dev/null
find build/coverage -name '*.gcda' -delete
least=()
if (($# > 0)); then
  cmake --build --preset coverage --target "$@"
  ctest --test-dir build/coverage -j2 --output-on-failure -R "^($(IFS='|'; echo "$*")):" -E '^package:' | tail -n 5
else
  least=(--fail-under-line 95)
  cmake --build --preset coverage
  ctest --test-dir build/coverage -j2 --output-on-failure -LE 'package|structure' | tail -n 5
fi
mkdir -p build/coverage/report
# As a table for awk: gcovr's report for people breaks the line behind a long name.
gcovr --root . --object-directory build/coverage --filter 'src/' --exclude 'src/cli/' --exclude-throw-branches \
  --gcov-ignore-parse-errors --html-details build/coverage/report/index.html --print-summary "${least[@]}" \
  --csv build/coverage/report/lines.csv
awk -F, 'NR > 1 { split($1, part, "/"); room = part[1] "/" part[2]; lines[room] += $2; reached[room] += $3 }
  END { for (room in lines) printf "%-14s %5.1f %% of %d lines\n", room, 100 * reached[room] / lines[room], lines[room] }' \
  build/coverage/report/lines.csv | sort
echo "below 90 %:"
awk -F, 'NR > 1 && $4 < 0.9 { printf "%-48s %3d of %3d\n", $1, $3, $2 }' build/coverage/report/lines.csv
