#!/usr/bin/env bash
# Runs `inferwire` at a terminal as a person would: a conversation, a long job, completions of zsh.
# usage: terminal_test.sh path/to/inferwire
set -euo pipefail
program=$1
command -v tmux >/dev/null || { echo "SKIPPED: there is no tmux here"; exit 77; }

work=$(mktemp -d /tmp/inferwire-XXXXXX) # short, as the path of a socket and the lines of a screen must be
server=
tmux=(tmux -S "$work/tmux" -f /dev/null)
cleanup() {
  "${tmux[@]}" kill-server 2>/dev/null || true
  if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
# shellcheck source=tests/support/own_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/own_environment.sh"
unset TMUX
echo '{}' >"$work/no_profiles.json"
export INFERWIRE_CONFIG=$work/no_profiles.json
# One server of tmux for all: a session that comes while a server leaves with the last one would be refused.
# It ends with this script, also if that is killed.
"${tmux[@]}" new-session -d -s hold bash -c "tail --pid=$$ -f /dev/null; tmux kill-server"

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
await_count() { # <what> <number> <regex>: until so many lines show it
  for _ in $(seq 300); do
    if [[ $(screen | grep -cE -- "$3") -ge $2 ]]; then return; fi
    sleep 0.1
  done
  echo "FAILED: $1: '$3' is not on $2 lines of the screen:"
  screen
  exit 1
}
await_sent() { # <what> <regex>: until the program has sent it to its terminal, which may have removed it since
  for _ in $(seq 300); do
    if grep -qE -- "$2" "$work/sent"; then return; fi
    sleep 0.1
  done
  echo "FAILED: $1: '$2' was not sent:"
  cat -v "$work/sent"
  exit 1
}
open_terminal() { "${tmux[@]}" new-session -d -s chat -x 100 -y 40 "$@"; } # <program> <argument>...
open_recorded() { # <columns> <program> <argument>...: at a terminal whose output goes to a file, for await_sent
  : >"$work/sent"
  "${tmux[@]}" new-session -d -s chat -x "$1" -y 40 "${@:2}" \; pipe-pane -t chat "cat >'$work/sent'"
}
await_start() { # until `chat` reads keys: before its prompt, the terminal would echo them, and Ctrl-C end the program
  await "the greeting" "^model [^ ]+; /help lists the commands"
  await "the first prompt" "^> ?$"
}
start() { # <argument of chat>...
  open_terminal "$program" chat "$@"
  await_start
}
serve() { # <argument of serve>...: in place of the server before it, at $url
  if [[ -n $server ]]; then kill "$server"; fi
  : >"$work/address"
  "$program" serve "$@" >"$work/address" &
  server=$!
  for _ in $(seq 200); do grep -q listening "$work/address" && break; sleep 0.05; done
  url=$(sed -n '1s/^listening on //p' "$work/address")
}
await_end() { # <what>: until the program has left
  for _ in $(seq 100); do "${tmux[@]}" has-session -t chat 2>/dev/null || return 0; sleep 0.1; done
  echo "FAILED: $1 does not end it"
  screen
  exit 1
}

start --seed 3 --max-tokens 20
enter "Tell me about bread."
await "an answer, and the next prompt" "^> Tell me about bread\.$"
await "the next prompt" "^> ?$"
screen | grep -A1 -E "^> Tell me about bread" | tail -n 1 | grep -qE "[a-z]{3}" || { echo "FAILED: no answer"; screen; exit 1; }

type_keys Up
await_count "the line before" 2 "^> Tell me about bread\.$"
type_keys C-u
type_keys -l "/sys"
type_keys Left Left C-e
enter "tem Be brief."
await "a line that was edited" "system message set"
enter "/model somebody"
await "another model" "^model somebody$"
enter "hello"
await "an error that does not end the conversation" "code model_not_found"
enter "/model inferwire-toy"
enter "/save $work/kept.json"
await "a file" "written to .*/kept\.json$"
grep -q '"role":"system","content":"Be brief."' "$work/kept.json" || { echo "FAILED: no system message"; exit 1; }
grep -q '"content":"Tell me about bread."' "$work/kept.json" || { echo "FAILED: kept: $(cat "$work/kept.json")"; exit 1; }
grep -q '"content":"hello"' "$work/kept.json" && { echo "FAILED: a question without an answer was kept"; exit 1; }
enter "/clear"
await "a new beginning" "nothing has been said"
enter "/load $work/kept.json"
await "what was kept" "^3 messages, model inferwire-toy"
echo '{"temperature": 0.5, "max_tokens": 7, "max_completion_tokens": 7, "messages": [{"role": "user", "name": "ann", "content": [{"type": "text", "text": "hi"}]},
  {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}]}' \
  >"$work/rich.json"
