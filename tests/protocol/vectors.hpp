/// \file
/// The conformance vectors of framings: their input, their texts, and all ways to cut it.
#pragma once

#include "json/base64.hpp"
#include "support/fixtures.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace inferwire_test {

inline nlohmann::json vectors_of(const std::string& file) { return nlohmann::json::parse(fixture(file)); }

/// Joins pieces of base64, each repeated as often as its number says.
inline std::string bytes_of_parts(const nlohmann::json& parts) {
  std::string bytes;
  for (const auto& part : parts) {
    const auto piece = inferwire::json::base64_decode(part[0].get<std::string>()).value();
    for (int i = 0; i < part[1].get<int>(); ++i) bytes += piece;
  }
  return bytes;
}

inline std::string input_of(const nlohmann::json& vector) {
  if (vector.contains("input_parts")) return bytes_of_parts(vector["input_parts"]);
  return inferwire::json::base64_decode(vector["input_base64"].get<std::string>()).value();
}

/// The text of a member in any of its spellings: `key`, `key`_b64, or `key`_parts with pieces of text.
inline std::string text_of(const nlohmann::json& item, const std::string& key) {
  if (item.contains(key + "_b64")) {
    return inferwire::json::base64_decode(item[key + "_b64"].get<std::string>()).value();
  }
  if (item.contains(key + "_parts")) {
    std::string text;
    for (const auto& part : item[key + "_parts"]) {
      for (int i = 0; i < part[1].get<int>(); ++i) text += part[0].get<std::string>();
    }
    return text;
  }
  return item.value(key, std::string());
}

/// The ways to cut `size` bytes: in two at each place, into single bytes, into pieces of some sizes, and the
/// vector's own.
inline std::vector<std::vector<std::size_t>> cuts_of(const nlohmann::json& vector, std::size_t size) {
  std::vector<std::vector<std::size_t>> cuts{{}};
  const auto every = [&](std::size_t step) {
    auto& cut = cuts.emplace_back();
    for (auto at = step; at < size; at += step) cut.push_back(at);
  };
  const bool small = size <= 4096;
  if (small) {
    for (std::size_t at = 0; at <= size; ++at) cuts.push_back({at});
    for (std::size_t at = 0; at < size; ++at)
      cuts.push_back({at, at, at + 1});  // an empty piece, a single byte
  }
  for (const std::size_t step : {1u, 2u, 3u, 7u, 64u, 1000u, 16384u}) {
    if (size / step < 100'000) every(step);
  }
  for (const auto& own : vector.value("chunkings", nlohmann::json::array())) {
    cuts.push_back(own.get<std::vector<std::size_t>>());
  }
  return cuts;
}

/// The input in pieces, cut at the places of `cut`.
inline std::vector<std::string> pieces_of(const std::string& input, const std::vector<std::size_t>& cut) {
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  for (const auto end : cut) {
    pieces.push_back(input.substr(begin, end - begin));
    begin = end;
  }
  pieces.push_back(input.substr(begin));
  return pieces;
}

}  // namespace inferwire_test
