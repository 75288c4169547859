#!/usr/bin/env bash
# Runs `inferwire` as its users do and checks what it prints and how it exits.
# usage: cli_test.sh path/to/inferwire
set -u
program=$1
failures=0
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
unset OPENAI_API_KEY OPENAI_BASE_URL DATABRICKS_HOST DATABRICKS_TOKEN INFERWIRE_API_KEY

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# run WHAT STATUS ARGUMENT...: output goes to $work/out and $work/err
run() {
  local what=$1 expected=$2 status
  shift 2
  timeout 60 "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  [ "$status" -eq "$expected" ] || fail "$what: exit status $status, expected $expected ($(head -c 300 "$work/err"))"
}
says() { grep -qF -- "$2" "$work/err" || fail "$1: standard error does not say '$2': $(head -c 300 "$work/err")"; }
printed() { [ -s "$work/out" ] || fail "$1: printed nothing"; }
silent() { [ ! -s "$work/out" ] || fail "$1: printed $(head -c 100 "$work/out")"; }

run "version" 0 --version; grep -q '^inferwire [0-9]' "$work/out" || fail "version: $(cat "$work/out")"
run "help" 0 chat --help; printed "help"
run "embedded, streamed" 0 chat --seed 3 --max-tokens 20 "Tell me about bread."; printed "embedded, streamed"
cp "$work/out" "$work/streamed"
run "embedded, whole" 0 chat --no-stream --seed 3 --max-tokens 20 "Tell me about bread."
cmp -s "$work/out" "$work/streamed" || fail "streamed and whole answers differ"
run "embedded, Databricks" 0 chat --provider databricks --max-tokens 5 --system "Be brief." hello; printed "Databricks"
run "JSON" 0 chat --no-stream --json --max-tokens 3 hello
grep -q '"object":"chat.completion"' "$work/out" || fail "JSON: $(cat "$work/out")"
run "JSON chunks" 0 chat --json --max-tokens 3 hello
grep -q '"object":"chat.completion.chunk"' "$work/out" || fail "JSON chunks: $(cat "$work/out")"
echo "What is rain?" | "$program" chat --max-tokens 5 - >"$work/out" || fail "prompt from standard input"
printed "prompt from standard input"

run "no command" 2
run "no prompt" 2 chat
run "unknown option" 2 chat --frobnicate hi
run "unknown provider" 2 chat --provider nobody hi; silent "unknown provider"
run "no model" 2 chat --base-url http://127.0.0.1:1/v1 hi; says "no model" "--model"
run "not a URL" 2 chat --base-url ftp://h --model m hi
run "a prompt that is not UTF-8" 2 chat $'\xff'
run "unknown model" 3 chat --model nobody hi; says "unknown model" "nobody"; silent "unknown model"
run "a parameter out of range" 3 chat --temperature 9 hi; says "out of range" "temperature"
run "nobody listens" 4 chat --base-url http://127.0.0.1:1/v1 --model m hi
run "named key is missing" 2 serve --api-key-env INFERWIRE_TEST_NO_SUCH_KEY
run "port out of range" 2 serve --port 70000

"$program" chat --max-tokens 5000 hi | head -c 1 >/dev/null
status=${PIPESTATUS[0]}
[ "$status" -eq 0 ] || [ "$status" -eq 141 ] || fail "a reader that leaves: exit status $status"

# start_server WORD...: a command, which may begin with assignments
start_server() {
  env "$@" >"$work/address" 2>"$work/server_err" &
  server=$!
  for _ in $(seq 200); do grep -q listening "$work/address" && break; sleep 0.05; done
  url=$(sed -n '1s/^listening on //p' "$work/address")
  [ -n "$url" ] || fail "serve printed no address: $(cat "$work/server_err")"
}
stop_server() {
  kill "-$1" "$server"
  wait "$server"
  local status=$?
  [ "$status" -eq 0 ] || fail "serve after SIG$1: exit status $status"
  server=
}

start_server "$program" serve
run "over HTTP" 0 chat --base-url "$url/v1" --model inferwire-toy --seed 3 --max-tokens 20 "Tell me about bread."
cmp -s "$work/out" "$work/streamed" || fail "the answer over HTTP differs from the embedded one"
DATABRICKS_HOST=$url run "host from the environment" 0 chat --provider databricks --endpoint pt-chat --max-tokens 3 hi
run "the port is taken" 4 serve --port "${url##*:}"
stop_server TERM

start_server INFERWIRE_API_KEY=sekret "$program" serve --token-ms 50
run "no key" 3 chat --base-url "$url/v1" --model inferwire-toy hi; says "no key" "401"
OPENAI_API_KEY=wrong-key run "wrong key" 3 chat --base-url "$url/v1" --model inferwire-toy hi
! grep -q 'wrong-key\|sekret' "$work/err" || fail "a key was printed"
OPENAI_API_KEY=sekret run "right key" 0 chat --base-url "$url/v1" --model inferwire-toy --max-tokens 2 hi
OPENAI_API_KEY=sekret timeout 60 "$program" chat --base-url "$url/v1" --model inferwire-toy --seed 3 \
  "Tell me about bread." >"$work/out" 2>"$work/err" &
client=$!
for _ in $(seq 200); do [ -s "$work/out" ] && break; sleep 0.05; done
stop_server INT
wait "$client"
status=$?
[ "$status" -eq 5 ] || [ "$status" -eq 4 ] || fail "a server that stops in a stream: exit status $status"

[ "$failures" -eq 0 ] && echo "the program does what it says"
exit "$((failures > 0))"
