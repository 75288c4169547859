#include "protocol/framing/event_stream.hpp"

#include "protocol/framing/event_stream_writer.hpp"
#include "protocol/framing/sagemaker_stream.hpp"
#include "protocol/linear.hpp"
#include "protocol/vectors.hpp"
#include "support/catch.hpp"

#include <array>
#include <limits>
#include <string>
#include <vector>

using namespace inferwire::protocol;
using namespace inferwire_test;
using nlohmann::json;

namespace {

struct SeenHeader {
  std::string name;
  EventStreamType type;
  std::int64_t number;
  std::string text;

  friend bool operator==(const SeenHeader&, const SeenHeader&) = default;
};

struct SeenMessage {
  std::vector<SeenHeader> headers;
  std::string payload;

  friend bool operator==(const SeenMessage&, const SeenMessage&) = default;
};

struct Seen {
  std::vector<SeenMessage> messages;
  EventStreamFault fault{};

  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen parse(const std::vector<std::string>& pieces, EventStreamParser parser = EventStreamParser()) {
  Seen seen;
  const auto drain = [&] {
    EventStreamMessage message;
    while (parser.next(message) == EventStreamParser::Next::message) {
      // The payload must be followed by padding; a sanitizer sees if it is not.
      for (std::size_t i = 0; i < ReceiveBuffer::padding; ++i) {
        [[maybe_unused]] volatile char readable = message.payload.data()[message.payload.size() + i];
      }
      auto& out = seen.messages.emplace_back();
      out.payload = message.payload;
      for (const auto& [name, type, number, text] : message.headers) {
        out.headers.push_back({std::string(name), type, number, std::string(text)});
      }
    }
  };
  for (const auto& piece : pieces) {
    parser.feed(piece);
    drain();
  }
  parser.finish();
  drain();
  seen.fault = parser.fault();
  return seen;
}

SeenHeader header_of(const json& header) {
  const auto type = header["type"].get<std::string>();
  const auto& value = header.contains("value") ? header["value"] : json();
  const auto name = header["name"].get<std::string>();
  using enum EventStreamType;
  if (type == "bool") return {name, value.get<bool>() ? bool_true : bool_false, value.get<bool>(), {}};
  if (type == "byte") return {name, byte, value, {}};
  if (type == "short") return {name, short_integer, value, {}};
  if (type == "int") return {name, integer, value, {}};
  if (type == "long") return {name, long_integer, std::stoll(value.get<std::string>()), {}};
  if (type == "timestamp") return {name, timestamp, std::stoll(value.get<std::string>()), {}};
  const auto text = inferwire_test::text_of(header, "value");
  return {name, type == "bytes" ? bytes : type == "string" ? string : uuid, 0, text};
}

std::vector<SeenMessage> messages_of(const json& expected) {
  std::vector<SeenMessage> out;
  for (const auto& message : expected) {
    auto& seen = out.emplace_back();
    seen.payload = message.contains("payload_parts")
                       ? inferwire_test::bytes_of_parts(message["payload_parts"])
                       : inferwire_test::text_of(message, "payload");
    for (const auto& header : message["headers"]) seen.headers.push_back(header_of(header));
  }
  return out;
}

EventStreamFault fault_called(const std::string& name) {
  using enum EventStreamFault;
  if (name == "prelude_crc") return prelude_crc;
  if (name == "message_crc") return message_crc;
  if (name == "length") return length;
  if (name == "too_large") return too_large;
  if (name == "headers") return headers;
  return truncated;
}

const json& vectors() {
  static const json all = inferwire_test::vectors_of("eventstream_vectors.json");
  return all;
}

std::string message_of(std::string_view payload) {
  std::string out;
  append_payload_part(out, payload);
  return out;
}

}  // namespace

TEST_CASE("every vector of event streams is read the same under every split") {
  REQUIRE(vectors().size() == 130);
  for (const auto& vector : vectors()) {
    const auto input = input_of(vector);
    CAPTURE(vector["name"].get<std::string>());
    const auto whole = parse({input});
    if (!vector.value("either", false)) {
      CHECK(whole.messages == messages_of(vector["expected"]));
      bool known = vector["expected_error"].is_null() && whole.fault == EventStreamFault::none;
      if (!vector["expected_error"].is_null()) {
        for (const auto& kind : vector["expected_error"]["kinds"]) {
          known = known || fault_called(kind.get<std::string>()) == whole.fault;
        }
      }
      CHECK(known);
    }
    for (const auto& cut : cuts_of(vector, input.size())) {
      const auto seen = parse(pieces_of(input, cut));
      if (seen != whole) {
        CAPTURE(cut);
        REQUIRE(seen == whole);
      }
    }
  }
}

TEST_CASE("SageMaker's event stream messages are read as their vectors say") {
  std::size_t visited = 0;
  for (const auto& vector : vectors()) {
    if (!vector.contains("sagemaker")) continue;
    ++visited;
    CAPTURE(vector["name"].get<std::string>());
    SageMakerStreamParser parser;
    parser.feed(input_of(vector));
    parser.finish();
    std::string payload;
    std::string type;
    SageMakerEvent event;
    using Next = SageMakerStreamParser::Next;
    auto next = parser.next(event);
    for (; next == Next::part; next = parser.next(event)) payload += event.payload;
    const auto& expected = vector["sagemaker"];
    CHECK(payload == inferwire_test::text_of(expected, "payload"));
    const auto& error = expected["error"];
    if (error.is_null()) {
      CHECK(next == Next::more);
    } else if (error["type"].is_null()) {
      CHECK(next == Next::broken);
    } else {
      REQUIRE((next == Next::exception || next == Next::error));
      CHECK(event.type == error["type"].get<std::string>());
      if (next == Next::error) CHECK(event.message == error["message"].get<std::string>());
    }
  }
  CHECK(visited > 20);
}

TEST_CASE("EventStreamParser reads what append_message writes") {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  const std::array<EventStreamHeader, 10> headers{
      {{"t", EventStreamType::bool_true, 1, {}},
       {"f", EventStreamType::bool_false, 0, {}},
       {"b", EventStreamType::byte, -128, {}},
       {"s", EventStreamType::short_integer, -32768, {}},
       {"i", EventStreamType::integer, std::numeric_limits<std::int32_t>::min(), {}},
       {"l", EventStreamType::long_integer, least, {}},
       {"bytes", EventStreamType::bytes, 0, "\x01\x02"},
       {"string", EventStreamType::string, 0, "text"},
       {"time", EventStreamType::timestamp, 1'700'000'000'000, {}},
       {"uuid", EventStreamType::uuid, 0, "0123456789abcdef"}}};
  std::string out = "before";
  append_message(out, headers, "payload");
  append_message(out, {}, {});
  EventStreamParser parser;
  parser.feed(std::string_view(out).substr(6));
  EventStreamMessage message;
  REQUIRE(parser.next(message) == EventStreamParser::Next::message);
  CHECK(std::vector(message.headers.begin(), message.headers.end()) ==
        std::vector(headers.begin(), headers.end()));
  CHECK(message.payload == "payload");
  CHECK(message.find("string") == "text");
  CHECK_FALSE(message.find("bytes"));  // not a string
  REQUIRE(parser.next(message) == EventStreamParser::Next::message);
  CHECK(message.headers.empty());
  CHECK(parser.next(message) == EventStreamParser::Next::more);
}

TEST_CASE("append_message cuts names and values that do not fit a header") {
  std::string out;
  const std::string name(300, 'n');
  const std::string value(70'000, 'v');
  const std::array<EventStreamHeader, 2> headers{
      {{.name = name, .text = value}, {.name = "u", .type = EventStreamType::uuid, .text = "short"}}};
  append_message(out, headers, "p");
  const auto seen = parse({out});
  REQUIRE(seen.messages.size() == 1);
  CHECK(seen.messages[0].headers[0].name.size() == 255);
  CHECK(seen.messages[0].headers[0].text.size() == 65'535);
  CHECK(seen.messages[0].headers[1].text.size() == 16);
}

TEST_CASE("parts and exceptions are written as SageMaker writes them") {
  std::string out;
  append_payload_part(out, "data: 1\n\n");
  append_exception(out, "InternalStreamFailure", R"({"Message":"internal"})");
  SageMakerStreamParser parser;
  parser.feed(out);
  SageMakerEvent event;
  REQUIRE(parser.next(event) == SageMakerStreamParser::Next::part);
  CHECK(event.payload == "data: 1\n\n");
  REQUIRE(parser.next(event) == SageMakerStreamParser::Next::exception);
  CHECK(event.type == "InternalStreamFailure");
  CHECK(event.payload == R"({"Message":"internal"})");
}

TEST_CASE("EventStreamParser notices every flipped bit") {
  const auto good = message_of("payload");
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    auto bad = good;
    bad[bit / 8] = static_cast<char>(static_cast<unsigned char>(bad[bit / 8]) ^ (1u << bit % 8));
    const auto seen = parse({bad});
    REQUIRE(seen.messages.empty());
    REQUIRE(seen.fault != EventStreamFault::none);
  }
}

TEST_CASE("EventStreamParser refuses a message by its length, before its bytes come") {
  const auto message = message_of(std::string(1000, 'x'));
  CHECK(parse({message}, EventStreamParser(message.size())).fault == EventStreamFault::none);
  EventStreamParser parser(message.size() - 1);
  parser.feed(message.substr(0, 12));
  EventStreamMessage out;
  CHECK(parser.next(out) == EventStreamParser::Next::broken);
  CHECK(parser.fault() == EventStreamFault::too_large);
}

TEST_CASE("EventStreamParser refuses more than 65536 headers") {
  std::vector<EventStreamHeader> headers(65'536, {.type = EventStreamType::bool_true});
  std::string out;
  append_message(out, headers, "payload");
  const auto allowed = parse({out});
  REQUIRE(allowed.messages.size() == 1);
  CHECK(allowed.messages[0].headers.size() == headers.size());
  headers.push_back(headers.front());
  out.clear();
  append_message(out, headers, "payload");
  CHECK(parse({out}).fault == EventStreamFault::headers);
}

TEST_CASE("EventStreamParser gives nothing after a fault") {
  auto bad = message_of("a");
  bad.back() = static_cast<char>(bad.back() ^ 1);
  CHECK(parse({message_of("before"), bad, message_of("after")}).messages.size() == 1);
}

TEST_CASE("describe() has words for every EventStreamFault") {
  std::vector<std::string> seen;
  for (const auto fault :
       {EventStreamFault::prelude_crc, EventStreamFault::message_crc, EventStreamFault::length,
        EventStreamFault::too_large, EventStreamFault::headers, EventStreamFault::truncated}) {
    const std::string words(describe(fault));
    CHECK_FALSE(words.empty());
    CHECK(std::find(seen.begin(), seen.end(), words) == seen.end());
    seen.push_back(words);
  }
  CHECK(describe(EventStreamFault::none).empty());
}

TEST_CASE("EventStreamParser moves bytes in linear time") {
  check_linear([](std::size_t size) {
    const auto stream = message_of("first") + message_of(std::string(size, 'x'));
    EventStreamParser parser;
    EventStreamMessage message;
    std::size_t messages = 0;
    for (std::size_t at = 0; at < stream.size(); at += 100) {
      parser.feed(std::string_view(stream).substr(at, 100));
      while (parser.next(message) == EventStreamParser::Next::message) ++messages;
    }
    REQUIRE(messages == 2);
    return parser.moved_bytes();
  });
}

TEST_CASE("EventStreamParser reuses its memory") {
  EventStreamParser parser;
  EventStreamMessage message;
  const auto bytes = message_of("payload");
  const char* payload = nullptr;
  const EventStreamHeader* headers = nullptr;
  for (int i = 0; i < 1000; ++i) {
    parser.feed(bytes);
    REQUIRE(parser.next(message) == EventStreamParser::Next::message);
    if (i > 0) REQUIRE((message.payload.data() == payload && message.headers.data() == headers));
    payload = message.payload.data();
    headers = message.headers.data();
    REQUIRE(parser.next(message) == EventStreamParser::Next::more);
  }
}
