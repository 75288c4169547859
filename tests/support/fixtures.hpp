/// \file
/// Reads files under tests/fixtures.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace inferwire_test {

/// The bytes of tests/fixtures/`path`.
inline std::string fixture(const std::string& path) {
  std::ifstream file(INFERWIRE_FIXTURES "/" + path, std::ios::binary);
  if (!file) throw std::runtime_error("no such fixture: " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace inferwire_test
