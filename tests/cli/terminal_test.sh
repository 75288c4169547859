#!/usr/bin/env bash
# Has a conversation with `inferwire chat` at a terminal, as somebody who types.
# usage: terminal_test.sh path/to/inferwire
set -euo pipefail
program=$1
command -v tmux >/dev/null || { echo "SKIPPED: there is no tmux here"; exit 77; }

work=$(mktemp -d)
server=
tmux=(tmux -L "inferwire-$$" -f /dev/null)
cleanup() {
  "${tmux[@]}" kill-server 2>/dev/null || true
  if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
unset OPENAI_API_KEY OPENAI_BASE_URL DATABRICKS_HOST TMUX NO_COLOR

screen() { "${tmux[@]}" capture-pane -p -t chat -S -200; }
type_keys() { "${tmux[@]}" send-keys -t chat "$@"; }
enter() { type_keys -l "$1"; type_keys Enter; }
await() { # <what> <regex>: until the screen shows it
  for _ in $(seq 300); do
    if screen | grep -qE -- "$2"; then return; fi
    sleep 0.1
  done
  echo "FAILED: $1: '$2' is not on the screen:"
  screen
  exit 1
}
start() { # <argument of chat>...
  "${tmux[@]}" new-session -d -s chat -x 100 -y 40 "$program" chat "$@"
  await "the greeting" "^model inferwire-toy; /help lists the commands"
}

start --seed 3 --max-tokens 20
enter "Tell me about bread."
await "an answer, and the next prompt" "^> Tell me about bread\.$"
await "the next prompt" "^> ?$"
screen | grep -A1 -E "^> Tell me about bread" | tail -n 1 | grep -qE "[a-z]{3}" || { echo "FAILED: no answer"; screen; exit 1; }

type_keys Up
await "the line before" "^> Tell me about bread\.$.*|> Tell me about bread\."
type_keys C-u
type_keys -l "/sys"
type_keys Left Left C-e
enter "tem Be brief."
await "a line that was edited" "system message set"
enter "/model somebody"
await "another model" "^model somebody$"
enter "hello"
await "an error that does not end the conversation" "somebody"
enter "/model inferwire-toy"
enter "/save $work/kept.json"
await "a file" "written to"
grep -q '"content":"Tell me about bread."' "$work/kept.json" || { echo "FAILED: kept: $(cat "$work/kept.json")"; exit 1; }
grep -q '"content":"hello"' "$work/kept.json" && { echo "FAILED: a question without an answer was kept"; exit 1; }
enter "/clear"
await "a new beginning" "nothing has been said"
enter "/load $work/kept.json"
await "what was kept" "^3 messages, model inferwire-toy"
enter "/load $work/nowhere.json"
await "a file that is not there" "nowhere.json: cannot be read"
type_keys -l "half a line"
type_keys C-c
await "a line that was given up" "half a line\^C"
type_keys C-d
for _ in $(seq 100); do "${tmux[@]}" has-session -t chat 2>/dev/null || break; sleep 0.1; done
if "${tmux[@]}" has-session -t chat 2>/dev/null; then echo "FAILED: Ctrl-D does not end it"; screen; exit 1; fi

# Ctrl-C stops an answer that is slow, and not the program.
: >"$work/address"
"$program" serve --tokens-per-second 4 >"$work/address" &
server=$!
for _ in $(seq 200); do grep -q listening "$work/address" && break; sleep 0.05; done
url=$(sed -n '1s/^listening on //p' "$work/address")
start --base-url "$url/v1" --model inferwire-toy --max-tokens 400
enter "Tell me about rivers."
await "the beginning of an answer" "^[A-Za-z]+ [a-z]+"
type_keys C-c
await "a stopped answer" "\(stopped\)"
enter "/quit"
for _ in $(seq 100); do "${tmux[@]}" has-session -t chat 2>/dev/null || break; sleep 0.1; done
if "${tmux[@]}" has-session -t chat 2>/dev/null; then echo "FAILED: /quit does not end it"; screen; exit 1; fi
echo "the conversation went as it should"
