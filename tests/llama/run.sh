#!/usr/bin/env bash
# Tests the engine on llama.cpp: with the one that is installed here, or else with the one in npm's node-llama-cpp
# (its libraries, and for the headers the tree that they were built from). Without either it says so and skips.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/packages.sh

version=3.22.1
build=$PWD/build/llama
prefix=$build/llama.cpp

# Makes a package like that of an installed llama.cpp, as far as it is needed.
unpack() {
  local work=$build/npm libraries
  mkdir -p "$work" "$prefix/lib/cmake/llama"
  (cd "$work" && npm pack --silent "node-llama-cpp@$version" "@node-llama-cpp/linux-x64@$version") >/dev/null || return
  tar -xzf "$work/node-llama-cpp-linux-x64-$version.tgz" -C "$work" package/bins/linux-x64
  tar -xzf "$work/node-llama-cpp-$version.tgz" -C "$work" package/llama/gitRelease.bundle
  rm -rf "$work/tree"
  git clone --quiet --no-checkout "$work/package/llama/gitRelease.bundle" "$work/tree"
  git -C "$work/tree" checkout --quiet HEAD -- include ggml/include
  libraries=$work/package/bins/linux-x64
  cat >"$prefix/lib/cmake/llama/llama-config.cmake" <<CMAKE
add_library(llama SHARED IMPORTED)
set_target_properties(llama PROPERTIES
  IMPORTED_LOCATION "$(ls "$libraries"/libllama.v*.so)"
  INTERFACE_INCLUDE_DIRECTORIES "$work/tree/include;$work/tree/ggml/include"
  INTERFACE_LINK_LIBRARIES "$(ls "$libraries"/libggml.v*.so);$libraries/libggml-base.so")
CMAKE
  export INFERWIRE_GGML_BACKENDS=$libraries
}

need_packages "${inferwire_build_packages[@]}" "${inferwire_test_packages[@]}"
mkdir -p "$build/look"
if ! (cd "$build/look" && cmake --find-package -DNAME=llama -DCOMPILER_ID=GNU -DLANGUAGE=CXX -DMODE=EXIST) >/dev/null 2>&1 &&
  ! unpack; then
  echo "SKIPPED the tests of real models: no llama.cpp is installed, and npm cannot be reached"
  exit 0
fi
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DINFERWIRE_DEVELOPER_MODE=ON -DINFERWIRE_WITH_LLAMA=ON \
  -DCMAKE_PREFIX_PATH="$prefix" "${inferwire_cmake_options[@]}" >/dev/null
cmake --build "$build" --target llama_test inferwire_cli
"$build/tests/llama/llama_test"
