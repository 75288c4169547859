#!/usr/bin/env bash
# Checks that every C++ file that git knows is formatted as .clang-format says. Other versions of clang-format disagree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t files < <(git ls-files --cached --others --exclude-standard -- '*.cpp' '*.hpp' ':!tests/fixtures')
((${#files[@]} > 0)) || { echo "git lists no sources here" >&2; exit 1; }
"${CLANG_FORMAT:-clang-format-22}" --dry-run -Werror "${files[@]}"
echo "${#files[@]} files are formatted"
