#!/usr/bin/env bash
# Checks that every example asks the service at --base-url: it works if one listens there, and fails if none does.
#
# usage: base_url.sh <directory of the programs> <inferwire> <directory of texts>
set -euo pipefail
programs=$1 inferwire=$2 texts=$3

work=$(mktemp -d)
server=
cleanup() {
  if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
# shellcheck source=tests/support/own_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/own_environment.sh"

nowhere=http://127.0.0.1:1
export DATABRICKS_TOKEN=any     # the engine behind the URL takes any
export DATABRICKS_HOST=$nowhere # the URL takes precedence
"$inferwire" serve --port 0 >"$work/address" &
server=$!
for _ in $(seq 200); do grep -q listening "$work/address" && break; sleep 0.05; done
root=$(sed -n '1s/^listening on //p' "$work/address")
[[ -n $root ]] || { echo "the server printed no address"; exit 1; }

# The path below which each example finds its service: `path example argument...`
cases=(
  "/studio/v1 ai21"
  "/v1 asio" "/v1 asio_coroutines" "/v1 batch" "/v1 callbacks" "/v1 chat" "/v1 chat_repl" "/v1 chat_stream"
  "/v1 completions" "/v1 completions_batch" "/v1 conversation" "/v1 coroutines" "/v1 embeddings" "/v1 frame_loop"
  "/v1 images" "/v1 logprobs" "/v1 opentelemetry" "/v1 responses" "/v1 responses_stream" "/v1 structured_output" "/v1 tools"
  "/ databricks" "/ embedded_engine" "/ embeddings_search $texts Rivers?" "/ models" "/ sagemaker"
)
# The other examples show failures that the engine inside them plays, are no clients of a service, or need more
# connections at a time than the server has threads.
others=(errors many_streams mock_in_unit_test mock_in_unit_test_gtest own_transport retry_and_errors)

alone=() # the processes that ask where nobody listens; their retries take time
failures=0
fail() { echo "FAILED: $*"; failures=1; }
for line in "${cases[@]}"; do
  read -r path name arguments <<<"$line"
  [[ -x $programs/$name ]] || continue # its library is not installed
  if [[ $name == sagemaker ]] && ! "$programs/$name" >/dev/null 2>&1; then continue; fi # a build that cannot sign
  read -ra arguments <<<"$arguments"
  "$programs/$name" --base-url "$root${path%/}" "${arguments[@]}" >"$work/out" 2>"$work/err" <<<"Rivers?" ||
    fail "$name: $(cat "$work/err")"
  [[ -s $work/out ]] || fail "$name prints nothing"
  [[ $name != databricks ]] || continue # it is patient: it asks for minutes where nobody listens
  ("$programs/$name" --base-url "$nowhere${path%/}" "${arguments[@]}" >/dev/null 2>&1 <<<"Rivers?" && echo "$name" >>"$work/deaf") &
  alone+=("$!")
done
wait "${alone[@]}" || true
[[ ! -e $work/deaf ]] || fail "answered without a service: $(tr '\n' ' ' <"$work/deaf")"

for program in "$programs"/*; do
  name=${program##*/}
  [[ -f $program && -x $program ]] || continue
  [[ " ${cases[*]} ${others[*]} " == *" $name "* ]] || fail "$name is not in this list"
done
((failures == 0))
