#!/usr/bin/env bash
# `conan create .`, static and shared, with and without engine, server and test tools; test_package runs each time. The
# static ones have their dependencies from CMakeDeps, the shared ones from CMakeConfigDeps, which is to take its place.
# Conan comes from its registry into a virtual environment below build/; the dependencies are the system's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh
need_packages "${inferwire_build_packages[@]}" python3-venv

source .ci/conan_home.sh
system_library cpp-httplib libcpp-httplib-dev
# Quick where ccache is about: Conan gives every build a directory of its own.
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$CONAN_HOME CCACHE_NOHASHDIR=1; fi

configuration=()
create() { # <option>...
  local begin=$SECONDS log="$conan_work/create.log"
  local -a options=()
  local option
  for option in "$@"; do options+=(-o "inferwire/*:$option"); done
  conan create . -s compiler.cppstd=20 "${configuration[@]}" "${options[@]}" >"$log" 2>&1 || {
    tail -60 "$log"
    echo "== conan create failed: $*"
    return 1
  }
  if grep -E '^-- Found (CURL|OpenSSL):' "$log"; then
    echo "== CMake took the system's library instead of Conan's: $*"
    return 1
  fi
  grep -E '^inferwire [0-9.]+: config' "$log" || { tail -30 "$log"; echo "== test_package said nothing: $*"; return 1; }
  echo "== conan create $*: $((SECONDS - begin)) s"
}
for shared in False True; do
  if [[ $shared == True ]]; then configuration=(-c tools.cmake.cmakedeps:new=will_break_next); fi
  create "shared=$shared"
  create "shared=$shared" with_server=True with_testing=True
done
