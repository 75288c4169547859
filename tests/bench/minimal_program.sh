#!/usr/bin/env bash
# Measures the size of a stripped program that asks one question: the library static, libcurl and simdjson shared,
# compiled and linked with -O2 and --gc-sections, as a user may.
#
# usage: minimal_program.sh <build directory, of a Release build with the static library>
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:?a build directory is needed, for its library}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/program.cpp" <<'CPP'
#include <inferwire/chat.hpp>
#include <inferwire/client.hpp>

#include <cstdio>

int main() {
  const inferwire::Client client({.provider = inferwire::Provider::openai()});
  const auto reply =
      client.chat.create({.model = "gpt-4o-mini", .messages = {inferwire::chat::user("Hello")}});
  std::puts(reply ? reply->text().c_str() : reply.error().message().c_str());
  return reply ? 0 : 1;
}
CPP
"${CXX:-g++}" -std=c++20 -O2 -s -I "$root/include" -I "$build/generated" -o "$work/program" "$work/program.cpp" \
  "$build/libinferwire.a" -lcurl -lsimdjson -lcrypto -lpthread -Wl,--gc-sections
awk -v bytes="$(stat -c %s "$work/program")" -v limit=250 'BEGIN {
  kilobytes = bytes / 1000
  printf "figure minimal_program_kb %.0f %s %s\n", kilobytes, limit, kilobytes <= limit ? "ok" : "short"
}'
