#!/usr/bin/env bash
# Builds the benchmarks, runs them and compares the figures with their limits. Prints a line for each figure:
#
#   figure NAME VALUE LIMIT ok|short
#
# All times are CPU times, and all figures are ratios of medians inside one run whose parts take turns, so that a
# noisy machine hits both sides alike. The figures of `inferwire serve` (serve_*) are what its users see instead.
# Ends with 1 if a figure is short.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/packages.sh

need_packages "${inferwire_build_packages[@]}" libbenchmark-dev nghttp2-proxy
build=build/bench
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DINFERWIRE_BUILD_BENCH=ON -DINFERWIRE_BUILD_TESTS=OFF \
  -DINFERWIRE_BUILD_EXAMPLES=OFF "${inferwire_cmake_options[@]}" >/dev/null
cmake --build "$build" --parallel 2

report="$build/figures.txt"
: >"$report"

# medians NAME: runs NAME_bench; its medians, one "name column value" a line, go to NAME.txt. The columns are cpu_time
# and the counters, which the console prints as 54.0k or 3.1m.
medians() {
  "$build/tests/bench/$1_bench" --benchmark_enable_random_interleaving=true --benchmark_repetitions=9 \
    --benchmark_report_aggregates_only=true --benchmark_color=false >"$build/$1.console" 2>/dev/null
  awk '
    function plain(text,    scale) {
      scale = substr(text, length(text))
      if (scale == "n") return text * 1e-9
      if (scale == "u") return text * 1e-6
      if (scale == "m") return text * 1e-3
      if (scale == "k") return text * 1e3
      if (scale == "M") return text * 1e6
      if (scale == "G") return text * 1e9
      return text + 0
    }
    sub(/_median$/, "", $1) {
      print $1, "cpu_time", $4
      for (i = 7; i <= NF; ++i) if (split($i, counter, "=") == 2) print $1, counter[1], plain(counter[2])
    }
  ' "$build/$1.console" >"$build/$1.txt"
}

# figures NAME PROGRAM: prints the times of NAME.txt, and the figures that PROGRAM makes of its values.
figures() {
  awk "
    { value[\$1, \$2] = \$3 }
    \$2 == \"cpu_time\" { time[\$1] = \$3; printf \"%-22s %10.1f us\\n\", \$1, \$3 }
    function figure(name, value, limit) {
      printf \"figure %s %.3f %s %s\\n\", name, value, limit, value <= limit ? \"ok\" : \"short\"
    }
    END { $2 }" "$build/$1.txt" | tee -a "$report"
}

medians codec
figures codec '
  figure("decode_to_hand_written", time["decode_inferwire"] / time["decode_hand_written"], 1.1)
  figure("decode_to_nlohmann", time["decode_inferwire"] / time["decode_nlohmann"], 0.125)
  figure("decode_allocations_per_event", value["decode_inferwire", "allocations"], 0)
  figure("decode_alike_to_hand_written", time["decode_alike"] / time["decode_hand_written"], 0.9)
  figure("decode_alike_allocations_per_event", value["decode_alike", "allocations"], 0)
  figure("encode_to_nlohmann", time["encode_inferwire"] / time["encode_nlohmann"], 0.1)'

medians completions
figures completions '
  figure("completions_to_hand_written",
         time["decode_completions_inferwire"] / time["decode_completions_hand_written"], 1.1)
  figure("completions_allocations_per_event", value["decode_completions_inferwire", "allocations"], 0)'

medians embeddings
figures embeddings '
  figure("rows_to_ondemand", time["rows_inferwire_text"] / time["rows_ondemand"], 1.2)
  figure("rows_to_nlohmann", time["rows_inferwire_text"] / time["rows_nlohmann"], 0.143)'

medians responses
figures responses '
  figure("events_to_hand_written", time["decode_events_inferwire"] / time["decode_events_hand_written"], 1.1)
  figure("events_allocations_per_event", value["decode_events_inferwire", "allocations"], 0)
  figure("events_alike_to_hand_written", time["decode_events_alike"] / time["decode_events_hand_written"], 0.9)
  figure("events_alike_allocations_per_event", value["decode_events_alike", "allocations"], 0)'

medians constraint
figures constraint '
  free = time["free_text"] / value["free_text", "tokens"]
  figure("schema_to_free_text", time["under_schema"] / value["under_schema", "tokens"] / free, 5)
  figure("alternatives_to_free_text", time["under_alternatives"] / value["under_alternatives", "tokens"] / free, 5)'

medians model
figures model '
  figure("learning_to_reference", time["learn_inferwire"] / time["learn_reference"], 1.5)
  figure("tokens_to_reference", time["tokens_inferwire"] / time["tokens_reference"], 1.11)
  figure("likeliest_to_reference", time["likeliest_inferwire"] / time["likeliest_reference"], 1)
  figure("chat_to_its_tokens", time["chat_in_process"] / time["chat_tokens"], 2)
  figure("embedding_to_reference", time["embed_inferwire"] / time["embed_reference"], 1.11)'

"$build/tests/bench/serve_bench" "$build/src/cli/inferwire" | tee -a "$report"

# The next programs print their own figures.
"$build/tests/bench/call_bench" | tee -a "$report"
"$build/tests/bench/rows_bench" | tee -a "$report"

# Reads a thousand slow streams on one thread, then ten thousand, or as many as there are descriptors for.
"$build/tests/bench/streams_bench" 1000 3 | tee -a "$report"
descriptors=$(ulimit -Hn)
[[ $descriptors == unlimited ]] && descriptors=20000
"$build/tests/bench/streams_bench" "$((descriptors > 10500 ? 10000 : descriptors - 500))" 1 | tee -a "$report"

# Reads a hundred streams on one HTTP/2 connection.
"$build/tests/bench/streams_bench" 100 3 h2 | tee -a "$report"

tests/bench/header_cost.sh "$build" | tee -a "$report"
tests/bench/minimal_program.sh "$build" | tee -a "$report"

echo
tests/bench/table.sh "$report"

! grep -q ' short$' "$report"
