# shellcheck shell=bash
# Sourced by the scripts that look at what a commit installs.

# install_tree <directory> <commit> [option of CMake]...: builds the commit's shared libraries from <directory>/source
# and installs them in <directory>/prefix.
install_tree() {
  local tree=$1 commit=$2
  shift 2
  rm -rf "$tree"
  mkdir -p "$tree/source"
  git archive "$commit" | tar -x -C "$tree/source"
  cmake -S "$tree/source" -B "$tree/build" -G Ninja -DBUILD_SHARED_LIBS=ON -DINFERWIRE_BUILD_CLI=OFF \
    -DINFERWIRE_BUILD_EXAMPLES=OFF -DINFERWIRE_BUILD_TESTS=OFF "$@" >"$tree/log"
  cmake --build "$tree/build" >>"$tree/log" || { tail -30 "$tree/log"; return 1; }
  cmake --install "$tree/build" --prefix "$tree/prefix" >>"$tree/log"
}
