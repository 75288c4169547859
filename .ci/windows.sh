#!/usr/bin/env bash
# Builds for Windows with MinGW's GCC, and runs tests and examples that need nothing of POSIX in Wine. What it links is
# built from Debian's sources, with TLS by Schannel.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source .ci/packages.sh
need_packages "${inferwire_build_packages[@]}" "${inferwire_test_packages[@]}" g++-mingw-w64-x86-64-posix libz-mingw-w64-dev \
  wine wine64

work=$PWD/build/windows
prefix=$work/prefix
export WINEPREFIX=$work/wine WINEDEBUG=-all
mkdir -p "$work/sources" "$work/apt/lists/partial" "$work/apt/from" "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake"
target=x86_64-w64-mingw32
cat >"$work/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER $target-gcc-posix)
set(CMAKE_CXX_COMPILER $target-g++-posix)
set(CMAKE_RC_COMPILER $target-windres)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_FIND_ROOT_PATH $prefix /usr/$target)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR $(command -v wine))
END
for_windows=(-G Ninja "-DCMAKE_TOOLCHAIN_FILE=$work/toolchain.cmake" "-DCMAKE_INSTALL_PREFIX=$prefix"
  "-DCMAKE_PREFIX_PATH=$prefix" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF "${inferwire_cmake_options[@]}")

# Lists of sources of our own: the system's are left as they are.
sed -s 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$work/apt/from/debian.sources"
with_sources=(-qq -o "Dir::Etc::SourceParts=$work/apt/from" -o "Dir::State::Lists=$work/apt/lists" -o APT::Sandbox::User=root)
apt-get "${with_sources[@]}" update
unpack() { # <source package>
  [[ ! -f $work/sources/$1/CMakeLists.txt ]] || return 0
  mkdir -p "$work/sources/$1"
  (cd "$work/sources/$1" && apt-get "${with_sources[@]}" source --download-only "$1" && tar xf ./*.orig.tar.?z --strip-components=1)
}
build() { # <source package> <option>...
  local name=$1
  shift
  [[ ! -f $work/$name.built ]] || return 0
  unpack "$name"
  cmake -S "$work/sources/$name" -B "$work/sources/$name/build" "${for_windows[@]}" "$@"
  cmake --build "$work/sources/$name/build" --target install
  touch "$work/$name.built"
}
build curl -DBUILD_CURL_EXE=OFF -DBUILD_TESTING=OFF -DCURL_USE_SCHANNEL=ON -DCURL_USE_LIBSSH2=OFF -DHTTP_ONLY=ON \
  -DENABLE_MANUAL=OFF
build simdjson -DSIMDJSON_JUST_LIBRARY=ON -DSIMDJSON_DEVELOPER_MODE=OFF
# These are headers alone, but for Catch2's main function; Debian compiles cpp-httplib, whose source is one header.
cp -r /usr/include/nlohmann /usr/include/catch2 "$prefix/include/"
cp -r /usr/share/cmake/nlohmann_json /usr/lib/cmake/Catch2 "$prefix/lib/cmake/"
unpack cpp-httplib
cp "$work/sources/cpp-httplib/httplib.h" "$prefix/include/"
cat >"$prefix/lib/pkgconfig/cpp-httplib.pc" <<END
Name: cpp-httplib
Description: A C++ header-only HTTP/HTTPS server and client library
Version: 0.11.4
Cflags: -I$prefix/include
Libs: -lws2_32 -lcrypt32
END
if [[ ! -f $prefix/lib/libCatch2WithMain.a ]]; then
  $target-g++-posix -x c++ -O1 -DCATCH_CONFIG_MAIN -c "$prefix/include/catch2/catch.hpp" -o "$work/catch_main.o"
  $target-ar rcs "$prefix/lib/libCatch2WithMain.a" "$work/catch_main.o"
fi

# Wine's services start with its first program and end with its last; those that a test starts keep its output open.
tail -f /dev/null | wine cmd >"$work/wine.log" 2>&1 &
trap 'kill $(jobs -p)' EXIT

PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig cmake -S . -B "$work/inferwire" "${for_windows[@]}" -DINFERWIRE_BUILD_CLI=OFF \
  -DCMAKE_UNITY_BUILD=ON -DINFERWIRE_TEST_OPTIONS=-O0 -DINFERWIRE_DEVELOPER_MODE=ON
cmake --build "$work/inferwire"
# Wine ends a connection that is to be reset as any other, and stalls in uploads of megabytes, as with libcurl alone.
ctest --test-dir "$work/inferwire" --output-on-failure --parallel 2 \
  --exclude-regex "ScriptTransport and MockServer show|a connection that is reset|a long request is resent|a request that is larger than the buffers of a socket|on_sent is told when"
for example in chat_stream coroutines embeddings errors many_streams tools; do
  echo "== $example"
  wine "$work/inferwire/examples/$example.exe"
done
