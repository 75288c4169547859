#!/usr/bin/env bash
# Checks that the shared libraries show names of inferwire and nothing else.
#
# usage: exports.sh <directory of the libraries>
set -euo pipefail
export LC_ALL=C

shopt -s nullglob
libraries=("$1"/libinferwire*.so)
((${#libraries[@]} > 0)) || { echo "no shared library in $1"; exit 1; }
for library in "${libraries[@]}"; do
  names=$(nm --dynamic --defined-only --format=posix "$library" | awk '{print $1}')
  strangers=$(grep -vE '^_Z(N|NK|NR|NKR|NO|TIN|TSN|TVN)9inferwire' <<<"$names" || true)
  if [[ -n $strangers ]]; then
    echo "$library shows names that are not ours:"
    c++filt <<<"$strangers"
    exit 1
  fi
  echo "${library##*/}: $(wc -l <<<"$names") names, all of them ours"
done
# One name of each kind has to be visible: a function, a class's vtable, the type of an exception.
shown=$(nm --dynamic --defined-only --demangle "$1/libinferwire.so")
for name in 'inferwire::v0_1::version()' 'vtable for inferwire::v0_1::Transport' \
  'typeinfo for inferwire::v0_1::Exception'; do
  grep -qF "$name" <<<"$shown" || {
    echo "libinferwire.so does not show $name"
    exit 1
  }
done
