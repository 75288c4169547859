#!/usr/bin/env bash
# Prints the figures of a run as the README's table: what was measured, the value, the goal. --write replaces the
# table in the README.
#
# usage: table.sh [--write] [figures, by default those of the last run of run.sh]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

write=
if [[ ${1-} == --write ]]; then
  write=yes
  shift
fi
figures=${1:-build/bench/figures.txt}
[[ -s $figures ]] || { echo "no figures in $figures: run tests/bench/run.sh first" >&2; exit 1; }

# figure | what it is | what the number counts, % standing for it
rows='
decode_alike_to_hand_written | Decode a chat chunk into its struct | % times On-Demand by hand
decode_to_nlohmann | The same, each chunk on its own | % times nlohmann::json
decode_alike_allocations_per_event | Allocations for it | % a chunk
events_alike_to_hand_written | Decode an event of a Responses stream | % times On-Demand by hand
encode_to_nlohmann | Write a request of 200 messages | % times nlohmann::json
call_client_cpu_vs_bare_curl | A small call, blocking | % times a bare libcurl handle
call_async_cpu_vs_bare_curl | A small call on the event loop | % times a bare libcurl handle
call_tls_cpu_vs_bare_curl | A small call over TLS, blocking | % times a bare libcurl handle
bulk_client_cpu_vs_bare_curl | A stream of 10,000 chunks at full speed, typed, blocking | % times libcurl counting bytes
bulk_async_cpu_vs_bare_curl | The same on the event loop | % times libcurl counting bytes
paced_client_cpu_vs_bare_curl | A stream with a chunk every 100 us, blocking | % times libcurl counting bytes
paced_async_cpu_vs_bare_curl | The same on the event loop | % times libcurl counting bytes
streams_1000_cpu_per_event_vs_by_hand | An event of 1,000 slow streams on one thread | % times libcurl, epoll and a decoder by hand
streams_1000_kilobytes_each | Memory of one of them | % KB
streams_10000_core_share | 10,000 streams, 50,000 events a second | % of a core
streams_10000_median_delay_us | Delay of an event there, median | % us
http2_streams_100_cpu_per_event_vs_by_hand | An event of 100 streams on one connection of HTTP/2 | % times the same by hand
embeddings_cpu_vs_by_hand | 256 x 1,024 floats as numbers, end to end | % times libcurl and On-Demand by hand
embeddings_base64_to_text | The same as base64 | % times the numbers
corpus_time_vs_by_hand | 100,000 short texts by create_all, by the clock | % times a libcurl multi and On-Demand by hand
header_cost_client_chat | Compile client.hpp and chat.hpp | % times five headers of the standard library
minimal_program_kb | A program that asks one question, stripped and linked with --gc-sections | % KB
'

table=$(awk -F ' [|] ' -v figures="$figures" '
  BEGIN {
    while ((getline line < figures) > 0) {
      if (split(line, part, " ") == 5 && part[1] == "figure") {
        value[part[2]] = part[3]
        limit[part[2]] = part[4]
        verdict[part[2]] = part[5]
      }
    }
    print "| | CPU, unless it says otherwise | goal | |"
    print "|---|---|---|---|"
  }
  function shown(number) { return number >= 20 || number == int(number) ? sprintf("%.0f", number) : sprintf("%.2f", number) }
  NF == 3 {
    if (!($1 in value)) {
      printf "| %s | not measured | | |\n", $2
      next
    }
    count = $3
    sub(/%/, shown(value[$1]), count)
    printf "| %s | %s | %s | %s |\n", $2, count, shown(limit[$1]), verdict[$1]
  }' <<<"$rows")

if [[ -z $write ]]; then
  echo "$table"
  exit
fi
TABLE="$table" awk '
  /^<!-- speed: / { print; if (/begin/) { print ENVIRON["TABLE"]; inside = 1 } else inside = 0; next }
  !inside { print }
' README.md >build/README.new
grep -q '^| Decode' build/README.new || { echo "the README has no place for the table" >&2; exit 1; }
cat build/README.new >README.md
rm build/README.new
