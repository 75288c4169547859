#!/usr/bin/env bash
# What including <inferwire/client.hpp> and <inferwire/chat.hpp> costs a file of a user, as a multiple of including
# five headers of the standard library. Both sides are compiled in turn, so that a noisy machine hits them alike;
# what counts is the CPU time of the compiler (user), its median.
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
cat >"$work/client_chat.cpp" <<'CPP'
#include <inferwire/chat.hpp>
#include <inferwire/client.hpp>
CPP

compile() { # <name>: appends the seconds of user time to <name>.times
  local TIMEFORMAT=%U
  { time "${CXX:-g++}" -std=c++20 -O2 -c -I "$root/include" -I "$build/generated" -o /dev/null "$work/$1.cpp" \
    2>"$work/errors" || { cat "$work/errors" >&3; exit 1; }; } 3>&2 2>>"$work/$1.times"
}
median() { sort -n "$work/$1.times" | awk '{v[NR] = $1} END {print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2}'; }

compile baseline
compile client_chat
rm "$work"/*.times # the first round only warms the disk cache
for ((i = 0; i < rounds; ++i)); do
  compile baseline
  compile client_chat
done
awk -v ours="$(median client_chat)" -v baseline="$(median baseline)" -v limit=2.3 'BEGIN {
  ratio = ours / baseline
  printf "figure header_cost_client_chat %.2f %s %s\n", ratio, limit, ratio <= limit ? "ok" : "short"
}'
