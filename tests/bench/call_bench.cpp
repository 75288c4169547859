// What the transport costs beside a bare libcurl handle that does the same, in CPU time of this process (user
// and system, all threads). The server is a process of its own. Rounds are interleaved; the figure is the
// median ratio.
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "chat_stream_body.hpp"
#include "embeddings_body.hpp"
#include "http/curl_transport.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/transport.hpp"
#include "protocol/sse.hpp"

namespace {

using namespace inferwire;

constexpr int rounds = 41;
constexpr int calls = 250;
constexpr int streams = 8;

// ---------------------------------------------------------------- the server

std::string headers(std::string_view type) {
  std::string out = "HTTP/1.1 200 OK\r\nContent-Type: ";
  (out += type) += "\r\n";
  for (int i = 0; i < 15; ++i) {
    out +=
        "X-Realistic-Header-" + std::to_string(i) + ": a value of usual length " + std::to_string(i) + "\r\n";
  }
  return out;
}

std::string whole_answer(std::string_view body) {
  return headers("application/json") + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

/// The stream in HTTP chunks of 16 KB.
std::string stream_answer() {
  std::string out = headers("text/event-stream") + "Transfer-Encoding: chunked\r\n\r\n";
  for (std::string_view rest = inferwire_bench::chat_stream(); !rest.empty();) {
    const auto piece = rest.substr(0, 16 * 1024);
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
    ((out += size) += piece) += "\r\n";
    rest.remove_prefix(piece.size());
  }
  return out + "0\r\n\r\n";
}

/// "POST /path HTTP/1.1", head and body (whose length is known: all requests here are alike) come in one
/// piece or in several.
bool read_request(int socket, std::string& path) {
  std::string request;
  char bytes[16 * 1024];
  for (;;) {
    const auto count = ::recv(socket, bytes, sizeof bytes, 0);
    if (count <= 0) return false;
    request.append(bytes, static_cast<std::size_t>(count));
    const auto end = request.find("\r\n\r\n");
    if (end == request.npos) continue;
    const auto length = request.find("Content-Length: ");
    const auto body = length < end ? std::strtoul(request.c_str() + length + 16, nullptr, 10) : 0;
    if (request.size() - end - 4 < body) continue;
    const auto begin = request.find(' ') + 1;
    path = request.substr(begin, request.find(' ', begin) - begin);
    return true;
  }
}

[[noreturn]] void serve(int listener) {
  const auto call = whole_answer(std::string(2205, 'x'));
  const auto chat = whole_answer(
      R"({"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"toy","choices":[{"index":0,)"
      R"("message":{"role":"assistant","content":")" +
      std::string(2000, 'x') +
      R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":12,"total_tokens":21}})");
  const auto stream = stream_answer();
  const auto text_rows = whole_answer(inferwire_bench::text_body());
  const auto base64_rows = whole_answer(inferwire_bench::base64_body());
  std::atomic<int> connections{0};
  for (;;) {
    const int socket = ::accept(listener, nullptr, nullptr);
    if (socket < 0) continue;
    ++connections;
    std::thread([&, socket] {
      const int on = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      for (std::string path; read_request(socket, path);) {
        const auto count = whole_answer(std::to_string(connections.load()));
        std::string_view answer = path == "/call"     ? call
                                  : path == "/chat"   ? chat
                                  : path == "/stream" ? stream
                                  : path == "/text"   ? text_rows
                                  : path == "/base64" ? base64_rows
                                                      : count;
        while (!answer.empty()) {
          const auto sent =
              ::send(socket, answer.data(), std::min<std::size_t>(answer.size(), 16 * 1024), MSG_NOSIGNAL);
          if (sent <= 0) break;
          answer.remove_prefix(static_cast<std::size_t>(sent));
        }
      }
      ::close(socket);
    }).detach();
  }
}

struct Server {
  Server() {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::listen(listener, 64) != 0 ||
        ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      std::perror("no server");
      std::exit(1);
    }
    url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    process = ::fork();
    if (process == 0) serve(listener);
    ::close(listener);
  }
  ~Server() {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
  std::string url;
  pid_t process{};
};

// ---------------------------------------------------------------- the clients

const std::string request_body(1000, 'y');
const std::vector<Header> request_headers{{"Content-Type", "application/json"},
                                          {"Accept", "application/json"},
                                          {"Authorization", "Bearer 0123456789abcdef0123456789abcdef"},
                                          {"User-Agent", "inferwire-bench"}};

std::size_t count_bytes(char*, std::size_t, std::size_t size, void* counter) {
  *static_cast<std::size_t*>(counter) += size;
  return size;
}

/// A handle that is set up once and performed again and again.
struct BareCurl {
  explicit BareCurl(const std::string& url) {
    for (const auto& [name, value] : request_headers)
      list = curl_slist_append(list, (name + ": " + value).c_str());
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(request_body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request_body.data());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, count_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &bytes);
  }
  ~BareCurl() {
    curl_easy_cleanup(easy);
    curl_slist_free_all(list);
  }
  void call() { curl_easy_perform(easy); }

  CURL* easy = curl_easy_init();
  curl_slist* list{};
  std::size_t bytes{};
};

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
  auto exchange = transport.start({.url = url, .headers = request_headers, .body = request_body}, sink, {});
  if (!exchange) std::exit(1);
  while ((*exchange)->drive(TimePoint::max()) != Progress::ended) {}
}

// ---------------------------------------------------------------- measuring

