#include "protocol/framing/event_stream_writer.hpp"

#include "protocol/framing/crc32.hpp"

#include <cstddef>
#include <cstdint>

namespace inferwire::inline v0_1::protocol {

namespace {

constexpr std::size_t longest_name = 255;
constexpr std::size_t longest_value = 65535;

/// Appends the lowest `size` bytes of `value` in network byte order.
void append_number(std::string& out, std::uint64_t value, std::size_t size) {
  while (size-- > 0) out += static_cast<char>(value >> (8 * size) & 0xFFU);
}

void append_header(std::string& out, const EventStreamHeader& header) {
  const auto name = header.name.substr(0, longest_name);
  append_number(out, name.size(), 1);
  out += name;
  append_number(out, static_cast<std::uint8_t>(header.type), 1);
  const auto number = static_cast<std::uint64_t>(header.number);
  switch (header.type) {
    case EventStreamType::bool_true:
    case EventStreamType::bool_false: break;
    case EventStreamType::byte: append_number(out, number, 1); break;
    case EventStreamType::short_integer: append_number(out, number, 2); break;
    case EventStreamType::integer: append_number(out, number, 4); break;
    case EventStreamType::long_integer:
    case EventStreamType::timestamp: append_number(out, number, 8); break;
    case EventStreamType::bytes:
    case EventStreamType::string: {
      const auto text = header.text.substr(0, longest_value);
      append_number(out, text.size(), 2);
      out += text;
      break;
    }
    case EventStreamType::uuid: {
      std::string uuid(header.text);
      uuid.resize(16);
      out += uuid;
      break;
    }
  }
}

}  // namespace

void append_message(std::string& out, std::span<const EventStreamHeader> headers, std::string_view payload) {
  const auto begin = out.size();
  out.append(12, '\0');  // the prelude is written when the lengths are known
  for (const auto& header : headers) append_header(out, header);
  const auto headers_size = out.size() - begin - 12;
  out += payload;
  std::string prelude;
  append_number(prelude, out.size() - begin + 4, 4);
  append_number(prelude, headers_size, 4);
  append_number(prelude, crc32(prelude), 4);
  out.replace(begin, prelude.size(), prelude);
  append_number(out, crc32(std::string_view(out).substr(begin)), 4);
}

}  // namespace inferwire::inline v0_1::protocol
