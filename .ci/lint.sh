#!/usr/bin/env bash
# What can be seen without compiling: format, spelling, and what shells make of the scripts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh
need_packages clang-format-22 codespell shellcheck

tests/format.sh
codespell
echo "no word is misspelt"
mapfile -t scripts < <(git ls-files '*.sh' .ci/run .ci/nightly ':!tests/fixtures')
shellcheck -x "${scripts[@]}"
echo "${#scripts[@]} scripts say what they mean"
