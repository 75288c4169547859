// Measures what calls and streams cost next to a bare libcurl handle that does the same: by the transport
// alone, through the client, and on its event loop. The server is a process of its own.
#include "bare_curl.hpp"
#include "chat_stream_body.hpp"
#include "comparison.hpp"
#include "http/curl_transport.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/transport.hpp"
#include "protocol/framing/sse.hpp"
#include "recorded_server.hpp"
#include "support/coroutine.hpp"
#include "support/tls_proxy.hpp"

#include <curl/curl.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace inferwire;
using inferwire_bench::BareCurl;
using inferwire_bench::figure;
using inferwire_bench::ratio_of;
using inferwire_bench::RecordedServer;
using inferwire_bench::Turns;

constexpr Turns calls{.times = 250};
constexpr Turns streams{.times = 8};
constexpr int paced_events = 2'000;
constexpr Turns paced{.rounds = 9};

const std::string request_body(1000, 'y');

/// An answer as services give one after another: the id, the time, the text and the numbers differ.
std::string chat_answer(int number, const std::string& text) {
  const auto digits = std::to_string(number);
  return inferwire_bench::whole_answer(
      R"({"id":"chatcmpl-)" + digits + R"(","object":"chat.completion","created":170000000)" + digits +
      R"(,"model":"toy","choices":[{"index":0,"message":{"role":"assistant","content":")" + text +
      R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1)" + digits +
      R"(,"total_tokens":2)" + digits + "}}");
}

std::vector<inferwire_bench::Recorded> answers() {
  using namespace inferwire_bench;
  return {{.path = "/call", .pieces = {whole_answer(std::string(2205, 'x'))}},
          {.path = "/chat", .pieces = {chat_answer(1, std::string(2000, 'x'))}},
          {.path = "/chat", .pieces = {chat_answer(2, std::string(1990, 'y'))}},
          {.path = "/chat", .pieces = {chat_answer(3, std::string(2010, 'z'))}},
          bulk_stream("/stream", chat_stream()),
          stream_of_events("/events", chat_stream(), chat_events),
          stream_of_events("/paced", chat_stream(), paced_events, std::chrono::microseconds(100))};
}

struct CountingSink final : Sink {
  void on_head(const ResponseHead&) override {}
  void on_body(std::string_view part) override { bytes += part.size(); }
  void on_end(const Error* failure) override { failed |= failure != nullptr; }
  std::size_t bytes{};
  bool failed{};
};

/// Cuts the stream into events as the client does, without decoding them.
struct EventSink final : Sink {
  void on_head(const ResponseHead&) override {}
  void on_body(std::string_view part) override {
    bytes += part.size();
    parser.feed(part);
    for (protocol::SseEvent event; parser.next(event) == protocol::SseParser::Next::event;) ++events;
  }
  void on_end(const Error*) override {}
  std::size_t bytes{};
  int events{};
  protocol::SseParser parser;
};

void call_over(Transport& transport, const std::string& url, Sink& sink) {
  auto exchange = transport.start(
      {.url = url, .headers = inferwire_bench::request_headers, .body = request_body}, sink, {});
  if (!exchange) std::exit(1);
  while ((*exchange)->drive(TimePoint::max()) != Progress::ended) {}
}

/// Reads a stream through the client; gives the number of its events.
int events_of(const Client& client, const chat::Request& request) {
  int events = 0;
  for (const auto& chunk : client.chat.stream(request)) events += chunk ? 1 : 0;
  return events;
}

/// Reads a stream on the event loop; gives the number of its events.
int events_heard(const Client& client, const chat::Request& request) {
  int events = 0;
  std::atomic<bool> over{false};
  auto stream = client.chat.open(request);
  stream.listen([&](const chat::Chunk&) { ++events; },
                [&](Result<void>) {
                  over = true;
                  over.notify_one();
                });
  over.wait(false);
  return events;
}

inferwire_test::Detached call_in_a_row(const Client& client, const chat::Request& request, int count,
                                       int& wrong, std::atomic<bool>& over) {
  for (int i = 0; i < count; ++i) wrong += co_await client.chat.start(request) ? 0 : 1;
  over = true;
  over.notify_one();
}

/// Makes `count` calls from a coroutine on the event loop, one after the other; gives the number that failed.
int in_a_row(const Client& client, const chat::Request& request, int count) {
  int wrong = 0;
  std::atomic<bool> over{false};
  call_in_a_row(client, request, count, wrong, over);
  over.wait(false);
  return wrong;
}

}  // namespace