/// The server wakes its client, and whether over to another core or not makes a small call cost 14 us or 36;
/// the scheduler's choice would stay with one of the two that are compared.
void stay_on_one_core() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &cores);
  ::sched_setaffinity(0, sizeof cores, &cores);
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class F>
double cost_of(int times, F&& work) {
  const auto begin = cpu_seconds();
  for (int i = 0; i < times; ++i) work();
  return (cpu_seconds() - begin) / times;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

bool figure(const char* name, double value, double limit) {
  const bool ok = value <= limit;
  std::printf("figure %s %.3f %.3f %s\n", name, value, limit, ok ? "ok" : "short");
  return ok;
}

template <class Ours, class Bare>
double ratio_of(const char* name, int times, Ours&& ours, Bare&& bare) {
  ours();
  bare();
  std::vector<double> ratios;
  std::vector<double> ours_costs;
  std::vector<double> bare_costs;
  for (int i = 0; i < rounds; ++i) {
    const bool bare_first = i % 2 == 0;
    const double first = bare_first ? cost_of(times, bare) : cost_of(times, ours);
    const double second = bare_first ? cost_of(times, ours) : cost_of(times, bare);
    bare_costs.push_back(bare_first ? first : second);
    ours_costs.push_back(bare_first ? second : first);
    ratios.push_back(ours_costs.back() / bare_costs.back());
  }
  std::printf("# %s: %.1f us, the other %.1f us of CPU\n", name, median(ours_costs) * 1e6,
              median(bare_costs) * 1e6);
  return median(ratios);
}

}  // namespace

/// `call_bench [NAME]`: only the figures whose name has NAME in it.
int main(int argc, char** argv) {
  const auto wanted = [name = std::string_view(argc > 1 ? argv[1] : "")](std::string_view figure) {
    return figure.find(name) != figure.npos;
  };
  stay_on_one_core();
  const Server server;  // before any thread or handle of libcurl's
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
    // The server counts connections: bare's one, and those of the transport's calls so far.
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

  // The same through the client: encoded, authorised, decoded into the typed structs.
  const auto client_of = [&](const char* path) {
    auto provider = Provider::openai();
    provider.chat = {.path = path};
    return Client({.provider = provider, .base_url = server.url, .api_key = Secret("0123456789abcdef")});
  };
  const chat::Request request{.model = "toy", .messages = {chat::user(std::string(900, 'y'))}};
  if (wanted("call_client_cpu_vs_bare_curl")) {
    const auto client = client_of("/chat");
    int wrong = 0;
    BareCurl bare(server.url + "/chat");
    const auto ratio = ratio_of(
        "a small call, typed", calls, [&] { wrong += client.chat.create(request) ? 0 : 1; },
        [&] { bare.call(); });
    if (wrong != 0) return std::puts("calls failed"), 1;
    figure("call_client_cpu_vs_bare_curl", ratio, 1.25);
  }
  if (wanted("bulk_client_cpu_vs_bare_curl")) {
    const auto client = client_of("/stream");
    int events = 0;
    bool failed = false;
    BareCurl bare(server.url + "/stream");
    const auto ratio = ratio_of(
        "a bulk stream, typed", streams,
        [&] {
          events = 0;
          for (const auto& chunk : client.chat.stream(request)) {
            failed |= !chunk;
            ++events;
          }
        },
        [&] { bare.call(); });
    if (failed || events != inferwire_bench::chat_events) return std::puts("events are missing"), 1;
    figure("bulk_client_cpu_vs_bare_curl", ratio, 2.5);
  }

  // The same on the event loop.
  if (wanted("call_async_cpu_vs_bare_curl")) {
    const auto client = client_of("/chat");
    int wrong = 0;
    BareCurl bare(server.url + "/chat");
    const auto ratio = ratio_of(
        "a small call on the event loop", calls, [&] { wrong += client.chat.start(request).get() ? 0 : 1; },
        [&] { bare.call(); });
    if (wrong != 0) return std::puts("calls failed"), 1;
    figure("call_async_cpu_vs_bare_curl", ratio, 1.5);
  }
  if (wanted("bulk_async_cpu_vs_bare_curl")) {
    const auto client = client_of("/stream");
    int events = 0;
    BareCurl bare(server.url + "/stream");
    const auto ratio = ratio_of(
        "a bulk stream on the event loop", streams,
        [&] {
          events = 0;
          std::atomic<bool> over{false};
          auto stream = client.chat.open(request);
          stream.listen([&](const chat::Chunk&) { ++events; },
                        [&](Result<void>) {
                          over = true;
                          over.notify_one();
                        });
          over.wait(false);
        },
        [&] { bare.call(); });
    if (events != inferwire_bench::chat_events) return std::puts("events are missing"), 1;
    figure("bulk_async_cpu_vs_bare_curl", ratio, 2.5);
  }

  if (wanted("embeddings_base64_to_text")) {
    const auto rows_of = [&](const char* path) {
      auto provider = Provider::openai();
      provider.embeddings = {.path = path};
      return Client({.provider = provider, .base_url = server.url, .api_key = Secret("0123456789abcdef")});
    };
    const auto text = rows_of("/text");
    const auto base64 = rows_of("/base64");
    const embeddings::Request texts{.model = "m",
                                    .input = std::vector<std::string>(inferwire_bench::rows, "a text")};
    std::vector<embeddings::Embedding> packed, spelt;
    const auto ratio = ratio_of(
        "embeddings in base64 beside text", 4,
        [&] {
          if (auto reply = base64.embeddings.create(texts)) packed = std::move(reply->data);
        },
        [&] {
          if (auto reply = text.embeddings.create(texts)) spelt = std::move(reply->data);
        });
    if (packed.size() != inferwire_bench::rows || packed != spelt) return std::puts("the rows differ"), 1;
    figure("embeddings_base64_to_text", ratio, 0.2);
  }
}
