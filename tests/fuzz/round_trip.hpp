/// \file
/// What every decode target checks: the codec agrees with the check on what JSON is, and decoded documents
/// survive a round trip.
#pragma once

#include "json/codec.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire_fuzz {

using namespace inferwire;

inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fputs(what, stderr);
  std::abort();
}

template <class T>
void decode(std::string_view text, bool well_formed, json::Reading reading, T& out) {
  static json::Decoder decoder;
  // The block has exactly this size, so that AddressSanitizer sees a read beyond it.
  std::vector<char> block(text.begin(), text.end());
  block.resize(text.size() + json::padding);
  Error error;
  if (!decoder.decode(std::string_view(block.data(), text.size()), out, reading, error)) {
    const bool says_malformed = error.detail.find(" at byte ") != std::string::npos;
    require(says_malformed != well_formed, "the decoder refused well-formed text as malformed");
    return;
  }
  require(well_formed, "the decoder accepted malformed text");
  const auto encoded = json::encode(out);
  require(encoded.has_value(), "what was decoded could not be encoded");
  const auto again = json::decode<T>(*encoded, reading);
  require(again.has_value() && *again == out, "a round trip changed the value");
}

}  // namespace inferwire_fuzz
