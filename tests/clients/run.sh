#!/usr/bin/env bash
# Drives `inferwire serve` with public clients, installed from their registry into a temporary directory.
# usage: run.sh [path/to/inferwire]      without a program, builds one; needs node, npm and the network: nightly only
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -gt 0 ]; then
  program=$(realpath "$1")
else
  root=$here/../..
  cmake -S "$root" -B "$root/build/clients" -G Ninja -DCMAKE_BUILD_TYPE=Release -DINFERWIRE_BUILD_TESTS=OFF
  cmake --build "$root/build/clients" --target inferwire_cli
  program=$root/build/clients/src/cli/inferwire
fi
work=$(mktemp -d)
servers=()
trap '[ ${#servers[@]} -eq 0 ] || kill "${servers[@]}" 2>/dev/null; rm -rf "$work"' EXIT

serve() { # serve FILE [ASSIGNMENT]: starts a server that prints its address to FILE
  env -u INFERWIRE_API_KEY "${@:2}" "$program" serve >"$1" &
  servers+=($!)
  for _ in $(seq 200); do grep -q listening "$1" && return; sleep 0.05; done
  echo "the server did not start" >&2
  return 1
}
serve "$work/open"
serve "$work/keyed" INFERWIRE_API_KEY=right-key

cd "$work"
echo '{"private":true,"type":"module"}' >package.json
npm install --no-audit --no-fund --silent openai zod
cp "$here/openai_client.mjs" .
node openai_client.mjs "$(sed -n '1s/^listening on //p' open)" "$(sed -n '1s/^listening on //p' keyed)"
