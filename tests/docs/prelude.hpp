/// \file
/// Stands before the snippets of a page: the headers that its reader has included, and the names that the
/// page takes for granted.
#pragma once

#include <inferwire/batch.hpp>
#include <inferwire/engine/cassette.hpp>
#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/engine_transport.hpp>
#include <inferwire/inferwire.hpp>
#include <inferwire/nlohmann.hpp>
#include <inferwire/structured_output.hpp>
#include <inferwire/testing/manual_clock.hpp>
#include <inferwire/testing/mock_server.hpp>
#include <inferwire/testing/script_transport.hpp>
#include <inferwire/tools.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace inferwire;
using namespace std::chrono_literals;

inline int report(const Error& error) {
  std::cerr << error.message() << '\n';
  return 1;
}
