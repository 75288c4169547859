#!/usr/bin/env bash
# Every provider is where CONTRIBUTING has it put: in the list of rows, among those that the program knows, and on the
# pages that name them. Prints one line for every place where one is missing.
#
# usage: providers.sh <root of the sources>
set -euo pipefail
export LC_ALL=C

cd "${1:?the root of the sources is needed}"

mapfile -t rows < <(sed -n 's/^ *INFERWIRE_API static Provider \([a-z0-9_]*\)(.*/\1/p' include/inferwire/provider.hpp)
if ((${#rows[@]} == 0)); then
  echo "include/inferwire/provider.hpp declares no rows" >&2
  exit 2
fi

status=0
in_place() { # <row> <file> <pattern>
  if grep -qiE "$3" "$2"; then return; fi
  echo "$2: nothing of $1"
  status=1
}

for row in "${rows[@]}"; do
  name=${row//_/-} family=${row%%_*}
  in_place "$row" src/protocol/provider/named.cpp "\\{\"$name\", "
  in_place "$row" src/cli/connection.cpp "Known\\{\"$name\", "
  in_place "$row" src/cli/man/inferwire.1 "\\b$name\\b"
  in_place "$row" tests/protocol/provider_test.cpp "Provider::$row\\(\\)"
  for page in README.md docs/{index,first-call,authentication,engine}.md; do
    in_place "$row" "$page" "\\b$family\\b"
  done
done
((status != 0)) || echo "${#rows[@]} providers are where they belong"
exit "$status"
