#!/usr/bin/env bash
# Every way of the README and docs/install.md to get the library, its lines copied as they stand there, each on a fresh
# Debian 12 of its own. Each has to end in a program that prints an answer: the README's own, which asks the embedded
# engine.
#
# usage: .ci/install_ways.sh [way]...     ways: see the list at the end; `tests` takes long and is run only by its name
# INFERWIRE_CACHE=<directory of ccache>: what was compiled before need not be compiled again; no user's times, then.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh
source .ci/chroot.sh
source .ci/parts.sh
need_packages git mmdebstrap

work=$PWD/build/install_ways
debian=$PWD/build/chroot-bookworm-fresh
packages=$work/packages
shared_cache=${INFERWIRE_CACHE:-}
compiler=()
if [[ -n $shared_cache ]]; then
  debian+=-ccache
  compiler=(CCACHE_DIR=/cache CCACHE_BASEDIR=/ CCACHE_NOHASHDIR=1 CMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi

# block <page> <heading> <language> <how many of them below that heading, counted from 1>
block() {
  awk -v heading="$2" -v fence="\`\`\`$3" -v which="$4" '
    !fenced && /^##+ / {here = substr($0, index($0, " ") + 1) == heading}
    /^```/ {
      fenced = !fenced
      mine = here && fenced && $0 == fence && ++seen == which
      next
    }
    mine {print; found = 1}
    END {exit !found}' "$1" || { echo "$1 has no block $2, $3, $4" >&2; return 1; }
}
# The README's program that needs no service.
program() {
  awk '/^```cpp/ {text = ""; fenced = 1; next}
    /^```/ && fenced {if (text ~ /EngineTransport/) {printf "%s", text; exit}; fenced = 0}
    fenced {text = text $0 "\n"}' README.md
}
# user_project <lines of CMake>: the README's project, in which these stand in place of find_package.
user_project() {
  block README.md Installed cmake 1 | lines=$1 awk '/^find_package/ {print ENVIRON["lines"]; next} {print}'
}

# run_lines <name> <directories below it, as of an overlay>: does the lines of its input in a layer of its own, in which
# $work/<name>/upper may lie already.
run_lines() {
  local name=$1 begin=$SECONDS log=$work/$1.log script
  script=$(cat)
  in_layer "$work/$name" "$2" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "${compiler[@]}" \
    bash -euo pipefail -c "PS4='== after \$SECONDS s: '; set -x; $script" >"$log" 2>&1 || {
    tail -n 40 "$log"
    echo "== $name: failed; all that was said is in $log"
    return 1
  }
  grep '^== ' "$log" || true
  echo "== $name: $((SECONDS - begin)) s, $(du -sm "$work/$name/upper" | cut -f1) MB"
}
# try <name> <lines of CMake> <program>: the README's program as a user's project in /app, built by the lines of the
# input, with the README's packages; the program has to say something.
try() {
  local name=$1 app=$work/$1/upper/app
  [[ -d $packages ]] || block README.md Install sh 1 | run_lines packages "$debian"
  rm -rf "${work:?}/$name"
  mkdir -p "$app"
  program >"$app/app.cpp"
  user_project "$2" >"$app/CMakeLists.txt"
  {
    cat
    cat <<LINES
answer=\$($3)
test -n "\$answer"
set +x
echo
echo "\$answer"
LINES
  } | run_lines "$name" "$packages/upper:$debian"
  echo "\$ $3"
  sed '1,/^== .*set +x$/d' "$work/$name.log"
}
# build_app [option of CMake]...: what every user of CMake types.
build_app() {
  printf '%s\n' "cd /app" "cmake -B build -G Ninja $*" "cmake --build build"
}

found_by_cmake=$(block README.md Installed cmake 1 | grep '^find_package')
# Found by CMake, and by the compiler alone.
way_installed() {
  { echo "cd /inferwire"; block README.md Installed sh 1; build_app; block README.md Installed sh 2; } |
    try installed "$found_by_cmake" "build/app && ./app"
}
way_add_subdirectory() {
  { echo "mkdir /app/third_party; cp -r /inferwire /app/third_party/"; build_app; } |
    try add_subdirectory "$(block README.md "In your source tree" cmake 1)" build/app
}
way_fetch_content() {
  echo "== instead of the address of this repository and a commit: the directory in which it lies, and its branch"
  build_app | try fetch_content "$(block docs/install.md FetchContent cmake 1 |
    sed 's|<this repository>|file:///inferwire|; s|<commit>|main|')" build/app
}
way_vcpkg() {
  echo "== vcpkg itself cannot be had here: the port is built by a stand-in, with the system's libraries"
  {
    cat <<'LINES'
vcpkg() {
  [[ "$*" =~ inferwire\[(.*)\].*--overlay-ports=cmake/ports ]]
  cmake -D prefix=/vcpkg -D "features=${BASH_REMATCH[1]//,/;}" -P tests/package/vcpkg_port.cmake
}
LINES
    echo "cd /inferwire"
    block docs/install.md vcpkg sh 1
    build_app -DCMAKE_PREFIX_PATH=/vcpkg
  } | try vcpkg "$found_by_cmake" build/app
}
way_conan() {
  echo "== ConanCenter cannot be reached here: the system's libraries stand in for its packages"
  {
    echo "apt-get install -y -qq --no-install-recommends python3-venv"
    echo "cd /inferwire"
    echo "source .ci/conan_home.sh"
    block docs/install.md Conan sh 1
    echo "cd /app"
    block docs/install.md Conan sh 2
  } | try conan "$found_by_cmake" build/app
}
# These two begin without any package.
way_example() {
  rm -rf "$work/example"
  echo "/inferwire/examples/run.sh" | run_lines example "$debian"
  tail -n 4 "$work/example.log"
}
way_tests() {
  rm -rf "$work/tests"
  echo "/inferwire/tests/run.sh" | run_lines tests "$debian"
  grep -A3 'tests passed' "$work/tests.log"
}

ways=("$@")
((${#ways[@]} > 0)) || ways=(installed add_subdirectory fetch_content vcpkg conan example)
mkdir -p "$work"
begin=$SECONDS
make_chroot "$debian" bookworm ca-certificates git ${shared_cache:+ccache}
# The way of this machine to its package registries.
for file in /etc/resolv.conf /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
  [[ ! -e $file ]] || cp --dereference "$file" "$debian$file"
done
clone_into "$debian"
echo "== a fresh Debian 12: $((SECONDS - begin)) s, $(du -sm "$debian" | cut -f1) MB"
rm -rf "$packages"
run_parts way "${ways[@]}"
echo "every way to install it ends in an answer: ${ways[*]}"
