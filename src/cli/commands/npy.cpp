#include "cli/commands/npy.hpp"

#include "base/little_endian.hpp"

#include <algorithm>
#include <string>

namespace inferwire::inline v0_1::cli {
namespace {

/// What precedes the numbers.
std::string npy_header(std::size_t rows, std::size_t columns) {
  constexpr std::size_t alignment = 64;  // of the data after the header
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                       std::to_string(columns) + "), }";
  std::string out("\x93NUMPY\x01\x00", 8);
  const std::size_t ahead = out.size() + 2;
  header.append((alignment - (ahead + header.size() + 1) % alignment) % alignment, ' ');
  header += '\n';
  out += static_cast<char>(header.size() & 0xFFU);
  out += static_cast<char>(header.size() >> 8U & 0xFFU);
  return out += header;
}

}  // namespace

bool write_npy(std::span<const float> values, std::size_t rows, std::size_t columns,
               const std::function<bool(std::string_view)>& write) {
  constexpr std::size_t most_bytes = std::size_t{64} * 1024;
  if (!write(npy_header(rows, columns))) return false;
  std::string piece;
  while (!values.empty()) {
    const auto count = std::min(values.size(), most_bytes / sizeof(float));
    piece.clear();
    append_little_endian(piece, values.first(count));
    if (!write(piece)) return false;
    values = values.subspan(count);
  }
  return true;
}

}  // namespace inferwire::inline v0_1::cli
