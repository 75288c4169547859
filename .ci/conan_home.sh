# shellcheck shell=bash
# Sourced from the top of the sources: a Conan from its registry in a virtual environment below build/, with a home of
# its own in which the system's libraries stand in for ConanCenter's.

conan_work=$PWD/build/conan
mkdir -p "$conan_work"
if [[ ! -x $conan_work/venv/bin/conan ]]; then
  python3 -m venv "$conan_work/venv"
  "$conan_work/venv/bin/pip" install --quiet "conan>=2.4,<3" || {
    rm -rf "$conan_work/venv"
    echo "== conan cannot be had from its registry"
    exit 1
  }
fi
export PATH="$conan_work/venv/bin:$PATH" CONAN_HOME=$conan_work/home
rm -rf "$CONAN_HOME"
conan --version
conan profile detect >/dev/null 2>&1
conan remote disable conancenter
{
  printf '[platform_tool_requires]\ncmake/%s\n' "$(cmake --version | sed -n '1s/.* //p')"
  printf '[conf]\ntools.cmake.cmaketoolchain:generator=Ninja\n'
} >>"$CONAN_HOME/profiles/default"

system_library() { # <name> <Debian's package> [<version, if not Debian's>]
  local version=${3:-} log=$conan_work/$1.log
  if [[ -z $version ]]; then
    version=$(dpkg-query -W -f='${Version}' "$2" | sed 's/^[0-9]*://; s/[^0-9.].*//; s/\.$//')
  fi
  conan create .ci/conan-system --name "$1" --version "$version" -s compiler.cppstd=20 >"$log" 2>&1 || { cat "$log"; return 1; }
}
system_library libcurl libcurl4-openssl-dev 8.0.0 # another major version than the recipe's first
system_library simdjson libsimdjson-dev
system_library nlohmann_json nlohmann-json3-dev
system_library openssl libssl-dev
