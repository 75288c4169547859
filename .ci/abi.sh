#!/usr/bin/env bash
# What programs that are linked already find in the shared libraries: compared with an earlier commit by abidiff. A
# change that breaks them is allowed only with another SONAME.
#
# usage: .ci/abi.sh [earlier commit]      without one, the last tag
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh
source .ci/install_tree.sh

base=${1:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
if [[ -z $base ]]; then
  echo "== SKIPPED: there is no tag to compare with; name a commit"
  exit 0
fi
need_packages "${inferwire_build_packages[@]}" abigail-tools binutils
work=$PWD/build/abi

options=(-DCMAKE_BUILD_TYPE=Debug -DCMAKE_INSTALL_LIBDIR=lib "${inferwire_cmake_options[@]}")
install_tree "$work/before" "$base" "${options[@]}"
install_tree "$work/now" HEAD "${options[@]}"

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
