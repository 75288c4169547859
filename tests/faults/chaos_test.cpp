// Thousands of calls of all kinds against a server that chooses a random fault for each request: nothing
// crashes, hangs or leaks, and the server's notes explain the outcome of each call.
#include "faults/room_service.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/coroutine.hpp"
#include "support/open_files.hpp"
#include "support/sanitized.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

/// The number of calls: INFERWIRE_CALLS, by default ten thousand, or two thousand under sanitizers.
int number_of_calls() {
  const char* const wanted = std::getenv("INFERWIRE_CALLS");
  if (wanted != nullptr) return std::atoi(wanted);
  return sanitized ? 2'000 : 10'000;
}

constexpr int workers = 16;
constexpr std::string_view whole_text = "one two three";

/// A server's behaviour for a request, the outcome of the call if that was its last request, and whether the
/// client may retry after it.
struct Fault {
  const char* name;
  int weight;
  Reply (*play)(Reply good, std::mt19937& random);
  std::optional<ErrorKind> create;  ///< absent: an answer
  std::optional<ErrorKind> stream;
  bool tried_again;
};

std::size_t up_to(std::mt19937& random, std::size_t most) {
  return std::uniform_int_distribution<std::size_t>(0, most)(random);
}

constexpr std::optional<ErrorKind> good{};
constexpr auto connection = ErrorKind::connection;

const Fault faults[] = {
    {"good", 40, [](Reply r, auto&) { return r; }, good, good, false},
    {"slow", 5,
     [](Reply r, auto& random) {
       r.head_delay = std::chrono::milliseconds(up_to(random, 3));
       return r;
     },
     good, good, false},
    {"dripping", 3, [](Reply r, auto& random) { return r.in_pieces_of(1 + up_to(random, 40)); }, good, good,
     false},
    {"busy", 5, [](Reply, auto&) { return Reply::error(429).with("retry-after-ms", "1"); },
     ErrorKind::rate_limit, ErrorKind::rate_limit, true},
    {"refused", 3, [](Reply, auto&) { return Reply::error(400); }, ErrorKind::invalid_request,
     ErrorKind::invalid_request, false},
    {"failing", 5, [](Reply, auto&) { return Reply::error(500); }, ErrorKind::server, ErrorKind::server,
     true},
    {"closed without answer", 4, [](Reply, auto&) { return Reply::bytes(""); }, connection, connection, true},
    {"reset without answer", 4, [](Reply, auto&) { return Reply::reset(); }, connection, connection, true},
    {"cut in its head", 4, [](Reply, auto&) { return Reply::bytes("HTTP/1.1 200 OK\r\nContent-T"); },
     connection, connection, true},
    // A reply that is not HTTP is retried if the connection was reused.
    {"not HTTP", 2, [](Reply, auto&) { return Reply::bytes("SSH-2.0-OpenSSH_9.2\r\n"); }, connection,
     connection, true},
    {"cut in its body", 8, [](Reply r, auto& random) { return r.cut_after(up_to(random, least_answer)); },
     connection, connection, true},
    {"reset in its body", 5,
     [](Reply r, auto& random) { return r.cut_after(up_to(random, least_answer), Ending::reset); },
     connection, connection, true},
    {"a page of HTML", 2,
     [](Reply, auto&) {
       return Reply{.headers = {{"Content-Type", "text/html"}}, .body = {{"<html>Sign in</html>"}}};
     },
     ErrorKind::decode, ErrorKind::decode, false},
    {"not JSON", 3,
     [](Reply r, auto&) {
       r.body[0].bytes = "data: {\"choices\":[}\n\n";
       return r;
     },
     ErrorKind::decode, ErrorKind::decode, false},
    {"silent", 0, [](Reply, auto&) { return Reply::silence(); }, ErrorKind::timeout, ErrorKind::timeout,
     false},
};
constexpr std::size_t silent = std::size(faults) - 1;

