#!/usr/bin/env bash
# Checks every #include of ours against the floor plan: a floor may include only the floors below that are listed for
# it, and a third party only where the table names it. Prints one line for every illegal door.
#
# usage: check.sh <root of the sources>
set -euo pipefail
export LC_ALL=C

root=${1:?the root of the sources is needed}
cd "$root"

# floor: floors whose headers it may include : third parties
table='
base     : base                                     :
structs  : base structs                             :
json     : base structs json                        : simdjson
wire     : base structs json wire                   : simdjson
protocol : base structs json protocol               : openssl
auth     : base json protocol auth                  :
http     : base protocol http                       : curl
client   : base structs json wire protocol auth http client :
engine   : base structs json wire protocol engine   : nlohmann
server   : base protocol engine-door server         : httplib
llama    : base engine llama                        : llama
testing  : base protocol engine-door testing        : openssl
adapter  : base json structs                        : nlohmann
cli      : base structs json protocol auth client engine engine-door llama server cli : nlohmann cli11
'

# The directories of a floor, the lowest first: one may include only those before it. `.` is the floor's own, whose
# headers stand below all others; its sources put them together.
directories='
http   : . loop
client : . call loop stream resources batch tools
engine : . constraint model answer plan script handlers cassette call
'

mapfile -t files < <(find include src -name '*.hpp' -o -name '*.cpp' | sort)
if ((${#files[@]} == 0)); then
  echo "no sources below $root" >&2
  exit 2
fi

awk -v table="$table" -v directories="$directories" '
  # The floor of one of our headers: of a private one by its directory, of a public one by its noun.
  function floor_of(path) {
    if (path ~ /^inferwire\//) {
      sub(/^inferwire\//, "", path)
      if (path ~ /^engine\//) return path ~ /(service|engine)\.hpp$/ ? "engine-door" : "engine"
      if (path ~ /^server\//) return "server"
      if (path ~ /^llama\//) return "llama"
      if (path ~ /^testing\//) return "testing"
      if (path ~ /^(chat|chat_message|completions|embeddings|finish|logprobs|models|prompt_cache_options|response_events|response_items|responses|stream_options|structured_output|usage|vocabulary)\.hpp$/) return "structs"
      if (path ~ /^(network|provider)\.hpp$/) return "protocol"
      if (path ~ /^(auth_report|credential|credential_options|environment)\.hpp$/) return "auth"
      if (path ~ /^(async_stream|batch|client|client_options|event_loop|executor|inferwire|pending|resources|stream|tools|when)\.hpp$/) return "client"
      if (path == "nlohmann.hpp") return "adapter"
      if (path ~ /^(by_name|cancel|clock|data_uri|description|dictionary|duration|error|exceptions|export|forwarding|from_json|fwd|headers|json|log|observer|open_enum|optional|response_info|result|retry_policy|schema|secret|shape|text_or_list|timeouts|transport|version|visibility)\.hpp$/) return "base"
      return "unknown"
    }
    sub(/\/.*/, "", path)
    return path
  }
  function third_party_of(path) {
    if (path ~ /^curl\//) return "curl"
    if (path ~ /^simdjson/) return "simdjson"
    if (path ~ /^httplib/) return "httplib"
    if (path ~ /^nlohmann\//) return "nlohmann"
    if (path ~ /^openssl\//) return "openssl"
    if (path ~ /^CLI\//) return "cli11"
    if (path == "llama.h") return "llama"
    # What is left is the standard library, or the system: <string>, <sys/socket.h>.
    return ""
  }
  # The directory of one of our files below its floor.
  function directory_of(path) {
    if (path ~ /^include\//) return "."
    sub(/^src\//, "", path)
    return split(path, steps, "/") > 2 ? steps[2] : "."
  }
  BEGIN {
    rows = split(directories, lines, "\n")
    for (i = 1; i <= rows; ++i) {
      n = split(lines[i], words, " ")
      for (j = 3; j <= n; ++j) height[words[1], words[j]] = j
    }
    rows = split(table, lines, "\n")
    for (i = 1; i <= rows; ++i) {
      if (split(lines[i], columns, ":") < 3) continue
      gsub(/ /, "", columns[1])
      known[columns[1]] = 1
      n = split(columns[2], words, " ")
      for (j = 1; j <= n; ++j) may[columns[1], words[j]] = 1
      n = split(columns[3], words, " ")
      for (j = 1; j <= n; ++j) may_use[columns[1], words[j]] = 1
    }
  }
  FNR == 1 {
    floor = FILENAME
    sub(/^(include|src)\//, "", floor)
    floor = floor_of(floor)
    directory = directory_of(FILENAME)
    if (floor == "engine-door") floor = "engine"
    if (!(floor in known)) {
      printf "%s: the plan has no floor for it (%s)\n", FILENAME, floor
      illegal = 1
    }
    if ((floor, ".") in height && !((floor, directory) in height)) {
      printf "%s: this directory is none of floor %s\n", FILENAME, floor
      illegal = 1
    }
  }
  /^[ \t]*#[ \t]*include[ \t]*["<]/ {
    header = $0
    ours = header ~ /include[ \t]*("|<(inferwire|base|json|wire|protocol|http|auth|client|engine|server|llama|testing|cli)\/)/
    sub(/^[^"<]*["<]/, "", header)
    sub(/[">].*/, "", header)
    if (ours) {
      target = floor_of(header)
      legal = (floor, target) in may || (floor == "engine" && target == "engine-door")
    } else {
      target = third_party_of(header)
      legal = target == "" || (floor, target) in may_use
    }
    puts_together = directory == "." && FILENAME ~ /\.cpp$/
    if (target == floor && header !~ /^inferwire\// && (floor, directory) in height && !puts_together &&
        height[floor, directory_of(header)] > height[floor, directory]) {
      printf "%s:%d: directory %s may not include %s\n", FILENAME, FNR, directory, header
      illegal = 1
    }
    if (!legal) {
      printf "%s:%d: floor %s may not include %s (%s)\n", FILENAME, FNR, floor, header, target
      illegal = 1
    }
  }
  END { exit illegal }
' "${files[@]}"
echo "${#files[@]} files keep to the floor plan"
