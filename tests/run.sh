#!/usr/bin/env bash
# Builds everything and runs every test. Needs only a fresh Debian 12; works offline once the packages are there.
#
# usage: tests/run.sh [option of ctest]...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh

need_packages "${inferwire_build_packages[@]}" "${inferwire_test_packages[@]}"
echo "== configuring in build/tests"
cmake --preset tests "${inferwire_cmake_options[@]}"
echo "== building"
cmake --build --preset tests
echo "== testing"
ctest --preset tests "$@"
