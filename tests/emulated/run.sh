#!/usr/bin/env bash
# Runs the tests of all floors without sockets on other processors, in an emulator: on arm64, where GCC would fuse
# multiplications and additions, on armhf, which has 32 bits, and on s390x, whose highest byte comes first.
#
# usage: tests/emulated/run.sh [architecture]...     Debian's names of them; without one, all
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source .ci/packages.sh
source .ci/chroot.sh
source .ci/parts.sh

need_packages cmake ninja-build mmdebstrap qemu-user g++-aarch64-linux-gnu g++-arm-linux-gnueabihf g++-s390x-linux-gnu
tests=(base_test json_test wire_test protocol_test engine_test)

run_tests() { # <architecture> <GNU's name> <qemu's name>
  local build=build/$1 libraries=$PWD/build/libraries-$1 test
  architecture=$1 variant=extract make_chroot "$libraries" bookworm \
    libstdc++-12-dev libcurl4-openssl-dev libssl-dev libsimdjson-dev nlohmann-json3-dev catch2
  cmake --preset tests -B "$build" "${inferwire_cmake_options[@]}" -DINFERWIRE_BUILD_SERVER=OFF -DINFERWIRE_BUILD_CLI=OFF \
    -DINFERWIRE_BUILD_EXAMPLES=OFF -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$3" -DCMAKE_CXX_COMPILER="$2-g++" \
    -DCMAKE_CROSSCOMPILING_EMULATOR="qemu-$3;-L;$libraries" -DCMAKE_SYSROOT="$libraries" \
    -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY
  cmake --build "$build" -j2 --target "${tests[@]}"
  # One process for a whole program: in an emulator, the engine's model takes long to learn. The test left out looks at the
  # last line of an aborted process, which is qemu's.
  for test in "${tests[@]}"; do
    "qemu-$3" -L "$libraries" "$build/tests/${test%_test}/$test" ~"reading what a Result does not hold aborts*"
  done
}
on_arm64() { run_tests arm64 aarch64-linux-gnu aarch64; }
on_armhf() { run_tests armhf arm-linux-gnueabihf arm; }
on_s390x() { run_tests s390x s390x-linux-gnu s390x; }

architectures=("$@")
((${#architectures[@]} > 0)) || architectures=(arm64 armhf s390x)
run_parts on "${architectures[@]}"
