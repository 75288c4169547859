/// \file
/// Reads the input of a parser's fuzz target: the pieces in which the stream is fed, and the parser's limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inferwire_fuzz {

struct Input {
  std::string_view stream{};
  std::string_view sizes{};  ///< the sizes of the pieces, used over and over; empty: one piece
  std::size_t limit{1u << 20};

  /// Reads the first byte as the number of sizes that follow, and the second as the choice of the limit.
  Input(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(bytes), size);
    if (size < 2) return;
    sizes = input.substr(2, static_cast<unsigned char>(input[0]) % 8);
    if (static_cast<unsigned char>(input[1]) % 2 != 0) limit = 64;
    stream = input.substr(2 + sizes.size());
    if (sizes.find_first_not_of('\0') == sizes.npos) sizes = {};
  }
};

/// Calls `feed` with each piece until it returns false.
template <class Feed>
void for_each_piece(std::string_view stream, std::string_view sizes, Feed feed) {
  for (std::size_t turn = 0; !stream.empty(); ++turn) {
    const auto size = sizes.empty()
                          ? stream.size()
                          : static_cast<std::size_t>(static_cast<unsigned char>(sizes[turn % sizes.size()]));
    const auto piece = stream.substr(0, size);
    stream.remove_prefix(piece.size());
    if (!feed(piece)) return;
  }
}

}  // namespace inferwire_fuzz
