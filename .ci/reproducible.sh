#!/usr/bin/env bash
# Two builds of the same commit in two directories install the same bytes: all the shared libraries, headers and files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh
source .ci/install_tree.sh
need_packages "${inferwire_build_packages[@]}"

work=$PWD/build/reproducible
for name in one another_place; do
  # Without a cache of compiled files: it would make the second build a copy of the first.
  install_tree "$work/$name" HEAD -DCMAKE_BUILD_TYPE=RelWithDebInfo
  (cd "$work/$name/prefix" && find . -type f -print0 | sort -z | xargs -0 sha256sum) >"$work/$name/sums"
done
diff "$work/one/sums" "$work/another_place/sums"
echo "$(wc -l <"$work/one/sums") files, the same from both directories"
