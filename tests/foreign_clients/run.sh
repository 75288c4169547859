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

# run_clients REGISTRY RUNNER SUITE...: installs the suites with install_REGISTRY and runs them; a failed installation
# is a failure only if the registry answers.
run_clients() {
  local registry=$1 runner=$2 suite
  if ! "install_$registry"; then
    if "reach_$registry"; then
      echo "the clients of $registry cannot be installed" >&2
      return 1
    fi
    skipped+=("${*:3}: $registry cannot be reached, or its program is not installed")
    return
  fi
  for suite in "${@:3}"; do
    echo "== $suite"
    cp "$here/$suite" .
    "$runner" "$suite" "${addresses[@]}"
  done
}

install_npm() {
  command -v npm >/dev/null || return
  echo '{"private":true,"type":"module"}' >package.json
  npm install --no-audit --no-fund --silent openai zod @langchain/core @langchain/openai ai @ai-sdk/openai @ai-sdk/openai-compatible
}
reach_npm() { command -v npm >/dev/null && npm view openai version >/dev/null 2>&1; }

install_pypi() { python3 -m venv venv && venv/bin/pip install --quiet openai pydantic ai21 boto3; }
reach_pypi() { [ -x venv/bin/pip ] && venv/bin/pip download --quiet --no-deps --dest reached openai >/dev/null 2>&1; }

run_clients npm node openai_client.mjs langchain_client.mjs ai_sdk_client.mjs
run_clients pypi venv/bin/python openai_client.py ai21_client.py boto3_client.py

for suites in "${skipped[@]}"; do echo "SKIPPED $suites"; done