enter "/load $work/rich.json"
await "another conversation" "^2 messages, model inferwire-toy"
enter "/save $work/rich_again.json"
await "the file again" "written to .*/rich_again\.json$"
for kept in '"temperature":0.5' '"max_tokens":20' '"name":"ann"' '"content":[{"type": "text", "text": "hi"}]' '"tool_calls":[{"id": "1"'; do
  grep -qF "$kept" "$work/rich_again.json" || { echo "FAILED: /load or /save lost $kept: $(cat "$work/rich_again.json")"; exit 1; }
done
grep -q max_completion_tokens "$work/rich_again.json" && { echo "FAILED: two limits: $(cat "$work/rich_again.json")"; exit 1; }
enter "/save $work/nowhere/x.json"
await "why a file is not written" "nowhere/x.json: cannot be written: No such file or directory"
echo '{"messages": [{"role": "user", "content": "hi"}, "hi"]}' >"$work/odd.json"
enter "/load $work/odd.json"
await "a message without a role" "odd.json: is no conversation: messages\[1\] has no role"
enter "/load $work/nowhere.json"
await "a file that is not there" "nowhere.json: cannot be read"
enter "/load $work"
await "a directory" "$work: cannot be read"
long="The quick brown fox jumps over the lazy dog, and then over the next one, and over all the others that"
type_keys -l "$long lie there until the evening comes"
await "the end of a line that is longer than the terminal is wide" "^> .*until the evening comes$"
[[ $(screen | grep -c "lie there") -eq 1 ]] || { echo "FAILED: a long line:"; screen; exit 1; }
type_keys C-a
await "the beginning of that line" "^> The quick brown fox"
type_keys C-k
type_keys -l "half a line"
type_keys C-c
await "a line that was given up" "half a line\^C"
# A paste is one line, also if it has several, and takes no time.
paste() { # <file>
  "${tmux[@]}" load-buffer "$1"
  "${tmux[@]}" paste-buffer -p -t chat
}
{ seq -f "many words, %g" 4000; echo "the last of them"; } >"$work/words"
paste "$work/words"
await "the end of a long paste" "^> .*the last of them.+$"
type_keys C-u
printf '/system first\tline\nsecond line' >"$work/lines"
paste "$work/lines"
await "a paste on one line" "^> /system first line.+second line$"
type_keys Enter
await_count "what was pasted, as one line" 2 "^system message set$"
enter "/save $work/pasted.json"
await "the file of what was pasted" "written to .*/pasted\.json$"
grep -qF '"content":"first\tline\nsecond line"' "$work/pasted.json" || { echo "FAILED: pasted: $(cat "$work/pasted.json")"; exit 1; }
# The line end of a pasted command is no part of it; a pasted question may begin with a slash.
printf '/save  %s/line.json\n' "$work" >"$work/command"
paste "$work/command"
type_keys Enter
await "a pasted command" "written to .*/line\.json$"
[[ -e $work/line.json ]] || { echo "FAILED: a pasted command wrote another file"; ls "$work"; exit 1; }
enter "/clear"
printf '// What is\nthis?' >"$work/slash"
paste "$work/slash"
type_keys Enter
enter "/save $work/slash.json"
await "the file of a pasted question" "written to .*/slash\.json$"
grep -qF '"// What is\nthis?"' "$work/slash.json" || { echo "FAILED: a question with a slash: $(cat "$work/slash.json")"; exit 1; }
type_keys C-d
await_end "Ctrl-D"

# Ctrl-C stops an answer that is slow, and not the program.
serve --tokens-per-second 4
start --base-url "$url/v1" --model inferwire-toy --max-tokens 400
enter "Tell me about rivers."
await "the beginning of an answer" "^[[:upper:]][[:lower:]]* [[:lower:]]+"
type_keys C-c
await "a stopped answer" "\(stopped\)"
enter "/quit"
await_end "/quit"

# A signal that ends the program leaves the terminal as it was.
# shellcheck disable=SC2016
open_terminal bash -c '"$0" chat; echo "status $?"; stty -a | grep -o -- "-*icanon"; sleep 60' "$program"
await "the prompt of a program that is to end" "^> ?$"
pkill -TERM -P "$("${tmux[@]}" display-message -p -t chat '#{pane_pid}')"
await "the status of a program that SIGTERM ended" "status 143"
await "the terminal as it was" "^icanon"
"${tmux[@]}" kill-session -t chat

