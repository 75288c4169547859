#include "cli/npy.hpp"

#include <bit>
#include <cstddef>

namespace inferwire::inline v0_1::cli {

std::optional<std::string> npy_file(const std::vector<std::vector<float>>& rows) {
  constexpr std::size_t alignment = 64;  // of the data behind the header
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows.size()) +
                       ", " + std::to_string(columns) + "), }";
  std::string out("\x93NUMPY\x01\x00", 8);
  const std::size_t ahead = out.size() + 2;
  header.append((alignment - (ahead + header.size() + 1) % alignment) % alignment, ' ');
  header += '\n';
  out += static_cast<char>(header.size() & 0xFFU);
  out += static_cast<char>(header.size() >> 8U & 0xFFU);
  out += header;
  static_assert(std::endian::native == std::endian::little && sizeof(float) == 4);
  for (const auto& row : rows) {
    if (row.size() != columns) return std::nullopt;
    out.append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float));
  }
  return out;
}

}  // namespace inferwire::inline v0_1::cli
