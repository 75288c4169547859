#!/usr/bin/env bash
# Two builds of the same commit in two directories install the same bytes: all the shared libraries, headers and files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh
need_packages "${inferwire_build_packages[@]}"

work=$PWD/build/reproducible
rm -rf "$work"
for name in one another_place; do
  mkdir -p "$work/$name/source"
  git archive HEAD | tar -x -C "$work/$name/source"
  # Without a cache of compiled files: it would make the second build a copy of the first.
  cmake -S "$work/$name/source" -B "$work/$name/build" -G Ninja -DBUILD_SHARED_LIBS=ON \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DINFERWIRE_BUILD_CLI=OFF -DINFERWIRE_BUILD_EXAMPLES=OFF \
    -DINFERWIRE_BUILD_TESTS=OFF >"$work/$name/log"
  cmake --build "$work/$name/build" >>"$work/$name/log" || { tail -30 "$work/$name/log"; exit 1; }
  cmake --install "$work/$name/build" --prefix "$work/$name/prefix" >>"$work/$name/log"
  (cd "$work/$name/prefix" && find . -type f -print0 | sort -z | xargs -0 sha256sum) >"$work/$name/sums"
done
diff "$work/one/sums" "$work/another_place/sums"
echo "$(wc -l <"$work/one/sums") files, the same from both directories"
