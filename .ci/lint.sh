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
# Rows of tables are lines, however long.
# shellcheck disable=SC2016
if git ls-files '*.md' | xargs perl -CSD -lne 'print "$ARGV:$.: $_" if length > 120 && !/^\|/; close ARGV if eof' | grep .; then
  echo "these lines have more than 120 columns"
  exit 1
fi
echo "no line of the pages has more than 120 columns"
# CMake takes these for parts of a list: whole tests would go unnoticed. Catch2 on Windows takes a first / for an option.
# shellcheck disable=SC2016
if git ls-files 'tests/*.cpp' | xargs perl -0ne 'print "$ARGV: $1\n" while /TEST_CASE\(\s*"(\/[^"]*|[^"]*[][;][^"]*)"/g' | grep .; then
  echo "names of tests must not hold [, ] or ;, nor begin with /"
  exit 1
fi
echo "every test has a name that CTest can hold"
# A comment can be read alone (CONTRIBUTING.md): these words lean on the comment before it, or on the name.
leaning='Of|Unless|The same|As|Whose|Which|Where|When|With|Without|And|Or|But|So|Then|Only|That|Not'
leaning_behind='of|unless|as|whose|which|with|without|and|or|but|so|then|that'
# shellcheck disable=SC2016
if git ls-files '*.hpp' '*.cpp' | LEANING="$leaning" BEHIND="$leaning_behind" xargs perl -ne '
    print "$ARGV:$.: $_" if m{^\s*///?\s+(?:$ENV{LEANING})\b} && !$inside || m{///<\s+(?i:$ENV{BEHIND})\b};
    $inside = m{^\s*//};
    close ARGV, $inside = 0 if eof' | grep .; then
  echo "these comments cannot be read alone"
  exit 1
fi
echo "every comment begins as one that can be read alone"
# Whoever looks for licences reads NOTICE.md. Its row of wire/ says that all there is ours: who adds there must know.
# shellcheck disable=SC2016
mapfile -t noticed < <(grep -o '^| `[^|]*' tests/fixtures/NOTICE.md | grep -o '`[^`]*`' | tr -d '`' | sed 's|^|tests/fixtures/|')
git ls-files --error-unmatch "${noticed[@]}" > /dev/null
if git ls-files tests/fixtures "${noticed[@]/#/:!}" ':!tests/fixtures/NOTICE.md' ':!tests/fixtures/LICENSE-*' | grep .; then
  echo "these fixtures have no row in tests/fixtures/NOTICE.md"
  exit 1
fi
echo "every fixture has a row in NOTICE.md"
