#include "protocol/framing/event_stream.hpp"

#include "protocol/framing/crc32.hpp"

#include <concepts>

namespace inferwire::inline v0_1::protocol {

namespace {

// A message: length, length of the headers, checksum of both; headers; payload; checksum of all that precedes
// it.
constexpr std::size_t lengths_size = 8;
constexpr std::size_t prelude_size = 12;
constexpr std::size_t checksum_size = 4;
constexpr std::size_t uuid_size = 16;
// The 128 KiB that the specification allows have room for this many of the shortest. Once read, each takes 24
// times its size.
constexpr std::size_t most_headers = 65'536;

/// Reads an `Unsigned` in network byte order from the front of `bytes`, which must be long enough.
template <std::unsigned_integral Unsigned>
Unsigned big_endian(std::string_view bytes) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    value = value << 8U | static_cast<unsigned char>(bytes[i]);
  }
  return static_cast<Unsigned>(value);
}

/// Takes values from the front of a header block; once one is missing, all later ones fail too.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const noexcept { return bytes_.empty(); }
  bool failed() const noexcept { return failed_; }

  std::string_view take(std::size_t size) noexcept {
    if (size > bytes_.size()) {
      failed_ = true;
      bytes_ = {};
      return {};
    }
    const auto taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  template <std::unsigned_integral Unsigned>
  Unsigned number() noexcept {
    const auto bytes = take(sizeof(Unsigned));
    return bytes.empty() ? Unsigned{} : big_endian<Unsigned>(bytes);
  }

 private:
  std::string_view bytes_;
  bool failed_{};
};

}  // namespace

std::optional<std::string_view> EventStreamMessage::find(std::string_view name) const noexcept {
  for (const auto& header : headers) {
    if (header.name == name && header.type == EventStreamType::string) return header.text;
  }
  return std::nullopt;
}

std::string_view describe(EventStreamFault fault) noexcept {
  switch (fault) {
    case EventStreamFault::none: return "";
    case EventStreamFault::prelude_crc: return "the checksum of a message's prelude is wrong";
    case EventStreamFault::message_crc: return "the checksum of a message is wrong";
    case EventStreamFault::length: return "the lengths of a message contradict each other";
    case EventStreamFault::too_large: return "a message is larger than the limit";
    case EventStreamFault::headers: return "the headers of a message cannot be read";
    case EventStreamFault::truncated: return "the stream ended inside a message";
  }
  return "";
}

void EventStreamParser::feed(std::string_view bytes) {
  if (fault_ != EventStreamFault::none) return;
  buffer_.erase(0, begin_);
  begin_ = 0;
  buffer_.append(bytes);
}

EventStreamParser::Next EventStreamParser::next(EventStreamMessage& message) {
  if (fault_ != EventStreamFault::none) return Next::broken;
  const std::string_view bytes(buffer_.data() + begin_, buffer_.size() - begin_);
  if (total_ == 0) {
    if (bytes.size() < prelude_size) {
      return finished_ && !bytes.empty() ? fail(EventStreamFault::truncated) : Next::more;
    }
    if (crc32(bytes.substr(0, lengths_size)) != big_endian<std::uint32_t>(bytes.substr(lengths_size))) {
      return fail(EventStreamFault::prelude_crc);
    }
    total_ = big_endian<std::uint32_t>(bytes);
    headers_size_ = big_endian<std::uint32_t>(bytes.substr(4));
    if (total_ < prelude_size + checksum_size || headers_size_ > total_ - prelude_size - checksum_size) {
      return fail(EventStreamFault::length);
    }
    if (total_ > max_message_bytes_) return fail(EventStreamFault::too_large);
  }
  if (bytes.size() < total_) return finished_ ? fail(EventStreamFault::truncated) : Next::more;

  const auto checked = bytes.substr(0, total_ - checksum_size);
  if (crc32(checked) != big_endian<std::uint32_t>(bytes.substr(checked.size()))) {
    return fail(EventStreamFault::message_crc);
  }
  if (!read_headers(checked.substr(prelude_size, headers_size_))) return fail(EventStreamFault::headers);
  message.headers = headers_;
  message.payload = checked.substr(prelude_size + headers_size_);
  begin_ += total_;
  total_ = 0;
  return Next::message;
}

EventStreamParser::Next EventStreamParser::fail(EventStreamFault fault) noexcept {
  fault_ = fault;
  return Next::broken;
}

bool EventStreamParser::read_headers(std::string_view bytes) {
  headers_.clear();
  HeaderReader reader(bytes);
  while (!reader.at_end()) {
    EventStreamHeader header;
    header.name = reader.take(reader.number<std::uint8_t>());
    const auto type = reader.number<std::uint8_t>();
    header.type = static_cast<EventStreamType>(type);
    switch (header.type) {
      case EventStreamType::bool_true: header.number = 1; break;
      case EventStreamType::bool_false: header.number = 0; break;
      case EventStreamType::byte:
        header.number = static_cast<std::int8_t>(reader.number<std::uint8_t>());
        break;
      case EventStreamType::short_integer:
        header.number = static_cast<std::int16_t>(reader.number<std::uint16_t>());
        break;
      case EventStreamType::integer:
        header.number = static_cast<std::int32_t>(reader.number<std::uint32_t>());
        break;
      case EventStreamType::long_integer:
      case EventStreamType::timestamp:
        header.number = static_cast<std::int64_t>(reader.number<std::uint64_t>());
        break;
      case EventStreamType::bytes:
      case EventStreamType::string: header.text = reader.take(reader.number<std::uint16_t>()); break;
      case EventStreamType::uuid: header.text = reader.take(uuid_size); break;
      default: return false;
    }
    if (reader.failed() || headers_.size() == most_headers) return false;
    headers_.push_back(header);
  }
  return true;
}

}  // namespace inferwire::inline v0_1::protocol
