#!/usr/bin/env bash
# Runs every fuzz target for a while; a finding ends it with an error and leaves the input in the build directory.
#
# usage: run.sh <build directory> [seconds a target]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:?the build directory is needed}" && pwd)
seconds=${2:-60}

run() { # <target> <directory of seeds>
  local corpus="$build/corpus/$1" log="$build/findings/$1.log"
  mkdir -p "$corpus" "$build/findings"
  if "$build/tests/fuzz/$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -verbosity=0 -artifact_prefix="$build/findings/$1-" "$corpus" "$2" >"$log" 2>&1; then
    echo "== $1, $seconds s: $(awk '/number_of_executed_units/ {print $2}' "$log") inputs, no finding"
  else
    cat "$log"
    echo "== $1: a finding"
    return 1
  fi
}

# Runs two targets at a time and waits for both, so that a finding of either ends the run.
pair() { # <target> <seeds> <target> <seeds>
  run "$1" "$2" & local first=$!
  run "$3" "$4" & local second=$!
  local status=0
  wait "$first" || status=1
  wait "$second" || status=1
  return "$status"
}

wire="$root/tests/fixtures/wire"
sse="$root/tests/fixtures/sse"
pair decode_chat_fuzz "$wire" decode_responses_fuzz "$wire"
pair error_body_fuzz "$wire" event_stream_fuzz "$sse"
pair json_lines_fuzz "$wire" sse_fuzz "$sse"
pair schema_fuzz "$root/tests/fixtures/schemas" engine_request_fuzz "$wire/requests"
pair settings_fuzz "$root/tests/fixtures/settings" date_fuzz "$root/tests/fixtures/dates"
