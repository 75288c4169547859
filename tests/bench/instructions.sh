#!/usr/bin/env bash
# Counts the instructions of fixed pieces of work (instructions.cpp) with callgrind and compares them with
# instructions.txt, the budget: a piece that takes more fails, however fast it is. A piece that takes less is reported,
# so that the budget can follow.
#
# usage: instructions.sh <build directory, of a Release build with the benchmarks> [--write]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:?a build directory is needed}" && pwd)
budget="$here/instructions.txt"
program="$build/tests/bench/instructions"
tolerance=3 # per cent

compiler() { # "GNU 12"
  sed -n 's/^set(CMAKE_CXX_COMPILER_\(ID\|VERSION\) "\([A-Za-z]*[0-9]*\).*/\2/p' "$build"/CMakeFiles/*/CMakeCXXCompiler.cmake |
    head -2 | paste -sd ' '
}
made_with="$(compiler), $(uname -m)"
# The C library and simdjson choose their kernels by what the processor can do.
grep -qw avx2 /proc/cpuinfo 2>/dev/null && made_with+=" with AVX2"

budgeted_with=$(sed -n 's/^made with //p' "$budget" 2>/dev/null || true)
if [[ ${2-} != --write && $made_with != "$budgeted_with" ]]; then
  echo "== SKIPPED: the budget of instructions was made with $budgeted_with, this is $made_with"
  exit 0
fi

count() { # <work>
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no --toggle-collect='measured_work*' \
    "$program" "$1" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

counts=$(for work in $("$program"); do echo "$work $(count "$work")"; done)
if [[ ${2-} == --write ]]; then
  {
    echo "# Instructions of the work in instructions.cpp, by \`tests/bench/instructions.sh <build> --write\`."
    echo "made with $made_with"
    echo "$counts"
  } >"$budget"
  cat "$budget"
  exit
fi

awk -v tolerance="$tolerance" '
  /^#/ || /^made with/ { next }
  NR == FNR { budget[$1] = $2; next }
  {
    if (!$2) verdict = "was not counted"
    else if (!($1 in budget)) verdict = "has no budget"
    else if ($2 > budget[$1] * (1 + tolerance / 100)) verdict = "TOO MANY"
    else if ($2 < budget[$1] * (1 - tolerance / 100)) verdict = "fewer: write the budget anew"
    else verdict = "ok"
    if (verdict != "ok" && verdict !~ /^fewer/) bad = 1
    change = $1 in budget ? sprintf("%+.2f %%", ($2 / budget[$1] - 1) * 100) : ""
    printf "%-24s %12d instructions, budget %12d %9s  %s\n", $1, $2, budget[$1], change, verdict
    seen[$1] = 1
  }
  END {
    for (work in budget) if (!(work in seen)) { printf "%-24s is not done any more\n", work; bad = 1 }
    exit bad
  }
' "$budget" - <<<"$counts"
