#!/usr/bin/env bash
# Builds the documentation site in build/docs/html. Fails on a warning, such as a public name without a comment, and on a
# link that leads nowhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh
need_packages "${inferwire_docs_packages[@]}"

rm -rf build/docs
mkdir -p build/docs
version=$(sed -n 's/^  VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt)
{ cat docs/Doxyfile; echo "PROJECT_NUMBER = $version"; } | doxygen -
python3 docs/check_links.py build/docs/html ./*.md docs/*.md examples/*.md
