#!/usr/bin/env bash
# Compares the names that the shared libraries show with the lists in symbols/: a missing name breaks programs that
# are linked already.
#
# usage: symbols.sh <directory of the libraries> [--exact | --write]
#   --exact  new names are a failure too: the lists have to be written anew before a release
#   --write  writes the lists
set -euo pipefail
export LC_ALL=C

libraries=$1 mode=${2:-}
lists="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/symbols"
status=0
shopt -s nullglob
found=("$libraries"/libinferwire*.so)
((${#found[@]} > 0)) || { echo "no shared library in $libraries"; exit 1; }

for library in "${found[@]}"; do
  list="$lists/$(basename "$library" .so).txt"
  names=$(nm --dynamic --defined-only --demangle "$library" | sed 's/^[0-9a-f]* . //' | sort -u)
  if [[ $mode == --write ]]; then
    echo "$names" >"$list"
    echo "$list: $(wc -l <"$list") names"
    continue
  fi
  gone=$(comm -23 "$list" - <<<"$names")
  new=$(comm -13 "$list" - <<<"$names")
  if [[ -n $gone ]]; then
    printf '%s shows no longer:\n%s\n' "${library##*/}" "$gone"
    status=1
  fi
  if [[ -n $new ]]; then
    printf '%s shows besides:\n%s\n' "${library##*/}" "$new"
    if [[ $mode == --exact ]]; then status=1; fi
  fi
  echo "${library##*/}: $(wc -l <<<"$names") names, $(wc -l <"$list") on the list"
done
if ((status != 0)); then echo "if that is meant: .ci/symbols.sh --write"; fi
exit "$status"