/// The server, and its notes of the faults that each call encountered, in order.
class UnluckyServer {
 public:
  UnluckyServer() {
    server_.set_handler([this](const HttpRequest& request) {
      const auto call = std::string(find_header(request.headers, "x-call").value_or(""));
      // Silence lasts until its timer expires, so a few times are enough.
      const auto number = ++requests_ % 1'500 == 0 ? silent : lot_(random_);
      {
        const std::lock_guard lock(mutex_);
        met_[call].push_back(&faults[number]);
      }
      return faults[number].play(answer_of_room(request), random_);
    });
  }

  MockServer& server() { return server_; }
  std::vector<const Fault*> met(const std::string& call) {
    const std::lock_guard lock(mutex_);
    return met_[call];
  }

 private:
  static std::discrete_distribution<std::size_t> weights() {
    std::array<int, std::size(faults)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = faults[i].weight;
    return {all.begin(), all.end()};
  }

  std::mt19937 random_{20260822};  // used by the server's thread
  std::discrete_distribution<std::size_t> lot_ = weights();
  int requests_{};

  std::mutex mutex_;  // guards what follows
  std::map<std::string, std::vector<const Fault*>> met_;

  MockServer server_;  // the last member: its thread uses the others
};

/// The outcome of a call.
struct Outcome {
  bool streamed{};
  bool may_be_cancelled{};
  bool left{};  ///< whether the reader stopped before the end
  std::string text{};
  std::optional<Error> error{};
};

/// Why the notes do not explain an outcome; empty if they do.
std::string unexplained(const Outcome& outcome, const std::vector<const Fault*>& met) {
  if (!whole_text.starts_with(outcome.text)) return "text that was never sent, or sent once and heard twice";
  if (outcome.may_be_cancelled && outcome.error && outcome.error->kind == ErrorKind::cancelled) return {};
  if (met.empty()) return "no request was made";
  for (std::size_t i = 0; i + 1 < met.size(); ++i) {
    if (!met[i]->tried_again) return std::string("another try after: ") + met[i]->name;
  }
  if (outcome.left) return {};
  const auto& last = outcome.streamed ? met.back()->stream : met.back()->create;
  if (!last && outcome.error)
    return "an error although the last answer was good: " + outcome.error->message();
  if (!last && outcome.text != whole_text) return "half an answer that claims to be whole";
  if (last && !outcome.error) return std::string("an answer after: ") + met.back()->name;
  if (last && outcome.error->kind != *last) return met.back()->name + (": " + outcome.error->message());
  return {};
}

/// Cancels from another thread after a while, unless the call has ended by then.
class Canceller {
 public:
  explicit Canceller(std::size_t spins)
      : thread_([source = source_, spins]() mutable {
          for (std::size_t i = 0; i < spins; ++i) std::this_thread::yield();
          source.cancel();
        }) {}
  ~Canceller() { thread_.join(); }
  Canceller(const Canceller&) = delete;
  Canceller& operator=(const Canceller&) = delete;

  inferwire::CancelToken token() const { return source_.token(); }

 private:
  CancelSource source_;
  std::thread thread_;
};

/// The ways to wait for an answer.
enum class Way { blocking, on_loop };

template <class Room, class Request>
void create(const Room& room, Way way, const Request& request, const CallOptions& options, Outcome& outcome) {
  auto reply = way == Way::blocking ? room.create(request, options) : room.start(request, options).get();
  if (reply) {
    outcome.text = text_of(*reply);
  } else {
    outcome.error = std::move(reply).error();
  }
}

/// Reads at most `most` elements.
template <class Stream>
void read(Stream stream, std::size_t most, Outcome& outcome) {
  std::size_t count = 0;
  while (auto* element = stream.next()) {
    if (*element) {
      outcome.text += text_of(**element);
    } else {
      outcome.error = std::move(*element).error();
    }
    outcome.left = ++count >= most && !outcome.error;
    if (outcome.left) return;
  }
}

