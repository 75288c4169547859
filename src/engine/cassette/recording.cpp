#include "engine/cassette/recording.hpp"

#include "base/ascii.hpp"
#include "engine/cassette/mask.hpp"
#include "engine/document.hpp"
#include "engine/router.hpp"
#include "engine/utf8.hpp"
#include "inferwire/data_uri.hpp"
#include "json/base64.hpp"
#include "protocol/redact.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// The fault of a line, thrown inside from_line.
struct Damaged {
  const char* detail;
};

/// Text unchanged, other bytes as an object.
OrderedJson print_bytes(const std::string& bytes) {
  if (to_utf8(bytes) == bytes) return bytes;
  return {{"base64", to_base64(bytes)}};
}

std::string read_bytes(const OrderedJson& value) {
  if (value.is_string()) return value.get<std::string>();
  auto bytes = json::base64_decode(value.at("base64").get_ref<const std::string&>());
  if (!bytes) throw Damaged{"its base64 cannot be read"};
  return *std::move(bytes);
}

/// The exact number: get() would accept true as 1, and truncate what does not fit.
std::uint64_t read_number(const OrderedJson& value, std::uint64_t least, std::uint64_t most,
                          const char* otherwise) {
  const auto number = value.is_number_unsigned() ? value.get<std::uint64_t>() : most + 1;
  if (number < least || number > most) throw Damaged{otherwise};
  return number;
}

int read_status(const OrderedJson& value) {
  return static_cast<int>(read_number(value, 100, 999, "its status is none"));
}

RecordedChunk read_chunk(const OrderedJson& pair) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  return {
      .after_ms = static_cast<std::int64_t>(read_number(pair.at(0), 0, most, "the time of a chunk is none")),
      .bytes = read_bytes(pair.at(1))};
}

OrderedJson print_headers(const std::vector<Header>& headers, const std::vector<std::string>& shown) {
  auto out = OrderedJson::array();
  for (const auto& [name, value] : protocol::shown_headers(headers, shown)) {
    out.push_back(OrderedJson::array({name, value}));
  }
  return out;
}

std::vector<Header> read_headers(const OrderedJson& list) {
  std::vector<Header> out;
  for (const auto& pair : list) {
    out.push_back({pair.at(0).get<std::string>(), pair.at(1).get<std::string>()});
  }
  return out;
}

Error refuse_line(const std::string& why) { return {.kind = ErrorKind::decode, .detail = why}; }

/// Removes the member at `pointer` from its object, at any depth.
void take_out(Document& document, const std::string& pointer) {
  const Document::json_pointer place(pointer);
  try {
    if (!document.contains(place)) return;
    auto& above = document.at(place.parent_pointer());
    if (above.is_object()) above.erase(place.back());
  } catch (const Document::out_of_range&) {}  // not an index of a list: "" or a number too large
}

/// The form of a body that is compared; discarded if it is not JSON or too deep, and compared unchanged.
Document compared(const std::string& body, const std::vector<std::string>& ignore) {
  if (is_too_deep(body)) return Document::value_t::discarded;
  auto document = json_of(body);
  if (document.is_discarded()) return document;
  for (const auto& pointer : ignore) take_out(document, pointer);
  conceal_members(document);
  return document;
}

}  // namespace

bool is_of_the_connection(std::string_view name) {
  constexpr std::array<std::string_view, 8> names{
      "accept-encoding", "connection",        "content-length", "expect", "host",
      "keep-alive",      "transfer-encoding", "upgrade"};
  return std::ranges::any_of(names, [name](auto own) { return ascii::equal_ignoring_case(own, name); });
}

std::string target_of(std::string_view url) {
  const auto path = path_of(url);
  return std::string(url.substr(static_cast<std::size_t>(path.data() - url.data())));
}

std::string to_line(const Recording& recording, const std::vector<std::string>& shown) {
  auto chunks = OrderedJson::array();
  for (const auto& chunk : recording.chunks) {
    chunks.push_back(OrderedJson::array({chunk.after_ms, print_bytes(chunk.bytes)}));
  }
  const OrderedJson line{{"method", recording.method},
                         {"target", shown_target(recording.target)},
                         {"headers", print_headers(recording.headers, shown)},
                         {"body", print_bytes(shown_body(recording.body))},
                         {"status", recording.status},
                         {"http_version", recording.http_version},
                         {"answer_headers", print_headers(recording.answer_headers, shown)},
                         {"chunks", std::move(chunks)},
                         {"broken", recording.broken}};
  return print(line);
}

Result<Recording> from_line(std::string_view line) {
  try {
    const auto document = parse_ordered_json(line);
    Recording out{.method = document.at("method").get<std::string>(),
                  .target = document.at("target").get<std::string>(),
                  .headers = read_headers(document.at("headers")),
                  .body = read_bytes(document.at("body")),
                  .status = read_status(document.at("status")),
                  .http_version = document.value("http_version", ""),
                  .answer_headers = read_headers(document.at("answer_headers")),
                  .broken = document.at("broken").get<bool>()};
    for (const auto& chunk : document.at("chunks")) out.chunks.push_back(read_chunk(chunk));
    return out;
  } catch (const Damaged& damage) {
    return refuse_line(damage.detail);
  } catch (const OrderedJson::parse_error&) {
    return refuse_line("it is not JSON");
  } catch (const OrderedJson::exception&) {
    return refuse_line("a member of it is missing, or of another type");
  }
}

bool is_pointer(const std::string& text) {
  try {
    return !Document::json_pointer(text).empty();
  } catch (const Document::exception&) {
    return false;
  }
}

std::string key_of(const std::string& method, const std::string& target, const std::string& body,
                   const std::vector<std::string>& ignore) {
  const auto asked = method + " " + shown_target(target) + " ";
  const auto document = compared(body, ignore);
  return asked + (document.is_discarded() ? body : print_sorted(document));
}

Difference difference_of(const std::string& body, const std::string& other,
                         const std::vector<std::string>& ignore) {
  const auto changes = Document::diff(compared(other, ignore), compared(body, ignore));
  if (changes.empty()) return {};
  return {.place = changes.front().at("path").get<std::string>(), .changes = changes.size()};
}

}  // namespace inferwire::inline v0_1::engine
