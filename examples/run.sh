#!/usr/bin/env bash
# Builds the library and its program, streams a chat with the embedded engine, then the same chat over HTTP with
# `inferwire serve`. Needs no key, and nothing beyond a fresh Debian 12.
#
# usage: examples/run.sh [option of cmake]...
#
# INFERWIRE_BUILD_DIR names another directory to build in than build/examples.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh

# The environment's settings for real services must not be used here.
unset OPENAI_BASE_URL OPENAI_API_KEY DATABRICKS_HOST DATABRICKS_TOKEN INFERWIRE_API_KEY

prompt="Tell me something about rivers."
build=${INFERWIRE_BUILD_DIR:-build/examples}

need_packages "${inferwire_build_packages[@]}"
mkdir -p "$build"
echo '{}' >"$build/profiles.json" # the user's profiles must not be used either
export INFERWIRE_CONFIG=$build/profiles.json
echo "== building the library and the program in $build"
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DINFERWIRE_BUILD_TESTS=OFF \
  "${inferwire_cmake_options[@]}" "$@" \
  >"$build/configure.log" 2>&1 || { cat "$build/configure.log"; exit 1; }
cmake --build "$build" --target inferwire_cli --parallel 2
inferwire="$build/src/cli/inferwire"

echo
echo "== 1. a streamed chat with the engine inside the program: no network, no key"
echo "\$ inferwire chat --stream \"$prompt\""
"$inferwire" chat --stream --max-tokens 60 "$prompt"

echo
echo "== 2. the same over HTTP: the engine behind a port of this machine"
work=$(mktemp -d)
server=
cleanup() {
  if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
mkfifo "$work/address"
echo "\$ inferwire serve --port 0 &"
"$inferwire" serve --port 0 >"$work/address" &
server=$!
exec {lines}<"$work/address" # stays open: the server may write more
read -r -t 30 -u "$lines" first || { echo "the server printed no address" >&2; exit 1; }
echo "$first"
address=$(grep -oE 'https?://[^ ]+' <<<"$first")
echo "\$ inferwire chat --stream --base-url $address/v1 --model inferwire-toy \"$prompt\""
"$inferwire" chat --provider openai --base-url "$address/v1" --model inferwire-toy --stream \
  --max-tokens 60 "$prompt"

echo
echo "== 3. stopping the server"
kill -TERM "$server"
status=0
wait "$server" || status=$?
server=
exec {lines}<&-
if ((status != 0)); then
  echo "the server ended with $status" >&2
  exit 1
fi

echo
echo "Done: built the library and the program, streamed a chat in process, streamed it over HTTP from $address,"
echo "and stopped the server cleanly (exit code 0)."
