#!/usr/bin/env bash
# Compiles, without linking, what is not at hand: with libc++ instead of libstdc++, as C++20 and as C++26, for aarch64, for
# Windows (mingw-w64) all but what is for POSIX alone, with the oldest Clang, with the oldest libc++, and for macOS, musl
# and FreeBSD.
#
# usage: .ci/portability.sh [lane]...     without one, all: see the end
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh
need_packages "${inferwire_build_packages[@]}" clang-15 clang-16 clang-22 libc++-22-dev libc++abi-22-dev \
  g++-aarch64-linux-gnu g++-mingw-w64-x86-64-posix dpkg-dev python3-venv

work=$PWD/build/portability
rm -rf "$work"
mkdir -p "$work/third_party"
# The system's own headers may not be on the path of another machine's compiler: these alone are lent.
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
for header in simdjson.h nlohmann CLI httplib.h openssl; do cp -r "/usr/include/$header" "$work/third_party/"; done
cp -r "/usr/include/$multiarch/curl" "$work/third_party/"
cp -r "/usr/include/$multiarch/openssl/." "$work/third_party/openssl/"
cmake -S . -B "$work/configured" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON \
  -DINFERWIRE_BUILD_TESTS=OFF -DINFERWIRE_BUILD_EXAMPLES=OFF >"$work/log"
# Two versions of libc++ cannot be installed at once.
(cd "$work" && apt-get download -qq -o APT::Sandbox::User=root libc++-16-dev && dpkg -x libc++-16-dev_*.deb libcxx-16)
# The headers of other systems come with zig: those of libc++, which go with Clang 22, and of each system's C library.
zig=$PWD/build/zig-0.17.1
if [[ ! -x $zig/bin/python-zig ]]; then
  python3 -m venv "$zig"
  "$zig/bin/pip" install --quiet "ziglang==${zig##*-}"
fi

flags=(-std=c++20 -fsyntax-only -Wall -Wextra -Wno-unknown-pragmas -DINFERWIRE_BUILDING
  -Iinclude -Isrc "-I$work/configured/generated" -isystem "$work/third_party")
# libc++ with iterators that are no pointers, as MSVC has them; the macros change its ABI, so that it could not be linked.
bounded=_LIBCPP_ABI_BOUNDED_ITERATORS
libcxx="clang++-22 -Wno-pragma-once-outside-header -stdlib=libc++"
libcxx+=" -D$bounded -D${bounded}_IN_STRING -D${bounded}_IN_VECTOR -D${bounded}_IN_STD_ARRAY"
# A user's program that includes windows.h first. What it defines as min and max has to be written here: libstdc++ for
# mingw-w64 asks it to leave them out, and cannot be included behind them: nor can what nlohmann/json includes. Our
# sources ask the same, by CMake's options.
{
  git grep -hoE '^#include <[a-z_]+>' -- include src | sort -u
  printf '%s\n' '#include <ranges>' '#include <valarray>' '#include <windows.h>' '#undef min' '#undef max' \
    '#define min(a, b) (((a) < (b)) ? (a) : (b))' '#define max(a, b) (((a) > (b)) ? (a) : (b))'
  git ls-files 'include/*.hpp' | sed -E 's|^include/(.*)|#include "\1"|'
} >"$work/behind_windows_h.cpp"
mapfile -t headers < <(git ls-files 'include/*.hpp')
mapfile -t sources < <(git ls-files 'src/*.cpp' ':!src/llama') # llama.cpp is not among what is lent
# The same sources in fewer files: CMake's unity files, and what is in none of them.
mapfile -t unity < <(find "$work/configured" -name 'unity_*.cxx' | sort)
mapfile -t alone < <(printf '%s\n' "${sources[@]}" |
  grep -vxF -f <(sed -nE "s|^#include \"$PWD/(.*)\"|\1|p" "${unity[@]}"))
# Users' programs instantiate more; some examples are left out, since they need others' libraries.
mapfile -t examples < <(git ls-files 'examples/*.cpp' | grep -vE '/(asio|mock_in_unit_test)')
everything=("${headers[@]}" "${unity[@]}" "${alone[@]}" "${examples[@]}")
mapfile -t portable < <(printf '%s\n' "${sources[@]}" |
  grep -vE '^src/cli/')

lanes=" $* "
compile_all() { # <lane> <compiler with its flags> <file>...
  local name=$1 begin=$SECONDS compiler
  [[ $lanes == "  " || $lanes == *" $name "* ]] || return 0
  read -ra compiler <<<"$2"
  shift 2
  compiler=("${compiler[0]}" "${flags[@]}" "${compiler[@]:1}") # the last of two flags wins: its own
  printf '%s\0' "$@" | xargs -0 -P2 -n8 "${compiler[@]}" -x c++ 2>"$work/$name.log" || {
    grep -E 'error|fatal' "$work/$name.log" | head -40
    echo "== $name: does not compile"
    return 1
  }
  echo "== $name: ${#@} files in $((SECONDS - begin)) s"
}
status=0
compile_all libc++ "$libcxx" "${headers[@]}" "${sources[@]}" || status=1
compile_all c++26 "$libcxx -std=c++2c" "${everything[@]}" || status=1
compile_all aarch64 "aarch64-linux-gnu-g++" "${headers[@]}" "${sources[@]}" || status=1
mingw=x86_64-w64-mingw32-g++-posix
compile_all mingw "$mingw -DNOMINMAX -DWIN32_LEAN_AND_MEAN" "${headers[@]}" "${portable[@]}" || status=1
compile_all windows.h "$mingw" "$work/behind_windows_h.cpp" || status=1
compile_all clang-15 "clang++-15 -Wno-pragma-once-outside-header" "${everything[@]}" || status=1
libcxx_16="clang++-16 -Wno-pragma-once-outside-header -nostdinc++ -isystem $work/libcxx-16/usr/lib/llvm-16/include/c++/v1"
compile_all libc++-16 "$libcxx_16" "${everything[@]}" || status=1
# Clang with the headers and macros that zig would give to the one within it.
clang_for() { # <zig's name of a system>
  local -x ZIG_GLOBAL_CACHE_DIR=$work/zig ZIG_LOCAL_CACHE_DIR=$work/zig
  local asked
  asked=$("$zig/bin/python-zig" c++ -target "$1" -### -c -x c++ /dev/null -o "$work/none" 2>&1)
  echo "clang++-22 -Wno-pragma-once-outside-header -nostdinc -nostdinc++" \
    "--target=$(sed -nE 's/.*"-triple" "([^"]*)".*/\1/p' <<<"$asked")" \
    "$(grep -oE '"-(isystem|D)" "[^"]*"' <<<"$asked" | tr -d '"' | tr '\n' ' ')"
}
for system in aarch64-macos x86_64-linux-musl x86_64-freebsd; do
  compile_all "$system" "$(clang_for "$system")" "${everything[@]}" || status=1
done
exit "$status"
