#include "protocol/framing/json_lines_writer.hpp"

#include <algorithm>

namespace inferwire::inline v0_1::protocol {

void append_line(std::string& out, std::string_view json) {
  const auto begin = out.size();
  out += json;
  const auto is_line_end = [](char c) { return c == '\n' || c == '\r'; };
  std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), is_line_end, ' ');
  out += '\n';
}

}  // namespace inferwire::inline v0_1::protocol
