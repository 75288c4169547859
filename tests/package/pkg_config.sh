#!/usr/bin/env bash
# Builds and runs the consumer with what pkg-config says, and nothing else: one program with one module, or all of them.
#
# usage: pkg_config.sh <prefix> <library directory below it> <work directory> <compiler> [<module> <program>]
set -euo pipefail

prefix=$1 libdir=$2 work=$3 compiler=$4
consumer="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/consumer"
mkdir -p "$work"
export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig"
export LD_LIBRARY_PATH="$prefix/$libdir"

build_and_run() { # <module> <program>
  local -a flags
  eval "flags=($(pkg-config --cflags --libs "$1"))" # which is escaped for a shell
  "$compiler" -std=c++20 -o "$work/$2" "$consumer/$2.cpp" "${flags[@]}"
  "$work/$2"
}

pkg-config --modversion inferwire
if (($# > 4)); then
  build_and_run "$5" "$6"
  exit
fi
build_and_run inferwire in_process
# The file tells whether a module is installed: --exists would also say no if a module that it needs were missing.
if [[ -f $PKG_CONFIG_PATH/inferwire-server.pc ]]; then
  build_and_run inferwire-server over_http
fi
if [[ -f $PKG_CONFIG_PATH/inferwire-testing.pc ]]; then
  build_and_run inferwire-testing mocked
fi
