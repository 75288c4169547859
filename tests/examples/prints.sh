#!/usr/bin/env bash
# Checks that an example ends well and prints what its comment says, with no real service named in the environment, and
# one in the usual profile of Databricks.
#
# usage: prints.sh <regular expression, of all that it prints> <program> [argument]...
set -euo pipefail
expected=$1
shift
# shellcheck source=tests/support/own_environment.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/own_environment.sh"

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
printf '[DEFAULT]\nhost = http://127.0.0.1:1\ntoken = any\n' >"$home/.databrickscfg"
export HOME=$home

status=0
printed=$("$@" <<<"Tell me about rivers.") || status=$? # for those that read a question
((status == 0)) || { echo "ends with $status"; exit 1; }
[[ $printed =~ $expected ]] || { printf 'does not print what its comment says:\n%s\n' "$printed"; exit 1; }
