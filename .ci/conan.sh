#!/usr/bin/env bash
# `conan create .`, static and shared, with and without engine, server and test tools; test_package runs each time.
# Conan comes from its registry into a virtual environment below build/; the dependencies are the system's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh
need_packages "${inferwire_build_packages[@]}" python3-venv

work=$PWD/build/conan
mkdir -p "$work"
if [[ ! -x $work/venv/bin/conan ]]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet "conan>=2.4,<3" || {
    rm -rf "$work/venv"
    echo "== SKIPPED: conan cannot be had from its registry"
    exit 0
  }
fi
export PATH="$work/venv/bin:$PATH" CONAN_HOME=$work/home
rm -rf "$CONAN_HOME"
conan --version
conan profile detect >/dev/null 2>&1
profile=$CONAN_HOME/profiles/default
sed -i 's/^compiler.cppstd=.*/compiler.cppstd=20/' "$profile"
{
  printf '[platform_tool_requires]\ncmake/%s\n' "$(cmake --version | sed -n '1s/.* //p')"
  printf '[conf]\ntools.cmake.cmaketoolchain:generator=Ninja\n'
} >>"$profile"
# Quick where ccache is about: Conan gives every build a directory of its own.
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$CONAN_HOME CCACHE_NOHASHDIR=1; fi

system_library() { # <name> <version>
  conan create .ci/conan-system --name "$1" --version "$2" -nr >"$work/$1.log" 2>&1 || { cat "$work/$1.log"; return 1; }
}
installed() { dpkg-query -W -f='${Version}' "$1" | sed 's/^[0-9]*://; s/[^0-9.].*//; s/\.$//'; }
system_library libcurl "$(installed libcurl4-openssl-dev)"
system_library simdjson "$(installed libsimdjson-dev)"
system_library nlohmann_json "$(installed nlohmann-json3-dev)"
system_library openssl "$(installed libssl-dev)"
system_library cpp-httplib "$(installed libcpp-httplib-dev)"

create() { # <option>...
  local begin=$SECONDS log="$work/create.log"
  local -a options=()
  local option
  for option in "$@"; do options+=(-o "inferwire/*:$option"); done
  conan create . -nr "${options[@]}" >"$log" 2>&1 || { tail -60 "$log"; echo "== conan create failed: $*"; return 1; }
  grep -E '^inferwire [0-9.]+: config' "$log" || { tail -30 "$log"; echo "== test_package said nothing: $*"; return 1; }
  echo "== conan create $*: $((SECONDS - begin)) s"
}
for shared in False True; do
  create "shared=$shared"
  create "shared=$shared" with_engine=True with_server=True with_testing=True
done
