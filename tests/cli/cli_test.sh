#!/usr/bin/env bash
# Runs `inferwire` as its users do and checks what it prints and how it exits.
# usage: cli_test.sh path/to/inferwire
set -u
program=$1
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../examples" && pwd)
completions=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../src/cli/completions" && pwd)/inferwire.bash
manual=${completions%/completions/*}/man/inferwire.1
failures=0
work=$(mktemp -d)
echo '{}' >"$work/no_profiles.json"
export INFERWIRE_CONFIG=$work/no_profiles.json
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
# shellcheck source=tests/support/own_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/own_environment.sh"

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
run "embedded, Databricks" 0 chat --embedded --provider databricks --max-tokens 5 --system "Be brief." hello; printed "Databricks"
run "a provider that is named is asked itself" 2 chat --provider openai --model inferwire-toy hello
says "a provider that is named is asked itself" "OPENAI_API_KEY"
for provider in databricks databricks-openai databricks-gateway openai lmi lmi-invocations sagemaker; do
  run "rows, $provider" 0 embed --embedded --provider "$provider" bread; printed "rows, $provider"
done
for provider in databricks databricks-open-responses databricks-gateway openai; do
  run "response, $provider" 0 respond --embedded --provider "$provider" bread; printed "response, $provider"
done
run "what a provider does not have" 2 respond --embedded --provider ai21 hello
says "what a provider does not have" "unsupported"
run "JSON" 0 chat --no-stream --json --max-tokens 3 hello
grep -q '"object":"chat.completion"' "$work/out" || fail "JSON: $(cat "$work/out")"
run "the limit of OpenAI's models" 0 chat --no-stream --json --max-completion-tokens 3 hello
grep -q '"completion_tokens":3' "$work/out" || fail "the limit of OpenAI's models: $(cat "$work/out")"
run "two limits" 2 chat --max-tokens 3 --max-completion-tokens 3 hello; says "two limits" "excludes"
run "JSON chunks" 0 chat --json --max-tokens 3 hello
grep -q '"object":"chat.completion.chunk"' "$work/out" || fail "JSON chunks: $(cat "$work/out")"
echo "What is rain?" | "$program" chat --max-tokens 5 - >"$work/out" || fail "prompt from standard input"
printed "prompt from standard input"

run "completion, streamed" 0 complete --seed 3 --max-tokens 20 "The weather in the"; printed "completion, streamed"
cp "$work/out" "$work/completed"
run "completion, whole" 0 complete --no-stream --seed 3 --max-tokens 20 "The weather in the"
cmp -s "$work/out" "$work/completed" || fail "streamed and whole completions differ"
run "completion with echo" 0 complete --echo --max-tokens 3 "The weather in the"
grep -q '^The weather in the' "$work/out" || fail "completion with echo: $(cat "$work/out")"
run "completion, JSON" 0 complete --no-stream --json --max-tokens 3 hello
grep -q '"object":"text_completion"' "$work/out" || fail "completion, JSON: $(cat "$work/out")"
run "completion, JSON chunks" 0 complete --json --max-tokens 3 hello
[ "$(grep -c '"object":"text_completion"' "$work/out")" -gt 1 ] || fail "completion, JSON chunks: $(cat "$work/out")"
run "completion, Databricks" 0 complete --embedded --provider databricks --raw --suffix " [end]" --max-tokens 5 "Granite is"
grep -qF '[end]' "$work/out" || fail "completion, Databricks: $(cat "$work/out")"
run "response, streamed" 0 respond --max-output-tokens 20 "Tell me about bread."; printed "response, streamed"
cp "$work/out" "$work/responded"
run "response, whole" 0 respond --no-stream --max-output-tokens 20 "Tell me about bread."
cmp -s "$work/out" "$work/responded" || fail "streamed and whole responses differ"
run "response, JSON" 0 respond --no-stream --json --instructions "Be brief." --max-output-tokens 16 hello
grep -q '"object":"response"' "$work/out" || fail "response, JSON: $(cat "$work/out")"
run "response, JSON events" 0 respond --json --max-output-tokens 16 hello
[ "$(grep -c '"type":"response.output_text.delta"' "$work/out")" -gt 1 ] || fail "response, JSON events: $(cat "$work/out")"
run "response, Databricks" 0 respond --embedded --provider databricks --max-output-tokens 60 hello; printed "response, Databricks"
run "response before that is not there" 3 respond --previous resp_nobody hello
says "response before that is not there" "resp_nobody"
run "response, effort" 3 respond --effort low hello; says "response, effort" "reasoning"

# Credentials are found in a home of the test's own, without this machine's settings.
described() { env -i PATH="$PATH" HOME="$work/home" "${@:2}" "$program" auth describe --provider "$1" >"$work/out" 2>"$work/err"; }
mkdir -p "$work/home/.aws"
printf '[DEFAULT]\nhost = https://x.test/sql\ntoken = dapi-dose\n' >"$work/home/.databrickscfg"
printf '[default]\naws_access_key_id = AKID\naws_secret_access_key = aws-dose\nregion = eu-west-1\n' >"$work/home/.aws/credentials"
described databricks A=b || fail "auth, profile: $(cat "$work/err")"
for line in 'base URL +https://x.test$' 'method +pat$' 'token +\*\*\* +\(file ~/.databrickscfg \[DEFAULT\]\)' 'note .*/sql'; do
  grep -qE "$line" "$work/out" || fail "auth, profile: no '$line' in $(cat "$work/out")"
done
signs=yes
described sagemaker A=b || { signs=; says "auth, AWS" "made without INFERWIRE_SIGV4"; echo "not tested: $(cat "$work/err")"; }
grep -qF "https://runtime.sagemaker.eu-west-1.amazonaws.com" "$work/out" || fail "auth, AWS: $(cat "$work/out")"
cat "$work/out" "$work/err" | grep -q dose && fail "auth: a secret is printed"
described openai OPENAI_API_KEY=sk-dose || fail "auth, key: $(cat "$work/err")"
grep -qF "(env OPENAI_API_KEY)" "$work/out" || fail "auth, key: $(cat "$work/out")"
OPENAI_CUSTOM_HEADERS='Authorization: Bearer k' run "auth, a key among headers" 0 auth describe --provider openai --no-key
! grep -qi "authorization" "$work/out" || fail "auth, a key among headers: $(cat "$work/out")"
# A configured credential also goes to a server on this machine, which needs none.
env -i PATH="$PATH" HOME="$work/home" "$program" auth describe --provider sagemaker --base-url http://127.0.0.1:1 >"$work/out" 2>&1
grep -qF "https://runtime" "$work/out" && fail "auth, local: $(cat "$work/out")"
[ -z "$signs" ] || grep -qF "aws_access_key_id" "$work/out" || fail "auth, local: $(cat "$work/out")"
env -i PATH="$PATH" HOME="$work" "$program" auth describe --provider sagemaker --base-url http://127.0.0.1:1 >"$work/out" 2>&1 ||
  fail "auth, local and nothing: $(cat "$work/out")"
OPENAI_API_KEY=k run "auth, a key over plain http" 2 auth describe --provider openai --base-url http://x.test/v1
says "auth, a key over plain http" "plain http"
run "auth, no key wanted" 0 auth describe --provider openai --base-url http://x.test/v1 --no-key
grep -qE '^method +none$' "$work/out" || fail "auth, no key wanted: $(cat "$work/out")"
described ai21 A=b && fail "auth, no key: exit status 0"
says "auth, no key" "AI21_API_KEY"
DATABRICKS_HOST=https://x.test GOOGLE_CREDENTIALS=x DATABRICKS_GOOGLE_SERVICE_ACCOUNT=a@x.test \
  run "auth, in the program's words" 2 auth describe --provider databricks
grep -qE '^not google-id +not supported by inferwire$' "$work/out" || fail "auth, in the program's words: $(cat "$work/out")"
! grep -hF 'Credential::' "$work/out" "$work/err" || fail "auth: the library's words are printed"
sources=${completions%/cli/*}
grep -rhoE '"[^"]+"' "$sources"/{auth,client,http} >"$work/library_texts"
sed -n 's/^    {"\([^"]*\)",.*/\1/p' "$sources/cli/our_words.cpp" >"$work/replaced"
[ "$(wc -l <"$work/replaced")" -ge 8 ] || fail "words of the library: $(cat "$work/replaced")"
while IFS= read -r words; do
  grep -qF -- "$words" "$work/library_texts" || fail "the library does not say '$words'"
done <"$work/replaced"
run "auth, JSON" 2 auth describe --provider ai21 --json
grep -q '"kind": "auth"' "$work/out" || fail "auth, JSON: $(cat "$work/out")"
AWS_PROFILE=$'\xff' run "auth, JSON of what is no text" 2 auth describe --provider sagemaker --json
grep -q '"provider": "sagemaker"' "$work/out" || fail "auth, JSON of what is no text: $(cat "$work/out" "$work/err")"
run "auth, nothing to do" 2 auth
run "auth of the embedded engine" 2 auth describe --embedded; says "auth of the embedded engine" "--embedded"

run "suffix elsewhere" 3 complete --suffix x hello; says "suffix elsewhere" "suffix"

printf 'one stone\r\ntwo rivers\none stone\n' >"$work/texts"
run "rows of a file" 0 embed --file "$work/texts" --dimensions 3 --batch 2
[ "$(wc -l <"$work/out")" -eq 3 ] || fail "rows of a file: $(cat "$work/out")"
[ "$(sed -n 1p "$work/out")" = "$(sed -n 3p "$work/out")" ] || fail "the same text has two rows: $(cat "$work/out")"
cp "$work/out" "$work/rows"
run "rows of texts" 0 embed --dimensions 3 "one stone" "two rivers" "one stone"
cmp -s "$work/out" "$work/rows" || fail "rows of texts and of lines differ"
printf '%s\n' a '[]' '[b, c]' '{}' --json >"$work/brackets"
run "rows of lines in brackets" 0 embed --dimensions 3 --file "$work/brackets"
cp "$work/out" "$work/bracket_rows"
run "rows of texts in brackets" 0 embed --dimensions 3 a '[]' '[b, c]' '{}' -- --json
cmp -s "$work/out" "$work/bracket_rows" || fail "rows of texts and of lines in brackets differ: $(cat "$work/out")"
run "rows and an unknown option" 2 embed --frobnicate a; says "rows and an unknown option" "--frobnicate"
"$program" embed --file - --dimensions 3 <"$work/texts" | cmp -s - "$work/rows" || fail "texts from standard input"
run "embedding, JSON" 0 embed --json --dimensions 3 a b
grep -q '"object":"list"' "$work/out" || fail "embedding, JSON: $(cat "$work/out")"
run "embedding, Databricks" 0 embed --embedded --provider databricks --instruction "Find:" a; printed "embedding, Databricks"
run "NumPy array" 0 embed --file "$work/texts" --dimensions 3 --npy "$work/rows.npy"; silent "NumPy array"
[ "$(wc -c <"$work/rows.npy")" -eq 164 ] || fail "NumPy array: $(wc -c <"$work/rows.npy") bytes"
[ "$(head -c 6 "$work/rows.npy" | od -An -tx1)" = " 93 4e 55 4d 50 59" ] || fail "NumPy array: wrong magic"
grep -qaF "(3, 3)" "$work/rows.npy" || fail "NumPy array: wrong shape"
run "NumPy array, printed" 0 embed --file "$work/texts" --dimensions 3 --npy -
cmp -s "$work/out" "$work/rows.npy" || fail "printed and written arrays differ"
for option in --npy --checkpoint; do
  run "$option over the texts" 2 embed --file "$work/texts" "$option" "$work/../${work##*/}/texts"
  says "$option over the texts" "has the texts"
done
[ "$(wc -l <"$work/texts")" -eq 3 ] || fail "rows took the place of their texts"
run "rows over their checkpoint" 2 embed --npy "$work/both" --checkpoint "$work/both" a; says "over their checkpoint" "is the checkpoint"
run "rows with a checkpoint" 0 embed --file "$work/texts" --dimensions 3 --batch 1 --in-flight 2 --checkpoint "$work/point"
cmp -s "$work/out" "$work/rows" || fail "rows with a checkpoint differ"
[ "$(wc -l <"$work/point")" -eq 4 ] || fail "the checkpoint has $(wc -l <"$work/point") lines"
run "a checkpoint alone" 0 embed --base-url http://127.0.0.1:1/v1 --model inferwire-embed --file "$work/texts" --dimensions 3 \
  --checkpoint "$work/point"
cmp -s "$work/out" "$work/rows" || fail "rows of the checkpoint differ"
mkfifo "$work/point_pipe"
run "a pipe for a checkpoint" 2 embed --checkpoint "$work/point_pipe" a; says "a pipe for a checkpoint" "not a regular file"
run "another job's checkpoint" 2 embed --dimensions 3 --checkpoint "$work/point" other; says "another job's" "another job"
{ printf '\357\273\277'; cat "$work/texts"; } >"$work/marked_texts"
run "rows behind a byte order mark" 0 embed --file "$work/marked_texts" --dimensions 3
cmp -s "$work/out" "$work/rows" || fail "a byte order mark is a part of the first text"
run "nothing to embed" 2 embed; says "nothing to embed" "nothing"
run "no such file" 2 embed --file "$work/nowhere"; says "no such file" "$work/nowhere"
printf 'whole\n\xff\n' >"$work/half_texts"
run "a text that is not UTF-8" 2 embed --file "$work/half_texts" --batch 1; says "a text that is not UTF-8" "text 2 failed:"
run "array that cannot be written" 2 embed --npy "$work/no/where" a
run "too many dimensions" 3 embed --dimensions 5000 --npy "$work/no_rows.npy" a
[ ! -e "$work/no_rows.npy" ] || fail "too many dimensions: a file for no rows"
says "too many dimensions" "dimensions"

# A batch reads a file of requests.
request() { # <id> <url> <body>
  printf '{"custom_id": "%s", "method": "POST", "url": "%s", "body": %s}\n' "$@"
}
toy='"model": "inferwire-toy", "max_tokens": 3'
{
  for i in 1 2 3 4 5 6; do request "chat-$i" /v1/chat/completions "{$toy, \"messages\": [{\"role\": \"user\", \"content\": \"hello $i\"}]}"; done
  request text /v1/completions "{$toy, \"prompt\": \"Bread is\"}"
  request rows /v1/embeddings '{"model": "inferwire-embed", "input": ["a", "b"]}'
} >"$work/requests.jsonl"
run "batch" 0 batch "$work/requests.jsonl" "$work/answers.jsonl"; silent "batch"
[ "$(wc -l <"$work/answers.jsonl")" -eq 8 ] || fail "batch: $(cat "$work/answers.jsonl")"
grep -qE '^\{"id":"batch_req_3_[0-9]+","custom_id":"chat-3","response":\{"status_code":200,"request_id":"[^"]+","body":\{.*"object":"chat.completion".*\}\},"error":null\}$' \
  "$work/answers.jsonl" || fail "batch: $(cat "$work/answers.jsonl")"
grep -q '"custom_id":"rows".*"object":"list"' "$work/answers.jsonl" || fail "batch of rows: $(cat "$work/answers.jsonl")"
cp "$work/answers.jsonl" "$work/all.jsonl"
# A last answer that is whole but for its line's end is kept.
{ head -n 2 "$work/all.jsonl"; sed -n 3p "$work/all.jsonl" | tr -d '\n'; } >"$work/endless.jsonl"
run "batch, the last end missing" 0 batch "$work/requests.jsonl" "$work/endless.jsonl"
[ "$(head -n 3 "$work/endless.jsonl") $(wc -l <"$work/endless.jsonl")" = "$(head -n 3 "$work/all.jsonl") 8" ] ||
  fail "batch, the last end missing: $(cat "$work/endless.jsonl")"
# The program's own words do not go into the file where standard output and error are closed.
"$program" batch --json "$work/requests.jsonl" "$work/closed.jsonl" >&- 2>&-
[ $? -eq 2 ] || fail "batch without a standard output is no success"
[ "$(grep -c '^{"id":"batch_req_' "$work/closed.jsonl") $(wc -l <"$work/closed.jsonl")" = "8 8" ] ||
  fail "batch without a standard output: $(cat "$work/closed.jsonl")"
"$program" batch --json "$work/requests.jsonl" "$work/closed.jsonl" >/dev/full 2>"$work/err"
[ $? -eq 2 ] || fail "batch, counted on a full disk, is no success"
if command -v flock >/dev/null; then
  exec 9>"$work/held.jsonl"
  flock 9
  run "batch into another's file" 2 batch "$work/requests.jsonl" "$work/held.jsonl"; says "another's file" "another run"
  run "rows with another's checkpoint" 2 embed --checkpoint "$work/held.jsonl" a; says "another's checkpoint" "another run"
  exec 9>&-
fi
# A killed batch goes on: its file has three whole answers and a piece of one.
{ head -n 3 "$work/all.jsonl"; sed -n 4p "$work/all.jsonl" | head -c 30; } >"$work/answers.jsonl"
grep '"rows"' "$work/requests.jsonl" >"$work/rows.jsonl"
run "batch of rows for a container" 0 batch --embedded --provider lmi "$work/rows.jsonl" "$work/lmi_answers.jsonl"
grep -q '"status_code":200' "$work/lmi_answers.jsonl" || fail "batch of rows for a container: $(cat "$work/lmi_answers.jsonl")"
run "batch, resumed" 0 batch --in-flight 2 "$work/requests.jsonl" "$work/answers.jsonl"
[ "$(head -n 3 "$work/answers.jsonl")" = "$(head -n 3 "$work/all.jsonl")" ] || fail "batch, resumed: answers were lost"
[ "$(grep -o '"custom_id":"[^"]*"' "$work/answers.jsonl" | sort)" = "$(grep -o '"custom_id":"[^"]*"' "$work/all.jsonl" | sort)" ] ||
  fail "batch, resumed: $(cat "$work/answers.jsonl")"
run "batch, counted" 0 batch --json "$work/requests.jsonl" "$work/answers.jsonl"
printed_counts() { [ "$(cat "$work/out")" = "{\"request_counts\":{\"total\":$1,\"completed\":$2,\"failed\":$3},\"answered_before\":$4}" ]; }
printed_counts 0 0 0 8 || fail "batch, counted: $(cat "$work/out")"
run "batch, nothing left" 0 batch --base-url http://127.0.0.1:1/v1 "$work/requests.jsonl" "$work/answers.jsonl"
says "batch, nothing left" "8 of 8 requests have answers in $work/answers.jsonl already"
! grep -q differently "$work/err" || fail "batch, nothing left: $(cat "$work/err")"
# An answer tells which request it belongs to.
sed 's/hello 2/hello again/' "$work/requests.jsonl" >"$work/changed.jsonl"
run "batch, a request changed" 0 batch --base-url http://127.0.0.1:1/v1 "$work/changed.jsonl" "$work/answers.jsonl"
says "batch, a request changed" "line 2 is written differently than when it was answered"
# A batch that is killed in the middle of many requests loses nothing and repeats nothing.
# killed_at LINES FILE ARGUMENT...: kills the program as soon as the file has so many lines
killed_at() {
  local lines=$1 file=$2
  shift 2
  "$program" "$@" >/dev/null 2>&1 &
  local victim=$!
  for _ in $(seq 3000); do
    kill -0 "$victim" 2>/dev/null || break
    [ "$(sed -n '$=' "$file" 2>/dev/null || true)0" -lt "${lines}0" ] || break
    sleep 0.01
  done
  kill -KILL "$victim" 2>/dev/null
  wait "$victim" 2>/dev/null
}
seq 400 >"$work/many"
run "many rows" 0 embed --file "$work/many" --dimensions 3
cp "$work/out" "$work/many_rows"
killed_at 20 "$work/many_point" embed --file "$work/many" --dimensions 3 --batch 1 --checkpoint "$work/many_point"
run "many rows, resumed" 0 embed --file "$work/many" --dimensions 3 --batch 1 --checkpoint "$work/many_point"
cmp -s "$work/out" "$work/many_rows" || fail "many rows, resumed, differ"
[ "$(grep -o '"first":[0-9]*' "$work/many_point" | sort -u | wc -l) $(wc -l <"$work/many_point")" = "400 401" ] ||
  fail "many rows, resumed: the checkpoint has $(wc -l <"$work/many_point") lines"
for i in $(seq 400); do request "id-$i" /v1/embeddings '{"model": "inferwire-embed", "input": "a"}'; done >"$work/many.jsonl"
(
  trap '' XFSZ
  ulimit -f 1
  "$program" batch "$work/many.jsonl" "$work/full.jsonl" 2>"$work/err"
)
[ $? -eq 2 ] || fail "batch on a full disk is no success"
[ "$(cat "$work/err")" = "inferwire: cannot write $work/full.jsonl: File too large" ] || fail "batch on a full disk: $(cat "$work/err")"
# A full disk costs neither rows that were answered nor what the array's file had.
limited() { # <argument>...: with files of at most 1024 bytes
  (
    trap '' XFSZ
    ulimit -f 1
    "$program" "$@" 2>"$work/err"
  ) | cat >"$work/out"
  return "${PIPESTATUS[0]}"
}
limited batch --json "$work/many.jsonl" "$work/full_counted.jsonl"
whole=$(($(wc -l <"$work/full_counted.jsonl")))
printed_counts "$whole" "$whole" 0 0 || fail "batch on a full disk, counted: $(cat "$work/out"), not $whole"
limited embed --file "$work/many" --dimensions 3 --batch 100 --in-flight 1 --checkpoint "$work/full_point"
[ $? -eq 2 ] || fail "a checkpoint on a full disk is no success"
says "a checkpoint on a full disk" "cannot be written: File too large"
[ "$(head -n 100 "$work/out")" = "$(head -n 100 "$work/many_rows")" ] || fail "a checkpoint on a full disk loses rows"
[ "$(grep -cx null "$work/out")" -eq 300 ] || fail "a checkpoint on a full disk: $(grep -cx null "$work/out") rows failed"
# Rows that do not fit into memory end a run: nothing is recorded, so that a smaller run can begin.
yes a | head -n 500000 >"$work/half_million"
in_little_memory() { # <argument>...
  (
    ulimit -v 1500000
    "$program" "$@" >"$work/out" 2>"$work/err"
  )
}
if in_little_memory --version; then # a sanitizer's program does not begin
  in_little_memory embed --file "$work/half_million" --batch 1 --in-flight 1 --checkpoint "$work/little_point"
  status=$?
  [ "$status" -eq 4 ] || fail "rows that do not fit into memory: exit status $status"
  says "rows that do not fit into memory" "do not fit into memory"
  [ "$(wc -l <"$work/little_point")" -eq 1 ] || fail "rows that do not fit into memory are recorded"
fi
echo before >"$work/full.npy"
ln -s full.npy "$work/link.npy"
limited embed --file "$work/many" --dimensions 3 --npy "$work/link.npy"
[ $? -eq 2 ] || fail "an array on a full disk is no success"
says "an array on a full disk" "cannot write $work/link.npy: File too large"
[ "$(cat "$work"/full.npy*)" = before ] || fail "an array on a full disk leaves $(ls "$work"/full.npy*)"
run "an array behind a link" 0 embed --file "$work/many" --dimensions 3 --npy "$work/link.npy"
[[ -L "$work/link.npy" && $(wc -c <"$work/full.npy") -eq 4928 ]] || fail "an array behind a link: $(ls -l "$work"/*.npy)"
killed_at 20 "$work/many_answers.jsonl" batch "$work/many.jsonl" "$work/many_answers.jsonl"
run "many requests, resumed" 0 batch "$work/many.jsonl" "$work/many_answers.jsonl"
[ "$(grep -o '"custom_id":"id-[0-9]*"' "$work/many_answers.jsonl" | sort -u | wc -l) $(wc -l <"$work/many_answers.jsonl")" = "400 400" ] ||
  fail "many requests, resumed: $(wc -l <"$work/many_answers.jsonl") answers"
{
  request mistaken /v1/chat/completions '{"model": "inferwire-toy", "max_tokens": -1, "messages": [{"role": "user", "content": "hi"}]}'
  echo '{"custom_id": "half'
  request elsewhere /v1/files '{}'
  request mistaken /v1/embeddings '{"model": "inferwire-embed", "input": "a"}'
  request streamed /v1/completions "{$toy, \"prompt\": \"a\", \"stream\": true}"
  request unknown /v1/chat/completions '{"model": "nobody", "messages": [{"role": "user", "content": "hi"}]}'
  echo '{"custom_id": 7, "method": "POST", "url": "/v1/embeddings", "body": {}}'
} >"$work/odd.jsonl"
run "batch with mistakes" 3 batch --json "$work/odd.jsonl" "$work/odd_answers.jsonl"
printed_counts 7 0 7 0 || fail "batch with mistakes, counted: $(cat "$work/out")"
says "batch with mistakes" "line 2 is left out: it is not JSON"; says "batch with mistakes" "line 3 is left out: its url"
says "batch with mistakes" "line 4 is left out: its custom_id came before"
says "batch with mistakes" "line 5 is left out: its body asks for a stream"
says "batch with mistakes" "line 6 is left for another run: not_found"
says "batch with mistakes" "line 7 is left out: its custom_id is not a string"
grep -qE '"custom_id":"mistaken","response":\{"status_code":400,.*"error":null\}$' "$work/odd_answers.jsonl" ||
  fail "batch with mistakes: $(cat "$work/odd_answers.jsonl")"
[ "$(wc -l <"$work/odd_answers.jsonl")" -eq 1 ] || fail "batch with mistakes: $(cat "$work/odd_answers.jsonl")"
# The next run also reports the lines that are left out.
run "batch with mistakes, again" 3 batch "$work/odd.jsonl" "$work/odd_answers.jsonl"
says "batch with mistakes, again" "line 4 is left out: its custom_id came before"
says "batch with mistakes, again" "1 of 7 requests has an answer in $work/odd_answers.jsonl already (1 is an error)"
# A request that nobody answered is left for the next run.
request away /v1/completions "{$toy, \"prompt\": \"a\"}" | timeout 60 "$program" batch --base-url http://127.0.0.1:1/v1 - \
  "$work/away.jsonl" 2>"$work/err"
[ $? -eq 4 ] || fail "batch that nobody answers: $(cat "$work/err")"
says "batch that nobody answers" "line 1 is left for another run"
[ ! -s "$work/away.jsonl" ] || fail "batch that nobody answers: $(cat "$work/away.jsonl")"
# The first answer may have been cut, and is asked again; other files stay as they are.
printf '{"id":"batch_req_1","custom_id":"sum' >"$work/torn_first.jsonl"
run "batch, the first answer cut" 0 batch "$work/requests.jsonl" "$work/torn_first.jsonl"
[ "$(wc -l <"$work/torn_first.jsonl")" -eq 8 ] || fail "batch, the first answer cut: $(cat "$work/torn_first.jsonl")"
{ request one /v1/completions "{$toy}"; request two /v1/completions "{$toy}" | tr -d '\n'; } >"$work/others.jsonl"
cp "$work/others.jsonl" "$work/others_before.jsonl"
run "batch over requests" 2 batch "$work/requests.jsonl" "$work/others.jsonl"; says "batch over requests" "without response"
run "batch over its own requests" 2 batch "$work/others.jsonl" "$work/others.jsonl"; says "its own requests" "has the requests"
cmp -s "$work/others.jsonl" "$work/others_before.jsonl" || fail "a batch changed a file of requests"
mkfifo "$work/pipe"
run "batch into a pipe" 2 batch "$work/requests.jsonl" "$work/pipe"; says "batch into a pipe" "no file that answers can go to"
run "batch to standard output" 2 batch "$work/requests.jsonl" -; says "batch to standard output" "answers go to a file"
request claude /v1/chat/completions '{"model": "pt-chat", "max_tokens": 3, "messages": [{"role": "user", "content": "hi"}]}' >"$work/dbx.jsonl"
run "batch, Databricks" 0 batch --embedded --provider databricks "$work/dbx.jsonl" "$work/dbx_answers.jsonl"
"$program" batch <(cat "$work/requests.jsonl") "$work/piped.jsonl" || fail "batch of a pipe: exit status $?"
[ "$(wc -l <"$work/piped.jsonl")" -eq 8 ] || fail "batch of a pipe: $(wc -l <"$work/piped.jsonl") answers"
run "batch, not over other files" 2 batch "$work/requests.jsonl" "$work/texts"; says "not over other files" "no file of answers"
[ "$(wc -l <"$work/texts")" -eq 3 ] || fail "a batch changed a file that is not its own"
run "batch, no such file" 2 batch "$work/nowhere" "$work/away.jsonl"; says "batch, no such file" "cannot read $work/nowhere: No such"
run "batch of a directory" 2 batch "$work" "$work/away.jsonl"; says "batch of a directory" "to its end: Is a directory"
run "batch into nowhere" 2 batch "$work/requests.jsonl" "$work/no/where"; says "batch into nowhere" "cannot write $work/no/where: No such"
run "batch without a name" 2 batch "" "$work/away.jsonl"; says "batch without a name" "in: it is empty"
run "batch into no name" 2 batch "$work/requests.jsonl" ""; says "batch into no name" "out: it is empty"
printf 'one\n\ntwo\n' >"$work/gap"
run "rows of an empty line" 2 embed --file "$work/gap"; says "rows of an empty line" "line 2 of"
run "an array nowhere" 2 embed --npy "$work/no/such.npy" bread; says "an array nowhere" "cannot write"
"$program" models >/dev/full 2>"$work/err"
[ $? -eq 2 ] || fail "a full disk: $(cat "$work/err")"
says "a full disk" "cannot write standard output"
"$program" --version >/dev/full 2>"$work/err"
[ $? -eq 2 ] || fail "a version on a full disk: $(cat "$work/err")"
# starved ARGUMENT...: without a standard input, and with one that cannot be read
starved() {
  "$program" "$@" >"$work/out" 2>"$work/err" <&-
  [ $? -eq 2 ] || fail "$1 without an input: $(cat "$work/err")"
  says "$1 without an input" "to its end"
  "$program" "$@" >"$work/out" 2>"$work/err" <"$work"
  [ $? -eq 2 ] || fail "$1 of a directory: $(cat "$work/err")"
  says "$1 of a directory" "to its end"
}
starved batch - "$work/away.jsonl"
starved embed --file -
starved chat -
starved complete -
starved respond -
for command in chat complete respond; do
  run "$command of an empty input" 2 "$command" -; says "$command of an empty input" "standard input is empty"
done
run "rows of a hyphen" 2 embed -; says "rows of a hyphen" "--file -"
run "rows of a directory" 2 embed --file "$work"; says "rows of a directory" "to its end: Is a directory"
run "rows of nowhere" 2 embed --file "$work/nowhere"; says "rows of nowhere" "cannot read $work/nowhere: No such"

run "models" 0 models; grep -qx 'inferwire-embed' "$work/out" || fail "models: $(cat "$work/out")"
run "one model" 0 models inferwire-toy; [ "$(cat "$work/out")" = inferwire-toy ] || fail "one model: $(cat "$work/out")"
run "endpoints" 0 models --embedded --provider databricks
grep -qx "databricks-bge-large-en	llm/v1/embeddings" "$work/out" || fail "endpoints: $(cat "$work/out")"
run "endpoint, JSON" 0 models --embedded --provider databricks --json pt-chat
grep -q '"task":"llm/v1/chat"' "$work/out" || fail "endpoint, JSON: $(cat "$work/out")"
run "no such model" 3 models nobody; says "no such model" "nobody"

# Profiles are options in a file, chosen by name.
printf '{"default": {"provider": "databricks"}, "toy": {"provider": "openai", "model": "inferwire-toy"}, "odd": {"key": "x"},
  "work": {"provider": "databricks", "base_url": "http://127.0.0.1:1"},
  "strange": {"provider": "nobody"}}' >"$work/profiles.json"
profiled() { INFERWIRE_CONFIG=$work/profiles.json run "$@"; }
profiled "the default profile" 0 models --embedded; grep -q databricks-bge-large-en "$work/out" || fail "the default profile: $(cat "$work/out")"
echo '{"default": {"provider": "openai", "model": "gpt-4o"}}' >"$work/service.json"
INFERWIRE_CONFIG=$work/service.json run "the engine's own model" 0 chat --embedded --max-tokens 2 hi
profiled "a profile" 0 chat --embedded --profile toy --json --max-tokens 2 hi
grep -q '"model":"inferwire-toy' "$work/out" || fail "a profile: $(cat "$work/out")"
profiled "an option goes before the profile" 3 chat --embedded --profile toy --model nobody hi
OPENAI_API_KEY=sekret profiled "another provider's profile" 2 chat --provider openai --profile work --model m hi
says "another provider's profile" "is one of databricks, not of openai"
profiled "no default profile for who names a provider" 2 models --provider openai; says "no default profile" "OPENAI_API_KEY"
printf '{"default": "databricks"}' >"$work/flat.json"
INFERWIRE_CONFIG=$work/flat.json run "a profile that is no object" 2 models; says "a profile that is no object" "is no object"
printf '{"default":' >"$work/half.json"
INFERWIRE_CONFIG=$work/half.json run "half a file of profiles" 2 models
says "half a file of profiles" "$work/half.json: is not JSON: "; says "half a file of profiles" "at byte"
! grep -q -- --profile "$work/err" || fail "half a file of profiles: $(cat "$work/err")"
INFERWIRE_CONFIG=$work run "profiles in a directory" 2 models; says "profiles in a directory" "$work (INFERWIRE_CONFIG): cannot be read"
INFERWIRE_CONFIG=$work/none.json run "profiles nowhere" 2 models; says "profiles nowhere" "(INFERWIRE_CONFIG): cannot be read"
profiled "no such profile" 2 chat --profile none hi; says "no such profile" "has no profile 'none'"
profiled "a profile with a mistake" 2 chat --profile odd hi; says "a profile with a mistake" "'key' in profile 'odd'"
profiled "a profile of nobody" 2 chat --profile strange hi; says "a profile of nobody" "no provider 'nobody'"
INFERWIRE_CONFIG=$work/none.json run "a profile and no file" 2 chat --profile toy hi; says "a profile and no file" "cannot be read"

# Shell completions know commands and options.
completed() { # <word>...: what bash would offer for the last of them
  bash -c 'compopt() { echo "$@"; }; source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _inferwire; echo "${COMPREPLY[@]}"' - \
    "$completions" "$program" "$@"
}
[ "$(completed em)" = embed ] || fail "completion of a command: $(completed em)"
[ "$(completed chat --max-t)" = --max-tokens ] || fail "completion of an option: $(completed chat --max-t)"
[ "$(completed chat --provider data)" = \
  "databricks databricks-openai databricks-open-responses databricks-gateway" ] || fail "completion of a provider"
[ "$(completed auth d)" = describe ] || fail "completion of auth's commands: $(completed auth d)"
if localedef -i tr_TR -f UTF-8 "$work/tr_TR.UTF-8" 2>/dev/null; then # else the locales' sources are not here
  (
    export LOCPATH=$work LC_ALL=tr_TR.UTF-8 # bash warns that it cannot use it itself
    [ "$(completed auth d)$(completed chat --provi)" = describe--provider ]
  ) 2>/dev/null || fail "completion in Turkish"
fi
[ "$(completed auth describe --js)" = --json ] || fail "completion of describe's options: $(completed auth describe --js)"
[ "$(completed auth describe --provider ai)" = ai21 ] || fail "completion of describe's providers"
[ "$(completed chat --provider = sage)" = sagemaker ] || fail "completion after =: $(completed chat --provider = sage)"
[ "$(completed chat --provider =)" = "$(completed chat --provider "")" ] || fail "completion at =: $(completed chat --provider =)"
for words in "serve --gguf" batch "serve --gguf ="; do
  # shellcheck disable=SC2086
  [ "$(completed $words "$work/tex")" = "-o filenames"$'\n'"$work/texts" ] || fail "completion of a file: $(completed $words "$work/tex")"
done
# The completions and the man page list the program's providers; the embedded engine answers as each of them.
providers=$(completed chat --provider "")
[ "$(wc -w <<<"$providers")" -ge 9 ] || fail "completion of all providers: $providers"
for provider in $providers; do
  run "embedded, $provider" 0 chat --embedded --provider "$provider" --max-tokens 5 hello; printed "embedded, $provider"
  grep -qE "^The provider whose API is used: .*\b$provider\b" "$manual" || fail "the man page does not know the provider $provider"
done

OPENAI_API_KEY=k run "a key and nobody to ask" 0 chat --max-tokens 3 hi
says "a key and nobody to ask" "OPENAI_API_KEY is set, but no service is selected"
OPENAI_API_KEY=k run "a key and the engine" 0 chat --embedded --max-tokens 3 hi
[ ! -s "$work/err" ] || fail "a key and the engine: $(cat "$work/err")"
run "auth of nobody" 2 auth describe
grep -qE '^note .*other commands ask the embedded engine' "$work/out" || fail "auth of nobody: $(cat "$work/out")"
run "no command" 2
run "unknown command" 2 frobnicate; says "unknown command" "no command 'frobnicate'"
run "no prompt" 2 chat
run "unknown option" 2 chat --frobnicate hi
run "unknown provider" 2 chat --provider nobody hi; silent "unknown provider"
run "no model" 2 chat --base-url http://127.0.0.1:1/v1 hi; says "no model" "--model"
run "no key for another machine" 2 chat --base-url http://0.0.0.0:1/v1 --model m hi
says "no key for another machine" "no key: set the environment variable OPENAI_API_KEY, or --no-key"
run "another machine without a key" 4 chat --no-key --base-url http://0.0.0.0:1/v1 --model m hi
OPENAI_API_KEY=k run "a key over plain http" 2 chat --base-url http://0.0.0.0:1/v1 --model m hi
says "a key over plain http" "allow it by --allow-plain-http-key"
OPENAI_API_KEY=k run "a key over plain http that may be" 4 chat --allow-plain-http-key --base-url http://0.0.0.0:1/v1 --model m hi
run "not a URL" 2 chat --base-url ftp://h --model m hi
run "a prompt that is not UTF-8" 2 chat $'\xff'
run "unknown model" 3 chat --model nobody hi; says "unknown model" "nobody"; silent "unknown model"
run "a parameter out of range" 3 chat --temperature 9 hi; says "out of range" "temperature"
for option in --base-url --model --profile --system; do
  run "an empty $option" 2 chat "$option" "" hi; says "an empty $option" "$option: it is empty"
done
for option in --api-key --api-key-env --host --allow-host; do
  run "an empty $option" 2 serve "$option" ""; says "an empty $option" "$option: it is empty"
done
for option in --file --checkpoint --npy; do
  run "an empty $option" 2 embed "$option" "" hi; says "an empty $option" "$option: it is empty"
done
for command in chat complete respond; do
  run "an empty prompt, $command" 2 "$command" ""; says "an empty prompt, $command" "prompt: it is empty"
done
for prompt in "-how are you" "-v is what?"; do
  run "a prompt like -h" 2 chat "$prompt"; says "a prompt like -h" "'$prompt' is no option: put -- before"
done
run "a prompt like -h behind --" 2 chat --system -- "-honest answers" hi
! grep -qF "put --" "$work/err" || fail "a prompt like -h behind --: $(cat "$work/err")"
run "help, in short" 0 chat -h; grep -qF 'chat -- "-' "$work/out" || fail "help, in short: no --"
run "an empty name" 2 models ""; says "an empty name" "name: it is empty"
run "requests that could be octal" 2 batch --in-flight 010 "$work/requests.jsonl" "$work/octal.jsonl"
says "requests that could be octal" "decimal digits"
run "a number that does not fit" 2 chat --seed 99999999999999999999 hi; says "a number that does not fit" "out of range"
run "a number that could be octal" 2 chat --max-tokens 010 hi; says "a number that could be octal" "decimal digits"
for host in http://127.0.0.1 http://127.0.0.2 http://LOCALHOST "http://[::1]" https://127.0.0.1; do
  run "nobody listens at $host" 4 chat --base-url "$host:1/v1" --model m hi
done
for host in http://localhost.example.invalid http://127.0.0.1.example.invalid; do
  run "$host is another machine" 2 chat --base-url "$host:1/v1" --model m hi
  says "$host is another machine" "no key"
done
run "named key is missing" 2 serve --api-key-env INFERWIRE_TEST_NO_SUCH_KEY
run "port out of range" 2 serve --port 70000

"$program" chat --max-tokens 5000 hi | head -c 1 >/dev/null
status=${PIPESTATUS[0]}
[ "$status" -eq 0 ] || [ "$status" -eq 141 ] || fail "a reader that leaves: exit status $status"

# start_server WORD...: a command, which may begin with assignments
start_server() {
  : >"$work/address" # of the server before
  env "$@" >"$work/address" 2>"$work/server_err" &
  server=$!
  for _ in $(seq 200); do grep -q listening "$work/address" && break; sleep 0.05; done
  url=$(sed -n '1s/^listening on //p; 1s/.*listening_on":"\(.*\)"}/\1/p' "$work/address")
  [ -n "$url" ] || fail "serve printed no address: $(cat "$work/server_err")"
}
# await_end WHAT PROCESS: gives its exit status
await_end() {
  timeout 60 tail -s 0.05 --pid="$2" -f /dev/null || { fail "$1: it does not end"; kill -KILL "$2"; }
  wait "$2" 2>/dev/null
}
stop_server() {
  kill "-$1" "$server"
  await_end "serve after SIG$1" "$server"
  local status=$?
  [ "$status" -eq 0 ] || fail "serve after SIG$1: exit status $status"
  server=
}

start_server "$program" serve --json
grep -qx '{"listening_on":"http://127.0.0.1:[0-9]*"}' "$work/address" || fail "serve --json: $(cat "$work/address")"
stop_server TERM
start_server "$program" serve
run "over HTTP" 0 chat --base-url "$url/v1" --model inferwire-toy --seed 3 --max-tokens 20 "Tell me about bread."
cmp -s "$work/out" "$work/streamed" || fail "the answer over HTTP differs from the embedded one"
run "completion over HTTP" 0 complete --base-url "$url/v1" --model inferwire-toy --seed 3 --max-tokens 20 \
  "The weather in the"
cmp -s "$work/out" "$work/completed" || fail "the completion over HTTP differs from the embedded one"
run "embedding over HTTP" 0 embed --base-url "$url/v1" --model inferwire-embed --file "$work/texts" --dimensions 3
cmp -s "$work/out" "$work/rows" || fail "rows over HTTP differ from the embedded ones"
run "models over HTTP" 0 models --base-url "$url/v1"; printed "models over HTTP"
run "response over HTTP" 0 respond --no-stream --json --base-url "$url/v1" --model inferwire-toy --max-output-tokens 16 hello
run "response after another" 0 respond --base-url "$url/v1" --model inferwire-toy --max-output-tokens 16 \
  --previous "$(grep -o 'resp_[0-9a-f]*' "$work/out")" "And then?"
printed "response after another"
DATABRICKS_HOST=$url run "host from the environment" 0 chat --provider databricks --endpoint pt-chat --max-tokens 3 hi
run "a further name of nothing" 2 serve --model a=nobody; says "a further name of nothing" "no endpoint is called nobody"
run "a further name without one" 2 serve --model =pt-chat; says "a further name without one" "there is no name"
run "no threads" 2 serve --threads 0; says "no threads" "--threads"
run "a pace without an end" 2 serve --tokens-per-second 1e-300
for option in --tokens-per-second --jitter; do
  run "$option, no number" 2 serve "$option" nan; says "$option, no number" "'nan' is no finite number"
done
run "a speed without an end" 2 replay --cassette "$work/texts" --speed inf; says "a speed without an end" "no finite number"
run "no body" 2 serve --max-body 0; says "no body" "--max-body: it is 0"
if [ -e /proc/self/mem ]; then
  run "a script that cannot be read" 2 serve --rules /proc/self/mem; says "a script that" "/proc/self/mem: cannot be read: "
fi
run "a deadline without an end" 2 serve --deadline 9223372036854775807
run "a wait without an end" 2 serve --ttft 9223372036854775807
run "the port is taken" 4 serve --port "${url##*:}"; says "the port is taken" "in use"
stop_server TERM

start_server "$program" serve --rules "$examples/script.json" --literal-defaults --lmi-profile 0.29
run "the script refuses once and then speaks" 0 chat --base-url "$url/v1" --model inferwire-toy "the weather?"
grep -qF "Sunny, with a light breeze." "$work/out" || fail "the script said: $(head -c 300 "$work/out")"
stop_server TERM
start_server "$program" serve --model gpt-4o --model o3=databricks-gpt-5
for name in gpt-4o o3; do
  run "a model by a further name, $name" 0 chat --json --no-stream --base-url "$url/v1" --model "$name" --max-tokens 3 hi
  says_out="\"model\":\"$name\""
  grep -q "$says_out" "$work/out" || fail "a model by a further name: no $says_out in $(cat "$work/out")"
done
stop_server TERM
start_server "$program" serve --max-body 40
run "a body that is too long" 3 chat --base-url "$url/v1" --model inferwire-toy hi; says "a body that is too long" "40 bytes"
stop_server TERM
# A job that waits for the service says so, once, where there is no terminal.
echo '{"rules": [{"replies": [{"failure": {"status": 429, "message": "Later.", "retry_after": 20}}]}]}' >"$work/later.json"
start_server "$program" serve --rules "$work/later.json"
for words in "batch $work/requests.jsonl $work/later.jsonl" "embed --model inferwire-embed --batch 1 a b c"; do
  : >"$work/err" # a "waits" of the job before would have this one killed before it is the program
  # shellcheck disable=SC2086
  "$program" $words --base-url "$url/v1" >/dev/null 2>"$work/err" &
  client=$!
  for _ in $(seq 200); do grep -q waits "$work/err" && break; sleep 0.05; done
  kill "$client"
  await_end "$words, which waits" "$client"
  [[ $(cat "$work/err") =~ ^inferwire:\ waits\ 20\ s\ for\ the\ service\ \([1-8]\ requests?\ repeated\)$ ]] || fail "$words, which waits: $(cat "$work/err")"
done
stop_server TERM
# A request that a busy server refused is left for the next run.
echo '{"rules": [{"replies": [{"failure": {"status": 429, "message": "Come later.", "retry_after": 3600}}]}]}' >"$work/busy.json"
start_server "$program" serve --rules "$work/busy.json"
run "batch that comes too early" 3 batch --base-url "$url/v1" "$work/requests.jsonl" "$work/early.jsonl"
says "batch that comes too early" "Come later"
! grep -q waits "$work/err" || fail "batch that comes too early: $(cat "$work/err")"
[ ! -s "$work/early.jsonl" ] || fail "batch that comes too early: $(cat "$work/early.jsonl")"
stop_server TERM
# A request that the server failed at, or that went to a wrong address, is left for the next run.
for status in 403 404 405 424 500; do
  echo "{\"rules\": [{\"replies\": [{\"failure\": {\"status\": $status, \"message\": \"Not now.\"}}]}]}" >"$work/down.json"
  start_server "$program" serve --rules "$work/down.json"
  run "batch, status $status" 3 batch --base-url "$url/v1" "$work/rows.jsonl" "$work/down.jsonl"
  says "batch, status $status" "line 1 is left for another run"
  [ ! -s "$work/down.jsonl" ] || fail "batch, status $status: $(cat "$work/down.jsonl")"
  stop_server TERM
done
cat >"$work/failed.json" <<'END'
{"rules": [{"replies": [{"body": {"content_type": "application/json",
  "bytes": "{\"id\": \"r\", \"object\": \"response\", \"status\": \"failed\",\n \"output\": [], \"error\": {\"code\": \"server_error\", \"message\": \"It broke.\"}}"}}]}]}
END
start_server "$program" serve --rules "$work/failed.json"
run "a response that failed" 3 respond --no-stream --base-url "$url/v1" --model inferwire-toy hi
says "a response that failed" "It broke"; [ ! -s "$work/out" ] || fail "a response that failed: $(cat "$work/out")"
run "a response that failed, JSON" 3 respond --no-stream --json --base-url "$url/v1" --model inferwire-toy hi
[ "$(wc -l <"$work/out")" -eq 1 ] || fail "a response that failed, JSON: $(cat "$work/out")"
stop_server TERM
cat >"$work/items.json" <<'END'
{"rules": [{"replies": [{"body": {"content_type": "text/event-stream",
  "bytes": "data: {\"type\": \"response.output_item.done\", \"output_index\": 0, \"item\": {\"type\": \"message\", \"id\": \"i\", \"role\": \"assistant\", \"content\": [{\"type\": \"output_text\", \"text\": \"It came whole.\"}]}}\n\ndata: [DONE]\n\n"}}]}]}
END
start_server "$program" serve --rules "$work/items.json"
run "a stream of whole items" 0 respond --base-url "$url/v1" --model inferwire-toy hi
[ "$(cat "$work/out")" = "It came whole." ] || fail "a stream of whole items: $(cat "$work/out")"
stop_server TERM
# A refusal stands where there is no text.
cat >"$work/refusal.json" <<'END'
{"rules": [{"times": 1, "replies": [{"body": {"content_type": "application/json",
  "bytes": "{\"id\": \"c\", \"model\": \"m\", \"choices\": [{\"index\": 0, \"finish_reason\": \"stop\", \"message\": {\"role\": \"assistant\", \"content\": null, \"refusal\": \"I will not.\"}}]}"}}]},
 {"times": 1, "replies": [{"body": {"content_type": "text/event-stream",
  "bytes": "data: {\"choices\": [{\"index\": 0, \"delta\": {\"refusal\": \"I will \"}}]}\n\ndata: {\"choices\": [{\"index\": 0, \"delta\": {\"refusal\": \"not.\"}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n"}}]},
 {"replies": [{"body": {"content_type": "application/json",
  "bytes": "{\"id\": \"r\", \"object\": \"response\", \"status\": \"completed\", \"output\": [{\"type\": \"message\", \"id\": \"i\", \"role\": \"assistant\", \"content\": [{\"type\": \"refusal\", \"refusal\": \"I will not.\"}]}]}"}}]}]}
END
start_server "$program" serve --rules "$work/refusal.json"
for words in "chat --no-stream" chat "respond --no-stream"; do
  # shellcheck disable=SC2086
  run "a refusal, $words" 0 $words --base-url "$url/v1" --model inferwire-toy hi
  [ "$(cat "$work/out")" = "I will not." ] || fail "a refusal, $words: $(cat "$work/out")"
done
stop_server TERM
# An answer that the service ended before its time is no success.
while IFS='|' read -r expected words type sentence body; do
  printf '{"rules": [{"replies": [{"body": {"content_type": "%s", "bytes": "%s"}}]}]}' "$type" "$body" >"$work/ended.json"
  start_server "$program" serve --rules "$work/ended.json"
  # shellcheck disable=SC2086
  run "$words: $sentence" "$expected" $words --base-url "$url/v1" --model inferwire-toy hi
  says "$words" "$sentence"
  [[ $sentence != "the service"* || $(cat "$work/out") == Half ]] || fail "$words: $sentence: $(cat "$work/out")"
  [[ $sentence == "the service"* ]] || [ -z "$(tr -d '\n' <"$work/out")" ] || fail "$words: $sentence: $(cat "$work/out")"
  stop_server TERM
done <<'END'
5|chat --no-stream|application/json|the service broke|{\"choices\": [{\"index\": 0, \"finish_reason\": \"insufficient_system_resource\", \"message\": {\"role\": \"assistant\", \"content\": \"Half\"}}]}
5|chat|text/event-stream|the service broke|data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"Half\"}}]}\n\ndata: {\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"insufficient_system_resource\"}]}\n\ndata: [DONE]\n\n
5|complete --no-stream|application/json|the service broke|{\"choices\": [{\"index\": 0, \"finish_reason\": \"error\", \"text\": \"Half\"}]}
3|chat --no-stream|application/json|a filter of the service|{\"choices\": [{\"index\": 0, \"finish_reason\": \"content_filter\", \"message\": {\"role\": \"assistant\", \"content\": null}}]}
3|chat|text/event-stream|a filter of the service|data: {\"choices\": [{\"index\": 0, \"delta\": {\"role\": \"assistant\"}, \"finish_reason\": \"content_filter\"}]}\n\ndata: [DONE]\n\n
3|respond --no-stream|application/json|was cancelled|{\"id\": \"r\", \"object\": \"response\", \"status\": \"cancelled\", \"output\": []}
0|respond --no-stream|application/json|there is no text|{\"id\": \"r\", \"object\": \"response\", \"status\": \"incomplete\", \"incomplete_details\": {\"reason\": \"max_output_tokens\"}, \"output\": []}
0|chat|text/event-stream|there is no text|data: {\"choices\": [{\"index\": 0, \"delta\": {\"reasoning_content\": \"Hm\"}, \"finish_reason\": \"length\"}]}\n\ndata: [DONE]\n\n
END
# A request whose answer breaks off is left for the next run; texts that fail do not lose the rows of others.
echo '{"rules": [{"fault": {"cut_after_bytes": 5}}]}' >"$work/cut.json"
start_server "$program" serve --rules "$work/cut.json"
run "batch that breaks off" 4 batch --base-url "$url/v1" "$work/rows.jsonl" "$work/broken.jsonl"
says "batch that breaks off" "line 1 is left for another run"
[ ! -s "$work/broken.jsonl" ] || fail "batch that breaks off: $(cat "$work/broken.jsonl")"
stop_server TERM
# A status of 200 does not make an answer of a page, of nothing or of an error, unless that is about the request;
# nor is one of 400 always about the request.
# answered_by <status> <content type> <body, escaped for JSON>
answered_by() {
  printf '{"rules": [{"replies": [{"body": {"status": %s, "content_type": "%s", "bytes": "%s"}}]}]}' "$@" >"$work/good.json"
  start_server "$program" serve --rules "$work/good.json"
}
deep=$(printf '[%.0s' $(seq 255))$(printf ']%.0s' $(seq 255))
while IFS='|' read -r expected status type body; do
  answered_by "$status" "$type" "$body"
  run "batch answered by '$body'" "$expected" batch --base-url "$url/v1" "$work/rows.jsonl" "$work/good.jsonl"
  says "batch answered by '$body'" "line 1 is left for another run"
  [ ! -s "$work/good.jsonl" ] || fail "batch answered by '$body': $(cat "$work/good.jsonl")"
  stop_server TERM
done <<END
4|200|text/html|<html><title>Sign in</title></html>
4|200|application/json|
4|200|application/json|\\"Sign in.\\"
4|200|application/json|{\\"deep\\": $deep}
3|200|application/json|{\\"error\\": {\\"message\\": \\"Not now.\\", \\"code\\": 503}}
3|200|application/json|{\\"choices\\": [{\\"finish_reason\\": \\"error\\", \\"error\\": {\\"message\\": \\"Not now.\\", \\"code\\": 502}}]}
3|200|application/json|{\\"object\\": \\"response\\", \\"status\\": \\"failed\\", \\"output\\": []}
3|400|text/html|<html><title>400 The plain HTTP request was sent to HTTPS port</title></html>
3|400|text/plain|Client sent an HTTP request to an HTTPS server.
3|400|application/json|{\\"error\\": {\\"message\\": \\"No.\\", \\"code\\": \\"model_not_found\\"}}
3|400|application/json|{\\"error\\": {\\"message\\": \\"No.\\", \\"param\\": \\"model\\"}}
3|400|application/json|[{\\"error\\": {\\"message\\": \\"No.\\", \\"code\\": \\"API_KEY_INVALID\\"}}]
END
answered_by 400 application/json '{\"error\": {\"message\": \"It is gone.\", \"code\": \"previous_response_not_found\"}}'
run "batch that is at fault" 3 batch --base-url "$url/v1" "$work/rows.jsonl" "$work/fault.jsonl"
grep -q '"status_code":400.*It is gone' "$work/fault.jsonl" || fail "batch that is at fault: $(cat "$work/fault.jsonl")"
stop_server TERM
answered_by 200 application/json '{\"error\": {\"message\": \"No.\", \"code\": \"content_filter\"}}'
run "batch that is filtered" 3 batch --base-url "$url/v1" "$work/rows.jsonl" "$work/good.jsonl"
grep -q '"status_code":200.*content_filter' "$work/good.jsonl" || fail "batch that is filtered: $(cat "$work/good.jsonl")"
stop_server TERM
# Programs get what a model wrote byte for byte; terminal_test.sh shows what a terminal gets.
answered_by 200 application/json \
  '{\"choices\": [{\"index\": 0, \"message\": {\"role\": \"assistant\", \"content\": \"a\\u001b]0;b\\u0007\\u009b\"}, \"finish_reason\": \"stop\"}]}'
run "control characters" 0 chat --no-stream --base-url "$url/v1" --model m hi
[ "$(cat "$work/out")" = $'a\e]0;b\a\xc2\x9b' ] || fail "control characters: $(cat -v "$work/out")"
stop_server TERM
echo '{"rules": [{"times": 1, "replies": [{"failure": {"status": 400, "message": "Not this one."}}]}]}' >"$work/once.json"
start_server "$program" serve --rules "$work/once.json"
run "rows, one of which fails" 3 embed --base-url "$url/v1" --model inferwire-embed --batch 1 --in-flight 1 one two
[ "$(head -n 1 "$work/out") $(wc -l <"$work/out")" = "null 2" ] || fail "rows, one of which fails: $(head -c 300 "$work/out")"
says "rows, one of which fails" "Not this one"
stop_server TERM
echo '{"rules": [{"wen": {}}]}' >"$work/bad.json"
run "a script with a mistake" 2 serve --rules "$work/bad.json"; says "a script with a mistake" "rules[0].wen"

start_server "$program" serve --rules "$examples/script.json" --seed 1
upstream=$server upstream_url=$url
start_server "$program" record --base-url "$upstream_url" --cassette "$work/cassette.jsonl"
run "through the recorder" 0 chat --base-url "$url/v1" --model inferwire-toy --seed 3 --max-tokens 10 "hello"
cp "$work/out" "$work/recorded"
stop_server TERM
kill -TERM "$upstream"; await_end "the upstream of a recorder" "$upstream"
start_server "$program" replay --cassette "$work/cassette.jsonl" --speed 0
run "from the cassette" 0 chat --base-url "$url/v1" --model inferwire-toy --seed 3 --max-tokens 10 "hello"
cmp -s "$work/out" "$work/recorded" || fail "the cassette played something else"
run "not on the cassette" 3 chat --base-url "$url/v1" --model inferwire-toy "goodbye"
stop_server TERM
run "no cassette" 2 replay --cassette "$work/none"
for file in texts no_profiles.json; do
  run "no cassette, $file" 2 replay --cassette "$work/$file"; says "no cassette, $file" "$work/$file is no cassette"
  ! grep -q 'json\.exception' "$work/err" || fail "no cassette, $file: $(cat "$work/err")"
done
run "a recording in another file" 2 record --base-url http://127.0.0.1:1 --cassette "$work/texts"
says "a recording in another file" "$work/texts is no cassette"
run "no base URL" 2 record --base-url nowhere --cassette "$work/none"; says "no base URL" "the base URL has no scheme"
start_server "$program" record --base-url http://0.0.0.0:1 --cassette "$work/none"
OPENAI_API_KEY=k run "a key through a recorder" 3 chat --base-url "$url/v1" --model m hi
says "a key through a recorder" "A key would be sent over plain http to 0.0.0.0"
says "a key through a recorder" "allow it by --allow-plain-http-key of inferwire record."
stop_server TERM
start_server "$program" record --allow-plain-http-key --base-url http://0.0.0.0:1 --cassette "$work/none"
OPENAI_API_KEY=k run "a key that may go through a recorder" 3 models --base-url "$url/v1" m
says "a key that may go through a recorder" "HTTP 502"
stop_server TERM
start_server "$program" serve --seed 1
upstream=$server upstream_url=$url
start_server "$program" record --base-url "$upstream_url" --cassette /dev/full
run "through a recorder on a full disk" 0 chat --base-url "$url/v1" --model inferwire-toy --max-tokens 3 hello
kill -TERM "$server"; await_end "a recorder on a full disk" "$server"; [ $? -eq 2 ] || fail "a cassette that was not written is no success"
grep -q "No space left" "$work/server_err" || fail "a full disk: $(cat "$work/server_err")"
kill -TERM "$upstream"; await_end "the upstream of a recorder on a full disk" "$upstream"

start_server INFERWIRE_API_KEY=sekret "$program" serve --tokens-per-second 20
run "no key" 3 chat --base-url "$url/v1" --model inferwire-toy hi; says "no key" "401"
OPENAI_API_KEY=wrong-key run "wrong key" 3 chat --base-url "$url/v1" --model inferwire-toy hi
! grep -q 'wrong-key\|sekret' "$work/err" || fail "a key was printed"
OPENAI_API_KEY=sekret run "right key" 0 chat --base-url "$url/v1" --model inferwire-toy --max-tokens 2 hi
: >"$work/out"
OPENAI_API_KEY=sekret timeout 60 "$program" chat --base-url "$url/v1" --model inferwire-toy --seed 3 \
  "Tell me about bread." >"$work/out" 2>"$work/err" &
client=$!
for _ in $(seq 200); do [ -s "$work/out" ] && break; sleep 0.05; done
stop_server INT
await_end "a client whose server stops" "$client"
status=$?
[ "$status" -eq 5 ] || [ "$status" -eq 4 ] || fail "a server that stops in a stream: exit status $status"

[ "$failures" -eq 0 ] && echo "the program does what it says"
exit "$((failures > 0))"
