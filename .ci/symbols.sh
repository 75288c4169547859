#!/usr/bin/env bash
# Builds the shared libraries, and holds the names that they show against the lists in tests/package/symbols.
#
# usage: .ci/symbols.sh [--write]      --write: writes the lists
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh

need_packages "${inferwire_build_packages[@]}" binutils
cmake --preset shared "${inferwire_cmake_options[@]}"
cmake --build --preset shared --target inferwire inferwire_server inferwire_testing
libraries=build/shared/symbols
rm -rf "$libraries"
mkdir "$libraries"
cp build/shared/libinferwire.so build/shared/src/{server,testing}/libinferwire_*.so "$libraries"
tests/package/symbols.sh "$libraries" "${1:---exact}"
