#include "cli/commands/npy.hpp"

#include "base/little_endian.hpp"

namespace inferwire::inline v0_1::cli {

std::string npy_file(std::span<const float> values, std::size_t rows, std::size_t columns) {
  constexpr std::size_t alignment = 64;  // of the data after the header
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                       std::to_string(columns) + "), }";
  std::string out("\x93NUMPY\x01\x00", 8);
  const std::size_t ahead = out.size() + 2;
  header.append((alignment - (ahead + header.size() + 1) % alignment) % alignment, ' ');
  header += '\n';
  out += static_cast<char>(header.size() & 0xFFU);
  out += static_cast<char>(header.size() >> 8U & 0xFFU);
  out += header;
  append_little_endian(out, values);
  return out;
}

}  // namespace inferwire::inline v0_1::cli