# A long job shows how far it is.
for id in a b c; do
  echo "{\"custom_id\": \"$id\", \"method\": \"POST\", \"url\": \"/v1/chat/completions\", \"body\":
    {\"model\": \"inferwire-toy\", \"max_tokens\": 6, \"messages\": [{\"role\": \"user\", \"content\": \"hello\"}]}}" | tr -d '\n'
  echo
done >"$work/requests.jsonl"
open_recorded 100 "$program" batch --base-url "$url/v1" --in-flight 1 "$work/requests.jsonl" "$work/answers.jsonl"
await_sent "a bar" '\[#{10} {20}\] 1 of 3'
await_sent "a longer bar" '\[#{20} {10}\] 2 of 3'
await_end "the last answer"
[[ $(wc -l <"$work/answers.jsonl") -eq 3 ]] || { echo "FAILED: answers: $(cat "$work/answers.jsonl")"; exit 1; }

# In a narrow pane the bar is shorter.
head -n 2 "$work/requests.jsonl" >"$work/two.jsonl"
open_recorded 22 "$program" batch --base-url "$url/v1" --in-flight 1 "$work/two.jsonl" "$work/narrow.jsonl"
await_sent "a short bar" $'\r\\[#{6} {6}\\] 1 of 2\e'
await_end "the last answer in a narrow pane"

# A line that is left out ends, too, and is said above the bar; answers to other requests count for nothing.
{
  cat "$work/requests.jsonl"
  printf '{}\n\n'
  for id in d e; do head -n 1 "$work/requests.jsonl" | sed "s/\"a\"/\"$id\"/"; done
} >"$work/more.jsonl"
sed -n '1s/"custom_id":"a"/"custom_id":"z"/p' "$work/answers.jsonl" >"$work/other.jsonl"
cat "$work/other.jsonl" >>"$work/answers.jsonl"
# shellcheck disable=SC2016
open_recorded 100 bash -c '"$0" "$@"; sleep 60' "$program" batch --base-url "$url/v1" --in-flight 1 "$work/more.jsonl" "$work/answers.jsonl"
await_sent "a bar with a line that is left out" '\[#{25} {5}\] 5 of 6, 1 failed'
await "why a request is left out" '^inferwire: line 4 is left out'
await "the end of a job that failed" '^inferwire: 1 request failed'
"${tmux[@]}" kill-session -t chat

# The bar also says how long the job waits for the service.
echo '{"rules": [{"replies": [{"failure": {"status": 429, "message": "Later.", "retry_after": 20}}]}]}' >"$work/later.json"
serve --rules "$work/later.json"
open_terminal "$program" batch --base-url "$url/v1" --in-flight 1 "$work/requests.jsonl" "$work/later.jsonl"
await "the rest of a wait" '^\[ {30}\] 0 of 3, waits 1[0-9] s for the service \(1 request repeated\)'
"${tmux[@]}" kill-session -t chat

# A question that a model refuses to answer does not stand in the way of the next one.
cat >"$work/refusal.json" <<'END'
{"rules": [{"times": 1, "replies": [{"body": {"content_type": "text/event-stream",
  "bytes": "data: {\"choices\": [{\"index\": 0, \"delta\": {\"refusal\": \"I will not.\"}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n"}}]},
 {"times": 1, "replies": [{"body": {"content_type": "text/event-stream",
  "bytes": "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"Half an\"}, \"finish_reason\": \"content_filter\"}]}\n\ndata: [DONE]\n\n"}}]},
 {"when": {"stream": false}, "replies": [{"text": "All at once."}]}]}
END
serve --rules "$work/refusal.json"
start --base-url "$url/v1" --model inferwire-toy --max-completion-tokens 5
enter "Tell me a secret."
await "a refusal" "^I will not\.$"
await "what becomes of the question" "no answer: the question is forgotten"
enter "/save $work/refused.json"
await "the file of a refusal" "written to .*/refused\.json$"
grep -q secret "$work/refused.json" && { echo "FAILED: kept: $(cat "$work/refused.json")"; exit 1; }
# A filtered answer is said to be one.
enter "Tell me half of it."
await "a filtered answer" "^Half an$"
await "why it ends" "^\(a filter of the service stopped the answer\)$"
# A limit given by its newer name replaces the one of a file.
enter "/load $work/rich.json"
enter "/save $work/limited.json"
await "the file with one limit" "written to .*/limited\.json$"
grep -q '"max_completion_tokens":5' "$work/limited.json" || { echo "FAILED: no limit: $(cat "$work/limited.json")"; exit 1; }
grep -q max_tokens "$work/limited.json" && { echo "FAILED: two limits: $(cat "$work/limited.json")"; exit 1; }
enter "/quit"
await_end "/quit after a refusal"
# With --no-stream answers are not streamed.
start --no-stream --base-url "$url/v1" --model inferwire-toy
enter "hello"
await "an answer that is not streamed" "^All at once\.$"
# Without a limit here, a file keeps those that it has.
enter "/load $work/rich.json"
enter "/save $work/unlimited.json"
await "the file with its own limits" "written to .*/unlimited\.json$"
grep -q '"max_tokens":7,"max_completion_tokens":7' "$work/unlimited.json" || { echo "FAILED: no limits: $(cat "$work/unlimited.json")"; exit 1; }
enter "/quit"
await_end "/quit after an answer that is not streamed"

# A model cannot make the terminal do anything: set its title, clear it.
cat >"$work/hostile.json" <<'END'
{"rules": [{"replies": [{"body": {"content_type": "text/event-stream",
  "bytes": "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"one\\u001b]0;hijacked\\u0007 \\u001b[2J\\u009b2Jtwo\"}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n"}}]}]}
END
serve --rules "$work/hostile.json"
start --base-url "$url/v1" --model inferwire-toy
enter "hello"
await "an answer without control characters" '^one\]0;hijacked \[2J2Jtwo$'
enter "/quit"
await_end "/quit after control characters"
# shellcheck disable=SC2016
open_terminal bash -c '"$0" "$@"; sleep 60' "$program" chat --base-url "$url/v1" --model inferwire-toy hello
await "the same, asked once" '^one\]0;hijacked \[2J2Jtwo$'
[[ $("${tmux[@]}" display-message -p -t chat '#{pane_title}') == hijacked ]] && { echo "FAILED: the title was set"; exit 1; }
"${tmux[@]}" kill-session -t chat

# Reasoning is dimmed, the answer is not; under NO_COLOR nothing is.
reasoner=(--embedded --provider databricks --model databricks-gpt-oss-120b --max-tokens 80)
start "${reasoner[@]}"
enter "Tell me about bread."
await "the question" "^> Tell me about bread\.$"
await "the prompt behind an answer" "^>$"
# The dimmed lines are the greeting and the reasoning; the answer is the last line above the prompt.
coloured=$("${tmux[@]}" capture-pane -p -e -t chat | grep .)
[[ $(grep -c $'\e\\[2m' <<<"$coloured") -eq 2 ]] || { echo "FAILED: what is dimmed: $coloured"; exit 1; }
tail -n 2 <<<"$coloured" | grep -q $'\e\\[2m' && { echo "FAILED: the answer is dimmed: $coloured"; exit 1; }
enter "/quit"
await_end "/quit after reasoning"
open_terminal -e NO_COLOR=1 "$program" chat "${reasoner[@]}"
await_start
enter "/help"
await "the commands" "^/quit"
"${tmux[@]}" capture-pane -p -e -t chat | grep -q $'\e\\[2m' && { echo "FAILED: dimmed under NO_COLOR"; exit 1; }
enter "/quit"
await_end "/quit without colours"

# A dumb terminal gets no escape sequences, and edits lines itself.
open_terminal env TERM=dumb "$program" chat --max-tokens 5
await_start
"${tmux[@]}" pipe-pane -t chat "cat >'$work/sent'"
enter "hello"
await_count "the prompt after an answer" 2 "^>"
enter "/model"
await "the model at a dumb terminal" "^model inferwire-toy$"
await_sent "the model, to a dumb terminal" "^model inferwire-toy"
grep -q $'\e' "$work/sent" && { echo "FAILED: sent to a dumb terminal: $(cat -v "$work/sent")"; exit 1; }
type_keys C-d
await_end "Ctrl-D at a dumb terminal"

# zsh completes commands, options and providers; cli_test.sh tests bash.
if command -v zsh >/dev/null; then
  completions=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../src/cli/completions" && pwd)
  cat >"$work/.zshrc" <<'ZSH'
PS1='> '
path=($PROGRAM:h $path)
fpath=($COMPLETIONS $fpath)
autoload -Uz compinit && compinit -u -d $ZDOTDIR/zcompdump
ZSH
  open_terminal env ZDOTDIR="$work" PROGRAM="$program" COMPLETIONS="$completions" zsh -d
  await "the prompt of zsh" "^>$"
  type_keys -l "inferwire em"; type_keys Tab
  await "a command" '^> inferwire embed$'
  type_keys -l -- "--np"; type_keys Tab
  await "an option" '^> inferwire embed --npy$'
  type_keys C-u; type_keys -l "inferwire chat --provider sage"; type_keys Tab
  await "a provider" '^> inferwire chat --provider sagemaker$'
  type_keys C-u; type_keys -l "inferwire auth de"; type_keys Tab
  await "a command of auth" '^> inferwire auth describe$'
  type_keys C-u; enter exit
  await_end "exit"
fi
echo "all went as it should at the terminal"
