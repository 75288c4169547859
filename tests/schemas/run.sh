#!/usr/bin/env bash
# Writes texts of many random schemas and checks them with Ajv, which is installed from npm into a temporary directory.
# usage: run.sh path/to/engine_test [schemas]      needs node, npm and the network: nightly only
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?the program with the tests of the engine is needed}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

INFERWIRE_SCHEMAS=${2:-100000} INFERWIRE_SCHEMA_LOG=$work/texts.jsonl "$program" "every text of a random schema*"

cd "$work"
echo '{"private":true,"type":"module"}' >package.json
npm install --ignore-scripts --no-audit --no-fund --silent ajv ajv-formats
cp "$here/ajv.mjs" .
node ajv.mjs texts.jsonl
