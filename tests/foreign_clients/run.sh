#!/usr/bin/env bash
# Drives `inferwire serve` with public clients, unmodified, installed from their registries into a temporary directory.
# The last lines name each registry that cannot be reached; its clients are skipped.
#
# usage: run.sh [path/to/inferwire]      without a program, builds one
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -gt 0 ]; then
  program=$(realpath "$1")
else
  root=$here/../..
  cmake -S "$root" -B "$root/build/foreign_clients" -G Ninja -DCMAKE_BUILD_TYPE=Release -DINFERWIRE_BUILD_TESTS=OFF
  cmake --build "$root/build/foreign_clients" --target inferwire_cli
  program=$root/build/foreign_clients/src/cli/inferwire
fi
work=$(mktemp -d)
servers=()
skipped=()
trap '[ ${#servers[@]} -eq 0 ] || kill "${servers[@]}" 2>/dev/null; rm -rf "$work"' EXIT

serve() { # serve FILE OPTION [ASSIGNMENT...]: starts a server that prints its address to FILE
  env -u INFERWIRE_API_KEY "${@:3}" "$program" serve ${2:+"$2"} >"$1" &
  servers+=($!)
  for _ in $(seq 200); do grep -q listening "$1" && return; sleep 0.05; done
  echo "the server did not start" >&2
  return 1
}
serve "$work/open" ""
serve "$work/keyed" "" INFERWIRE_API_KEY=right-key
serve "$work/signed" --sigv4 AWS_ACCESS_KEY_ID=AKIDEXAMPLE AWS_SECRET_ACCESS_KEY=right-secret
addresses=()
for file in open keyed signed; do addresses+=("$(sed -n '1s/^listening on //p' "$work/$file")"); done
cd "$work"

# run_clients REGISTRY RUNNER SUITE...: installs the suites with install_REGISTRY and runs them; skips them if
# reach_REGISTRY fails. A registry that answers may still fail once.
run_clients() {
  local registry=$1 runner=$2 suite
  if ! "reach_$registry"; then
    skipped+=("${*:3}: $registry cannot be reached, or its program is not installed")
    return
  fi
  if ! "install_$registry" && ! "install_$registry"; then
    echo "the clients of $registry cannot be installed" >&2
    return 1
  fi
  for suite in "${@:3}"; do
    echo "== $suite"
    cp "$here/$suite" .
    "$runner" "$suite" "${addresses[@]}"
  done
}

# A network that drops packets lets these programs wait for many minutes.
reach_npm() { command -v npm >/dev/null && timeout 20 npm view openai version >/dev/null 2>&1; }
install_npm() {
  echo '{"private":true,"type":"module"}' >package.json
  timeout 300 npm install --ignore-scripts --no-audit --no-fund --silent \
    openai zod @langchain/core @langchain/openai ai @ai-sdk/openai @ai-sdk/openai-compatible
}

reach_pypi() {
  python3 -m venv venv && timeout 20 venv/bin/pip download --quiet --no-deps --dest reached openai >/dev/null 2>&1
}
install_pypi() { timeout 300 venv/bin/pip install --quiet --only-binary=:all: openai pydantic ai21 boto3; }

run_clients npm node openai_client.mjs langchain_client.mjs ai_sdk_client.mjs
run_clients pypi venv/bin/python openai_client.py ai21_client.py boto3_client.py

for suites in "${skipped[@]}"; do echo "SKIPPED $suites"; done
