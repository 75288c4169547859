# shellcheck shell=bash disable=SC2034
# Sourced by the scripts: makes sure that Debian packages are there. Asks the network only for those that are missing.

inferwire_build_packages=(
  g++ cmake ninja-build pkg-config
  libcurl4-openssl-dev libssl-dev libsimdjson-dev nlohmann-json3-dev libcpp-httplib-dev libcli11-dev)
inferwire_test_packages=(ca-certificates catch2 libasio-dev libgtest-dev nghttp2-proxy openssl tmux zsh)
inferwire_docs_packages=(doxygen doxygen-awesome-css python3)
inferwire_sanitizer_packages=(clang-22 libclang-rt-22-dev lld-22 llvm-22)

# need_packages <package>...
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "== not a Debian: taking it that these are installed by their names here: $*"
    return
  fi
  local -a missing=()
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true) == installed ]] || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then
    echo "== packages: all there"
    return
  fi
  echo "== packages: installing ${missing[*]}"
  local -a as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || { echo "run this as root, or install them by hand: ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Use-Pty=0 "${missing[@]}" >/dev/null
}

# Options of CMake that make a second build quick, where ccache is about.
inferwire_cmake_options=()
if command -v ccache >/dev/null; then
  inferwire_cmake_options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
