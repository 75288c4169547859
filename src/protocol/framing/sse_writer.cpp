#include "protocol/framing/sse_writer.hpp"

namespace inferwire::inline v0_1::protocol {

void append_event(std::string& out, std::string_view data, std::string_view name) {
  if (!name.empty()) {
    out += "event: ";
    out += name;
    out += '\n';
  }
  for (;;) {
    const auto end = data.find_first_of("\r\n");
    out += "data: ";
    out += data.substr(0, end);
    out += '\n';
    if (end == data.npos) break;
    data.remove_prefix(end + (data.substr(end).starts_with("\r\n") ? 2 : 1));
  }
  out += '\n';
}

}  // namespace inferwire::inline v0_1::protocol
