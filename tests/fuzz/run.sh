#!/usr/bin/env bash
# Runs every fuzz target for a while; a finding ends it with an error and leaves the input in the build directory.
#
# usage: run.sh <build directory> [seconds a target]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${1:?the build directory is needed}" && pwd)
seconds=${2:-60}

run() { # <target> <directory of seeds>
  local corpus="$build/corpus/$1"
  mkdir -p "$corpus" "$build/findings"
  echo "== $1, $seconds s"
  "$build/tests/fuzz/$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -verbosity=0 -artifact_prefix="$build/findings/$1-" "$corpus" "$2"
}

run decode_chat_fuzz "$root/tests/fixtures/wire"
run decode_responses_fuzz "$root/tests/fixtures/wire"
run error_body_fuzz "$root/tests/fixtures/wire"
run event_stream_fuzz "$root/tests/fixtures/sse"
run json_lines_fuzz "$root/tests/fixtures/wire"
run sse_fuzz "$root/tests/fixtures/sse"