/// Reads at most `most` elements on the event loop.
template <class T>
Detached read_on_loop(AsyncStream<T> stream, std::size_t most, Outcome& outcome, Baton<bool>& over) {
  std::size_t count = 0;
  while (const auto* element = co_await stream.next()) {
    if (*element) {
      outcome.text += text_of(**element);
    } else {
      outcome.error = element->error();
    }
    outcome.left = ++count >= most && !outcome.error;
    if (outcome.left) break;
  }
  over.pass(true);
}

/// Makes one call, of a random room and kind.
Outcome make_call(const Client& client, Way way, const std::string& name, std::mt19937& random) {
  Outcome outcome;
  outcome.streamed = up_to(random, 1) == 1;
  outcome.may_be_cancelled = up_to(random, 19) == 0;
  const auto most = up_to(random, 9) == 0 ? up_to(random, 2) : 100;
  CallOptions options{.headers = {{"X-Call", name}}};
  std::optional<Canceller> canceller;
  if (outcome.may_be_cancelled) {
    canceller.emplace(up_to(random, 300));
    options.cancel = canceller->token();
  }
  with_room(client, up_to(random, rooms.size() - 1), [&](const auto& room, const auto& request) {
    if constexpr (requires { room.stream(request, options); }) {
      if (outcome.streamed && way == Way::blocking) {
        return read(room.stream(request, options), most, outcome);
      }
      if (outcome.streamed) {
        Baton<bool> over;
        read_on_loop(room.open(request, options), most, outcome, over);
        over.take();
        return;
      }
    }
    outcome.streamed = false;
    create(room, way, request, options, outcome);
  });
  return outcome;
}

/// Makes the calls, and checks that each outcome is explained and that nothing is left behind.
void call_in_bad_weather(Way way) {
  const int calls = number_of_calls();
  for (const auto& room : rooms) REQUIRE(room.whole.size() > least_answer);
  { const MockServer warm; }  // opens files that are opened once per process
  const auto files_before = open_files();
  std::atomic<int> answers{0};
  std::atomic<int> errors{0};
  std::mutex mutex;  // guards what follows
  std::vector<std::string> riddles;
  {
    UnluckyServer unlucky;
    auto options = options_for(unlucky.server());
    options.timeouts = {.first_byte = 2s, .idle = 2s};
    options.retry = {.max_retries = 1, .first_delay = 1ms, .timeouts = false};
    const Client client(options);
    std::vector<std::thread> threads;
    for (int worker = 0; worker < workers; ++worker) {
      threads.emplace_back([&, worker] {
        std::mt19937 random(static_cast<unsigned>(worker));
        for (int i = worker; i < calls; i += workers) {
          const auto name = std::to_string(i);
          const auto outcome = make_call(client, way, name, random);
          ++(outcome.error ? errors : answers);
          if (auto riddle = unexplained(outcome, unlucky.met(name)); !riddle.empty()) {
            const std::lock_guard lock(mutex);
            riddles.push_back((outcome.streamed ? "stream " : "create ") + name + ": " + std::move(riddle));
          }
        }
      });
    }
    for (auto& thread : threads) thread.join();
    std::printf("%d answers and %d errors, over %zu requests and %zu connections\n", answers.load(),
                errors.load(), unlucky.server().requests().size(), unlucky.server().connections());
  }
  constexpr std::size_t most_told = 20;
  for (std::size_t i = 0; i < std::min(riddles.size(), most_told); ++i) UNSCOPED_INFO(riddles[i]);
  CHECK(riddles.empty());
  CHECK(answers > calls / 2);
  CHECK(errors > calls / 10);
  CHECK(open_files() == files_before);
}

}  // namespace

TEST_CASE("ten thousand calls in bad weather: each outcome is explained, and nothing is left behind") {
  call_in_bad_weather(Way::blocking);
}

TEST_CASE(
    "ten thousand calls on an event loop in bad weather: each outcome is explained, and nothing is left "
    "behind") {
  call_in_bad_weather(Way::on_loop);
}
