#!/usr/bin/env bash
# Checks that Ctrl-C stops the answer of a conversation, that the next answer is not stopped by it, and that Ctrl-C ends
# the program while it waits for a question.
#
# usage: interrupt.sh <chat_repl> <inferwire>
set -euo pipefail
chat_repl=$1 inferwire=$2

work=$(mktemp -d)
processes=()
cleanup() {
  kill "${processes[@]}" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
wait_for() { # <pattern> <file>
  for _ in $(seq 400); do
    if grep -q "$1" "$2"; then return; fi
    sleep 0.05
  done
  echo "no $1 in:"
  cat "$2"
  exit 1
}
# shellcheck source=tests/support/own_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/own_environment.sh"

# A rule answers one question at once; the other one's answer takes longer than this test may.
cat >"$work/rules.json" <<'JSON'
{"rules": [{"when": {"last_user_contains": "short"}, "replies": [{"text": "done"}]}]}
JSON
"$inferwire" serve --port 0 --tokens-per-second 2 --rules "$work/rules.json" >"$work/address" &
processes+=("$!")
wait_for listening "$work/address"
root=$(sed -n '1s/^listening on //p' "$work/address")

mkfifo "$work/questions"
# What a script starts in the background ignores SIGINT, unless told otherwise.
env --default-signal=INT "$chat_repl" --base-url "$root/v1" <"$work/questions" >"$work/answers" &
conversation=$!
processes+=("$conversation")
exec {questions}>"$work/questions"
echo "Tell me about rivers, at length." >&"$questions"
wait_for '^> [A-Za-z]' "$work/answers"
kill -INT "$conversation"
wait_for ' (stopped)$' "$work/answers"
echo "A short one?" >&"$questions"
wait_for '^> done$' "$work/answers"
wait_for '^> $' "$work/answers" # the next prompt: nothing is under way
kill -INT "$conversation"
status=0
wait "$conversation" || status=$?
((status == 130)) || { echo "the program ended with $status, and not by the signal"; exit 1; }
