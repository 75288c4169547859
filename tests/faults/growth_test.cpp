// The memory of a client does not grow with its work: long streams, many calls, a paused reader. Counts
// allocated bytes, not resident pages. The server is another process, so that its memory does not count. This
// test is a separate program, since it replaces operator new and libcurl's allocator.
#include "faults/chat_service.hpp"
#include "faults/live_memory.hpp"
#include "faults/server_process.hpp"
#include "inferwire/embeddings.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/coroutine.hpp"
#include "support/sanitized.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <vector>

using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

constexpr std::size_t kilobyte = 1024;

Client client_at(const ServerProcess& server) {
  return Client(
      {.base_url = server.url() + "/v1", .api_key = "sk-secret", .retry = inferwire::RetryPolicy::none()});
}

/// A stream of `events` chunks "x", a hundred in each piece, and its end.
Reply long_stream(std::uint64_t events) {
  constexpr std::uint64_t together = 100;
  std::string piece;
  for (std::uint64_t i = 0; i < together; ++i) piece += chunk("x");
  auto reply = Reply::stream({std::move(piece), chunk("", R"("stop")") + done});
  reply.body[0].times = events / together;
  return reply;
}

/// The difference between the highest and the lowest count of allocated bytes.
class Growth {
 public:
  void look() {
    const auto bytes = LiveMemory::bytes();
    first_ = std::min(first_, bytes);
    most_ = std::max(most_, bytes);
  }
  std::size_t bytes() const { return most_ - first_; }

 private:
  std::size_t first_{std::numeric_limits<std::size_t>::max()};
  std::size_t most_{};
};

constexpr std::uint64_t warm_events = 1'000;
constexpr std::uint64_t looks_apart = 1'000;

/// Counts the events of a stream, and checks the memory from time to time.
struct Reader {
  void on_event(const chat::Chunk& chunk) {
    if (chunk.text().empty()) return;
    ++events;
    if (events >= warm_events && events % looks_apart == 0) growth.look();
  }
  std::uint64_t events{};
  Growth growth{};
};

/// Checks that a reader has read `events` events, and that memory did not grow meanwhile.
void check_growth(const Reader& reader, std::uint64_t events) {
  CHECK(reader.events == events);
  CHECK(reader.growth.bytes() < 1000 * kilobyte);
}

std::uint64_t events_of_a_long_stream() { return sanitized ? 100'000 : 1'000'000; }

/// Reads only the first chunk.
Detached read_one(AsyncStream<chat::Chunk>& stream, Baton<bool>& read) {
  const auto* const element = co_await stream.next();
  read.pass(element != nullptr && element->has_value());
}

/// Makes calls in sequence. Returns the growth of allocated memory from the first call after the warm-up to
/// the last.
std::size_t growth_over(int calls) {
  const ServerProcess server(&good_answer);
  REQUIRE(server.works());
  const auto client = client_at(server);
  constexpr int warm_calls = 300;  // at the 256th call libcurl 8.14 allocates 56 more bytes, once
  constexpr int looks = 50;
  Growth growth;
  for (int i = 0; i < calls; ++i) {
    REQUIRE(client.chat.create(hello));
    if (i >= warm_calls && i % looks == 0) growth.look();
  }
  return growth.bytes();
}

}  // namespace

TEST_CASE("a stream of a million events is read without growing") {
  const auto events = events_of_a_long_stream();
  const ServerProcess server([events](const HttpRequest&) { return long_stream(events); });
  REQUIRE(server.works());
  Reader reader;
  for (const auto& chunk : client_at(server).chat.stream(hello)) {
    REQUIRE(chunk);
    reader.on_event(*chunk);
  }
  check_growth(reader, events);
}

TEST_CASE("a stream of a million events is heard on the event loop without growing") {
  const auto events = events_of_a_long_stream();
  const ServerProcess server([events](const HttpRequest&) { return long_stream(events); });
  REQUIRE(server.works());
  const auto client = client_at(server);
  Reader reader;
  Baton<bool> over;
  auto stream = client.chat.open(hello);
  stream.listen([&reader](const chat::Chunk& chunk) { reader.on_event(chunk); },
                [&over](Result<void> outcome) { over.pass(outcome.has_value()); });
  CHECK(over.take());
  check_growth(reader, events);
}

TEST_CASE("calls one after another leave nothing behind") { CHECK(growth_over(3'000) == 0); }

TEST_CASE("a hundred thousand calls leave nothing behind", "[.slow]") { CHECK(growth_over(100'000) == 0); }

TEST_CASE("a large answer leaves nothing of its size behind") {
  const ServerProcess server([](const HttpRequest&) {
    std::string numbers = "0";
    while (numbers.size() < 8'000 * kilobyte) numbers += ",1";
    return Reply::json(R"({"data":[{"index":0,"embedding":[)" + numbers + "]}]}");
  });
  REQUIRE(server.works());
  const auto client = client_at(server);
  const auto before = LiveMemory::bytes();
  REQUIRE(client.embeddings.create({.model = "m", .input = "text"}));
  CHECK(LiveMemory::bytes() < before + 1000 * kilobyte);
}

TEST_CASE("a reader that stands still holds up none of 999 others, and its buffer is bounded") {
  constexpr std::size_t others = 999;
  constexpr std::uint64_t events_each = 200;
  constexpr std::uint64_t too_many_events = 200'000;  // 20 MB
  const ServerProcess server([](const HttpRequest& request) {
    if (!wants_stream(request)) return good_answer(request);
    return long_stream(inferwire::find_header(request.headers, "x-flood") ? too_many_events : events_each);
  });
  REQUIRE(server.works());
  const auto client = client_at(server);

  Baton<bool> standing;
  std::optional still = client.chat.open(hello, {.headers = {{"X-Flood", "yes"}}});
  read_one(*still, standing);
  REQUIRE(standing.take());

  std::vector<std::uint64_t> events(others);
  std::atomic<std::size_t> whole{0};
  std::atomic<std::size_t> ended{0};
  Baton<bool> all_ended;
  std::vector<AsyncStream<chat::Chunk>> streams;
  for (auto& count : events) {
    auto& stream = streams.emplace_back(client.chat.open(hello));
    stream.listen([&count](const chat::Chunk& chunk) { count += chunk.text().empty() ? 0 : 1; },
                  [&](Result<void> outcome) {
                    whole += outcome ? 1 : 0;
                    if (++ended == others) all_ended.pass(true);
                  });
  }
  all_ended.take();
  CHECK(whole == others);
  CHECK(std::ranges::count(events, events_each) == others);

  streams.clear();
  // The loop destroys objects in order: when a later call is answered, they are gone.
  REQUIRE(client.chat.start(hello).get());
  const auto with = LiveMemory::bytes();
  still.reset();
  REQUIRE(client.chat.start(hello).get());
  const auto without = LiveMemory::bytes();
  // Besides its buffer the stream holds: one read of libcurl that was added to it, another that libcurl keeps
  // since it was paused, the buffer for the next one, and the connection.
  constexpr std::size_t one_read = 64 * kilobyte;
  const auto buffer = inferwire::ClientOptions{}.stream_buffer_bytes;
  std::printf("the reader who stands still held %zu KB\n", (with - without) / kilobyte);
  CHECK(with - without < buffer + 4 * one_read);
}
