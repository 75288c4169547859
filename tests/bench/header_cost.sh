#!/usr/bin/env bash
# Measures what it costs a user's file to include <inferwire/client.hpp> with the header of one room, and to include
# the umbrella, as a multiple of including five headers of the standard library. All are compiled in turn, so that a
# noisy machine hits them alike; the figure is the median of the compiler's CPU time (user).
#
# usage: header_cost.sh <directory with generated/inferwire/version.hpp> [rounds]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:?a build directory is needed, for its generated headers}
rounds=${2:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/baseline.cpp" <<'CPP'
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>
CPP

# name, limit, headers
measured=(
  "client_chat 2.3 client chat"
  "client_completions 2.3 client completions"
  "client_embeddings 2.3 client embeddings"
  "client_responses 2.3 client responses response_events"
  "umbrella 3.0 inferwire"
)
for row in "${measured[@]}"; do
  read -r name _ headers <<<"$row"
  for header in $headers; do echo "#include <inferwire/$header.hpp>"; done >"$work/$name.cpp"
done

compile() { # <name>: appends the seconds of user time to <name>.times
  local TIMEFORMAT=%U
  { time "${CXX:-g++}" -std=c++20 -O2 -c -I "$root/include" -I "$build/generated" -o /dev/null "$work/$1.cpp" \
    2>"$work/errors" || { cat "$work/errors" >&3; exit 1; }; } 3>&2 2>>"$work/$1.times"
}
median() { sort -n "$work/$1.times" | awk '{v[NR] = $1} END {print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2}'; }

for ((i = 0; i <= rounds; ++i)); do
  compile baseline
  for row in "${measured[@]}"; do compile "${row%% *}"; done
  if ((i == 0)); then rm "$work"/*.times; fi # the first round only warms the disk cache
done
for row in "${measured[@]}"; do
  read -r name limit _ <<<"$row"
  awk -v name="$name" -v ours="$(median "$name")" -v baseline="$(median baseline)" -v limit="$limit" 'BEGIN {
    ratio = ours / baseline
    printf "figure header_cost_%s %.2f %s %s\n", name, ratio, limit, ratio <= limit ? "ok" : "short"
  }'
done
