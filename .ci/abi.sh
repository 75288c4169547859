#!/usr/bin/env bash
# What programs that are linked already find in the shared libraries: compared with an earlier commit by abidiff. A
# change that breaks them is allowed only with another SONAME.
#
# usage: .ci/abi.sh [earlier commit]      without one, the last tag
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh

base=${1:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
if [[ -z $base ]]; then
  echo "== SKIPPED: there is no tag to compare with; name a commit"
  exit 0
fi
need_packages "${inferwire_build_packages[@]}" abigail-tools binutils
work=$PWD/build/abi

install_tree() { # <name> <commit>
  rm -rf "${work:?}/$1"
  mkdir -p "$work/$1/source"
  git archive "$2" | tar -x -C "$work/$1/source"
  cmake -S "$work/$1/source" -B "$work/$1/build" -G Ninja -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_INSTALL_LIBDIR=lib -DINFERWIRE_BUILD_CLI=OFF -DINFERWIRE_BUILD_EXAMPLES=OFF \
    -DINFERWIRE_BUILD_TESTS=OFF "${inferwire_cmake_options[@]}" >"$work/$1/log"
  cmake --build "$work/$1/build" >>"$work/$1/log" || { tail -30 "$work/$1/log"; return 1; }
  cmake --install "$work/$1/build" --prefix "$work/$1/prefix" >>"$work/$1/log"
}
install_tree before "$base"
install_tree now HEAD

before=$work/before/prefix now=$work/now/prefix
soname() { objdump -p "$1" | awk '$1 == "SONAME" {print $2}'; }
for library in libinferwire libinferwire_server libinferwire_testing; do
  old=$before/lib/$library.so new=$now/lib/$library.so
  echo "== $base: $(soname "$old"), HEAD: $(soname "$new")"
  status=0
  abidiff --headers-dir1 "$before/include" --headers-dir2 "$now/include" --drop-private-types --no-added-syms \
    "$old" "$new" || status=$?
  # The exit status is a set of bits: 1 and 2 are mistakes of ours, 4 is a change. 8 comes besides if a symbol is gone or
  # a virtual function has another index, but not for a struct of another size, which breaks programs as well. A change
  # that was reviewed and breaks none can be left out by a file for --suppressions.
  if ((status & 3)); then exit 1; fi
  if ((status & 12)) && [[ $(soname "$old") == "$(soname "$new")" ]]; then
    echo "== the ABI of $library has changed and the SONAME is the same"
    exit 1
  fi
done
