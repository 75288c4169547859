#!/usr/bin/env bash
# Checks that check.sh reports illegal includes of every kind, and no legal ones.
set -euo pipefail

check="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/check.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

expect() { # <legal|illegal> <file> <line of source>
  rm -rf "$work/tree"
  mkdir -p "$work/tree/include/inferwire" "$work/tree/src/$(dirname "${2#src/}")" "$work/tree/$(dirname "$2")"
  echo "$3" >"$work/tree/$2"
  local found=legal
  "$check" "$work/tree" >"$work/output" 2>&1 || found=illegal
  if [[ $found != "$1" ]] || { [[ $1 == illegal ]] && ! grep -q "^$2:1: " "$work/output"; }; then
    echo "expected $1: $2: $3"
    sed 's/^/  /' "$work/output"
    failures=$((failures + 1))
  fi
}

expect legal src/client/core.cpp '#include "http/curl_transport.hpp"'
expect legal src/http/handle.cpp '#include <curl/curl.h>'
expect legal src/wire/chat.cpp '#include <simdjson.h>'
expect legal include/inferwire/nlohmann.hpp '#include <nlohmann/json.hpp>'
expect legal src/server/http_server.cpp '#include <httplib.h>'
expect legal src/http/loop/poller_epoll.cpp '#include <sys/epoll.h>'
expect legal src/http/curl_transport.cpp '#include "http/loop/curl_multiplexer.hpp"'
expect legal src/client/core.cpp '#include "client/loop/loop.hpp"'
expect legal src/client/loop/job.hpp '#include "client/call/call.hpp"'
expect legal src/client/loop/job.hpp '#include "inferwire/client.hpp"'
expect legal src/engine/handlers/chat.cpp '#include "engine/plan/chat_plan.hpp"'
expect legal src/http/network_setup.hpp '#include "inferwire/network.hpp"'
expect legal include/inferwire/testing/mock_server.hpp '#include "inferwire/network.hpp"'

expect illegal src/client/call/call.hpp '#include "client/loop/loop.hpp"'
expect illegal src/http/transfer.hpp '#include "http/loop/poller.hpp"'
expect illegal src/client/loop/job.cpp '#include "client/resources/resource.hpp"'
expect illegal src/engine/answer/call_frame.hpp '#include "engine/script/director.hpp"'
expect illegal src/client/core.hpp '#include "client/call/call.hpp"'
expect illegal src/client/core.cpp '#include "engine/service.hpp"'
expect illegal src/client/core.cpp '#include "inferwire/engine/engine.hpp"'
expect illegal src/client/core.cpp '#include <inferwire/engine/engine.hpp>'
expect illegal src/client/core.cpp '#include <engine/service.hpp>'
expect illegal src/engine/service.cpp '#include "inferwire/client.hpp"'
expect illegal src/engine/service.cpp '#include "client/core.hpp"'
expect illegal src/http/handle.cpp '#include "wire/chat.hpp"'
expect illegal src/json/decoder.cpp '#include "wire/chat.hpp"'
expect illegal src/base/error.cpp '#include "inferwire/chat.hpp"'
expect illegal src/protocol/framing/sse.cpp '#include "http/handle.hpp"'
expect illegal src/server/http_server.cpp '#include "inferwire/client.hpp"'
expect illegal src/client/core.cpp '#include <curl/curl.h>'
expect illegal src/client/core.cpp '  #  include <simdjson.h>'
expect illegal src/engine/service.cpp '#include <httplib.h>'
expect illegal src/http/handle.cpp '#include <openssl/sha.h>'
expect illegal src/wire/chat.cpp '#include <nlohmann/json.hpp>'
expect illegal include/inferwire/json.hpp '#include <simdjson.h>'
expect illegal include/inferwire/client.hpp '#include <nlohmann/json_fwd.hpp>'
expect illegal include/inferwire/error.hpp '#include "inferwire/chat.hpp"'
expect illegal src/engine/service.cpp '#include "inferwire/pending.hpp"'
expect illegal src/base/signals.hpp '#include "inferwire/event_loop.hpp"'
expect illegal src/http/reactor.cpp '#include "inferwire/executor.hpp"'
expect illegal src/testing/gate.cpp '#include "inferwire/when.hpp"'
expect illegal src/json/decoder.cpp '#include "inferwire/network.hpp"'
expect illegal src/client/core.cpp '#include "inferwire/no_such_header.hpp"'
expect illegal src/base/error.cpp '#include <llama/gguf.hpp>'

((failures == 0)) || exit 1
echo "every illegal door was seen"