/// `call_bench [NAME]` measures only the figures whose name contains NAME.
int main(int argc, char** argv) {
  const auto wanted = [name = std::string_view(argc > 1 ? argv[1] : "")](std::string_view figure) {
    return figure.find(name) != figure.npos;
  };
  inferwire_bench::stay_on_one_core();
  const RecordedServer server(answers());  // forks, so it is made before any thread and any libcurl handle
  curl_global_init(CURL_GLOBAL_DEFAULT);
  const auto transport = http::make_curl_transport();

  if (wanted("call_transport_cpu_vs_bare_curl")) {
    CountingSink sink;
    BareCurl bare(server.url + "/call");
    const auto ratio = ratio_of(
        "a small call", calls, [&] { call_over(*transport, server.url + "/call", sink); },
        [&] { bare.call(); });
    if (sink.failed || sink.bytes != bare.bytes) return std::puts("the calls differ"), 1;
    figure("call_transport_cpu_vs_bare_curl", ratio, 1.25);
  }
  if (wanted("call_connections") && wanted("call_transport_cpu_vs_bare_curl")) {
    // The server counts connections: one of `bare`, and those of the transport's calls so far.
    struct : Sink {
      void on_head(const ResponseHead&) override {}
      void on_body(std::string_view part) override { text += part; }
      void on_end(const Error*) override {}
      std::string text;
    } answer;
    call_over(*transport, server.url + "/connections", answer);
    figure("call_connections", std::atoi(answer.text.c_str()) - 1, 1);
  }
  if (wanted("bulk_transport_cpu_vs_bare_curl")) {
    CountingSink sink;
    BareCurl bare(server.url + "/stream");
    const auto ratio = ratio_of(
        "a bulk stream, counted", streams, [&] { call_over(*transport, server.url + "/stream", sink); },
        [&] { bare.call(); });
    figure("bulk_transport_cpu_vs_bare_curl", ratio, 1.1);
  }
  if (wanted("bulk_events_cpu_vs_bare_curl")) {
    int events = 0;
    BareCurl bare(server.url + "/stream");
    const auto ratio = ratio_of(
        "a bulk stream, cut into events", streams,
        [&] {
          EventSink sink;
          call_over(*transport, server.url + "/stream", sink);
          events = sink.events;
        },
        [&] { bare.call(); });
    if (events != inferwire_bench::chat_events + 1) return std::puts("events are missing"), 1;
    figure("bulk_events_cpu_vs_bare_curl", ratio, 1.8);
  }

  // Calls through the client encode, authorise, and decode into the typed structs.
  const auto options_of = [&](const char* path) {
    auto provider = Provider::openai();
    provider.chat = {.path = path};
    return ClientOptions{
        .provider = provider, .base_url = server.url, .api_key = Secret(inferwire_bench::api_key)};
  };
  const auto client_of = [&](const char* path) { return Client(options_of(path)); };
  const chat::Request request{.model = "toy", .messages = {chat::user(std::string(900, 'y'))}};
  if (wanted("call_client_cpu_vs_bare_curl")) {
    const auto client = client_of("/chat");
    int wrong = 0;
    BareCurl bare(server.url + "/chat");
    const auto ratio = ratio_of(
        "a small call, typed", calls, [&] { wrong += client.chat.create(request) ? 0 : 1; },
        [&] { bare.call(); });
    if (wrong != 0) return std::puts("calls failed"), 1;
    figure("call_client_cpu_vs_bare_curl", ratio, 1.15);
  }
  // Streams as users read them, in both ways. A figure with `limit` 0 is only printed, not judged: how many
  // events a read brings depends on which side is slower.
  struct Streamed {
    const char* name;
    const char* path;
    int events;
    int (*read)(const Client&, const chat::Request&);
    Turns turns;
    double limit;
  };
  constexpr auto all = inferwire_bench::chat_events;
  for (const auto& row : {
           Streamed{"bulk_client_cpu_vs_bare_curl", "/stream", all, &events_of, streams, 2.2},
           Streamed{"bulk_async_cpu_vs_bare_curl", "/stream", all, &events_heard, streams, 2.2},
           Streamed{"events_client_cpu_vs_bare_curl", "/events", all, &events_of, paced, 0},
           Streamed{"events_async_cpu_vs_bare_curl", "/events", all, &events_heard, paced, 0},
           Streamed{"paced_client_cpu_vs_bare_curl", "/paced", paced_events, &events_of, paced, 1.1},
           Streamed{"paced_async_cpu_vs_bare_curl", "/paced", paced_events, &events_heard, paced, 1.1},
       }) {
    if (!wanted(row.name)) continue;
    const auto client = client_of(row.path);
    int events = 0;
    BareCurl bare(server.url + row.path);
    const auto ratio =
        ratio_of(row.name, row.turns, [&] { events = row.read(client, request); }, [&] { bare.call(); });
    if (events != row.events) return std::puts("events are missing"), 1;
    if (row.limit > 0) {
      figure(row.name, ratio, row.limit);
    } else {
      std::printf("# %s: %.2f times bare curl\n", row.name, ratio);
    }
  }

  if (wanted("call_tls_cpu_vs_bare_curl")) {
    const inferwire_test::TlsProxy proxy(server.port);
    if (!proxy.works()) return std::puts("there is no nghttpx"), 1;
    auto options = options_of("/chat");
    options.base_url = proxy.url();
    options.network.ca_pem = proxy.certificate;
    const Client client(options);
    int wrong = 0;
    BareCurl bare(proxy.url() + "/chat");
    bare.trust(proxy.certificate);
    const auto ratio = ratio_of(
        "a small call over TLS", calls, [&] { wrong += client.chat.create(request) ? 0 : 1; },
        [&] { bare.call(); });
    if (wrong != 0) return std::puts("calls failed"), 1;
    figure("call_tls_cpu_vs_bare_curl", ratio, 1.15);
  }
  // Calls on the event loop.
  if (wanted("call_async_cpu_vs_bare_curl")) {
    const auto client = client_of("/chat");
    int wrong = 0;
    BareCurl bare(server.url + "/chat");
    const auto ratio = ratio_of(
        "small calls in a row on the event loop", {},
        [&] { wrong += in_a_row(client, request, calls.times); },
        [&] {
          for (int i = 0; i < calls.times; ++i) bare.call();
        });
    // Here two threads wait for each other; calls that stay on the loop need not.
    const auto waited_for = ratio_of(
        "one that another thread waits for", calls,
        [&] { wrong += client.chat.start(request).get() ? 0 : 1; }, [&] { bare.call(); });
    std::printf("# that is %.2f times bare curl\n", waited_for);
    if (wrong != 0) return std::puts("calls failed"), 1;
    figure("call_async_cpu_vs_bare_curl", ratio, 1.5);
  }
}
