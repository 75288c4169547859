#!/usr/bin/env bash
# Checks that every example says at `--help` how it is used, refuses options that it does not know, is in the table
# of examples/README.md and has at most 80 lines.
#
# usage: help.sh <directory of the sources> <directory of the programs>
set -euo pipefail

failures=0
count=0
for source in "$1"/*.cpp; do
  name=$(basename "$source" .cpp)
  grep -q "($name.cpp)" "$1/README.md" || { echo "$name is not in examples/README.md"; failures=1; }
  (($(wc -l <"$source") <= 80)) || { echo "$name has more than 80 lines"; failures=1; }
  # Test programs have their framework's help; an example whose library is missing is not built.
  if [[ $name == mock_in_unit_test* || ! -x $2/$name ]]; then continue; fi
  count=$((count + 1))
  help=$("$2/$name" --help) || { echo "$name --help fails"; failures=1; }
  [[ $help == *"$name"*--base-url* ]] || { echo "$name --help says: $help"; failures=1; }
  if "$2/$name" --frobnicate >/dev/null 2>&1; then
    echo "$name takes any option"
    failures=1
  fi
done
((count > 10)) || { echo "only $count examples in $1"; failures=1; }
exit "$failures"
