#!/usr/bin/env bash
# Checks that the same seed gives the same bytes on aarch64: builds the bundled models alone for it, with and
# without optimisation, and runs them in an emulator.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/packages.sh

need_packages g++-aarch64-linux-gnu qemu-user nlohmann-json3-dev
build=build/aarch64
mkdir -p "$build/inferwire"
sed 's/@INFERWIRE_SHARED_LIBRARY@/0/' cmake/export.hpp.in >"$build/inferwire/export.hpp"
# nlohmann/json is only headers: a link gives them alone, without the others of this machine.
ln -sfn /usr/include/nlohmann "$build/nlohmann"

# GCC on aarch64 fuses multiplications and additions unless it gets -ffp-contract=off, as in src/engine.
for optimisation in -O0 -O3; do
  echo "== aarch64, $optimisation"
  aarch64-linux-gnu-g++ -std=c++20 "$optimisation" -ffp-contract=off -static -Iinclude -Isrc -Itests -I"$build" \
    tests/aarch64/golden_texts.cpp src/engine/utf8.cpp src/engine/model/*.cpp src/engine/constraint/*.cpp \
    -o "$build/golden_texts$optimisation"
  qemu-aarch64 "$build/golden_texts$optimisation"
done
