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
if (($# > 0)); then
  cmake --build --preset coverage --target "$@"
  ctest --test-dir build/coverage -j2 --output-on-failure -R "^($(IFS='|'; echo "$*")):" -E '^package:' | tail -n 5
else
  cmake --build --preset coverage
  ctest --test-dir build/coverage -j2 --output-on-failure -LE 'package|structure' | tail -n 5
fi
mkdir -p build/coverage/report
gcovr --root . --object-directory build/coverage --filter 'src/' --exclude 'src/cli/' --exclude-throw-branches \
  --gcov-ignore-parse-errors --html-details build/coverage/report/index.html --print-summary -o build/coverage/report/lines.txt
sort -k4 -n build/coverage/report/lines.txt | awk '/^src/ && $4 + 0 < 90' | head -n 20
