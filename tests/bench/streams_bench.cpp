// Measures many slow streams on one thread: the client's event loop next to libcurl, epoll and a hand-written
// decoder. Each side has a process of its own in each round, and so has the server. The figure is the CPU
// time (user and system) from when all streams have begun until the first one ends.
//
//   streams_bench [streams] [rounds] [h2]
//
// With h2 the streams are HTTP/2 streams on a connection to nghttpx, which is in front of the server.
#include "comparison.hpp"
#include "hand_written_decode.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "protocol/framing/sse.hpp"
#include "slow_streams.hpp"
#include "support/tls_proxy.hpp"

#include <curl/curl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <utility>

namespace {

using namespace inferwire;
using inferwire_bench::cpu_seconds;
using inferwire_bench::figure;
using inferwire_bench::median;
using inferwire_bench::microseconds_now;
using inferwire_bench::stay_on;

constexpr int events_each = 20;

double resident_kilobytes() {
  std::ifstream file("/proc/self/statm");
  double total{};
  double resident{};
  file >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1024;
}

/// The results of a round, passed from its process to the one that compares.
struct Outcome {
  double cpu_per_event{};     ///< in us
  double core{};              ///< the share of a core
  double setup_per_stream{};  ///< in us of CPU time
  double kilobytes_per_stream{};
  double median_delay{};  ///< in us, from when an event is sent until it is seen
  double closing{};       ///< in s
  std::uint64_t events{};
  std::uint64_t failed{};
};

/// Measures the times of one side.
class Watch {
 public:
  explicit Watch(std::size_t streams) : streams_(streams), begin_kilobytes_(resident_kilobytes()) {
    delays_.reserve(streams * events_each);
    begin_cpu_ = cpu_seconds();
  }

  void event(std::int64_t sent, bool first) {
    ++outcome_.events;
    if (first && ++begun_ == streams_) {
      outcome_.setup_per_stream = (cpu_seconds() - begin_cpu_) * 1e6 / static_cast<double>(streams_);
      outcome_.kilobytes_per_stream =
          (resident_kilobytes() - begin_kilobytes_) / static_cast<double>(streams_);
      window_cpu_ = cpu_seconds();
      window_time_ = microseconds_now();
      window_events_ = outcome_.events;
      delays_.clear();
    }
    delays_.push_back(static_cast<double>(microseconds_now() - sent));
  }
  /// Notes that a stream has ended; returns whether it was the last.
  bool end(bool good) {
    outcome_.failed += good ? 0 : 1;
    if (ended_++ == 0) {
      const auto events = static_cast<double>(outcome_.events - window_events_);
      const auto cpu = cpu_seconds() - window_cpu_;
      outcome_.cpu_per_event = cpu * 1e6 / events;
      outcome_.core = cpu * 1e6 / static_cast<double>(microseconds_now() - window_time_);
      std::ranges::nth_element(delays_, delays_.begin() + static_cast<std::ptrdiff_t>(delays_.size() / 2));
      outcome_.median_delay = delays_[delays_.size() / 2];
    }
    return ended_ == streams_;
  }
  Outcome& outcome() { return outcome_; }

 private:
  std::size_t streams_;
  std::size_t begun_{};
  std::size_t ended_{};
  double begin_kilobytes_;
  double begin_cpu_{};
  double window_cpu_{};
  std::int64_t window_time_{};
  std::uint64_t window_events_{};
  std::vector<double> delays_;
  Outcome outcome_;
};

/// The server of the streams.
struct Service {
  std::string url;
  std::string certificate;  ///< the certificate to trust, for HTTP/2; empty: plain HTTP/1.1
};

// ---------------------------------------------------------------- the client's event loop

Outcome ours(const Service& service, std::size_t count) {
  auto provider = Provider::openai();
  provider.chat = {.path = "/chat"};
  NetworkOptions network;
  if (!service.certificate.empty()) {
    network = {.ca_pem = service.certificate, .http_version = HttpVersion::http2};
  }
  const Client client({.provider = provider,
                       .base_url = service.url,
                       .api_key = Secret("0123456789abcdef"),
                       .network = network});
  const chat::Request request{.model = "toy", .messages = {chat::user(std::string(900, 'y'))}};
  std::vector<AsyncStream<chat::Chunk>> streams;
  streams.reserve(count);
  Watch watch(count);
  std::atomic<bool> over{false};
  for (std::size_t i = 0; i < count; ++i) {
    streams.push_back(client.chat.open(request));
    streams.back().listen(
        [&watch, first = true](const chat::Chunk& chunk) mutable {
          if (chunk.text().empty()) return;
          watch.event(static_cast<std::int64_t>(*chunk.created), std::exchange(first, false));
        },
        [&](Result<void> outcome) {
          if (!watch.end(outcome.has_value())) return;
          over = true;
          over.notify_one();
        });
  }
  over.wait(false);
  const auto begin = microseconds_now();
  streams.clear();
  watch.outcome().closing = static_cast<double>(microseconds_now() - begin) * 1e-6;
  return watch.outcome();
}

// ---------------------------------------------------------------- the same by hand

class ByHand {
 public:
  ByHand(const Service& service, std::size_t count) : watch_(count) {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    // libcurl looks through all of a multi's connections for a new one, so each multi has at most a thousand.
    for (std::size_t i = 0; i < (count + 999) / 1000; ++i) {
      auto& multi = *multis_.emplace_back(std::make_unique<Multi>());
      multi.epoll = epoll_;
      multi.number = i;
      curl_multi_setopt(multi.handle, CURLMOPT_SOCKETFUNCTION, &on_socket);
      curl_multi_setopt(multi.handle, CURLMOPT_SOCKETDATA, &multi);
      curl_multi_setopt(multi.handle, CURLMOPT_TIMERFUNCTION, &on_timer);
      curl_multi_setopt(multi.handle, CURLMOPT_TIMERDATA, &multi);
    }
    headers_ = curl_slist_append(headers_, "Content-Type: application/json");
    headers_ = curl_slist_append(headers_, "Authorization: Bearer 0123456789abcdef");
    streams_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      auto& stream = *streams_.emplace_back(std::make_unique<Stream>(*this));
      curl_easy_setopt(stream.easy, CURLOPT_URL, (service.url + "/chat").c_str());
      curl_easy_setopt(stream.easy, CURLOPT_NOSIGNAL, 1L);
      curl_easy_setopt(stream.easy, CURLOPT_HTTPHEADER, headers_);
      curl_easy_setopt(stream.easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(body_.size()));
      curl_easy_setopt(stream.easy, CURLOPT_POSTFIELDS, body_.data());
      curl_easy_setopt(stream.easy, CURLOPT_WRITEFUNCTION, &on_bytes);
      curl_easy_setopt(stream.easy, CURLOPT_WRITEDATA, &stream);
      if (!service.certificate.empty()) {
        curl_blob trusted{.data = const_cast<char*>(service.certificate.data()),
                          .len = service.certificate.size(),
                          .flags = CURL_BLOB_COPY};
        curl_easy_setopt(stream.easy, CURLOPT_CAINFO_BLOB, &trusted);
        curl_easy_setopt(stream.easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
        curl_easy_setopt(stream.easy, CURLOPT_PIPEWAIT, 1L);
      }
      curl_multi_add_handle(multis_[i / 1000]->handle, stream.easy);
    }
  }

  Outcome run() {
    while (!over_) {
      auto wait = std::int64_t{1'000'000};
      for (const auto& multi : multis_) wait = std::min(wait, multi->due - microseconds_now());
      std::array<epoll_event, 256> news;
      const int count = ::epoll_wait(epoll_, news.data(), news.size(),
                                     static_cast<int>((std::max<std::int64_t>(wait, 0) + 999) / 1000));
      int running{};
      for (int i = 0; i < count; ++i) {
        const auto& one = news[static_cast<std::size_t>(i)];
        auto& multi = *multis_[one.data.u64 >> 32];
        const int flags = ((one.events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0) |
                          ((one.events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0);
        curl_multi_socket_action(multi.handle, static_cast<int>(one.data.u64 & 0xffffffff), flags, &running);
        collect(multi);
      }
      for (const auto& multi : multis_) {
        if (multi->due > microseconds_now()) continue;
        multi->due = never;
        curl_multi_socket_action(multi->handle, CURL_SOCKET_TIMEOUT, 0, &running);
        collect(*multi);
      }
    }
    return watch_.outcome();
  }

 private:
  static constexpr std::int64_t never = INT64_MAX;

  struct Multi {
    CURLM* handle = curl_multi_init();
    int epoll{};
    std::size_t number{};
    std::int64_t due{never};
  };
  struct Stream {
    explicit Stream(ByHand& all) : owner(all) {}
    ByHand& owner;
    CURL* easy = curl_easy_init();
    protocol::SseParser parser;
    bool begun{};
    bool done{};
  };

  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) {
    const auto& multi = *static_cast<Multi*>(self);
    epoll_event event{};
    event.data.u64 = (static_cast<std::uint64_t>(multi.number) << 32) | static_cast<std::uint32_t>(socket);
    event.events = (what == CURL_POLL_OUT ? 0u : EPOLLIN) | (what == CURL_POLL_IN ? 0u : EPOLLOUT);
    if (what == CURL_POLL_REMOVE) return ::epoll_ctl(multi.epoll, EPOLL_CTL_DEL, socket, &event), 0;
    if (::epoll_ctl(multi.epoll, EPOLL_CTL_ADD, socket, &event) != 0) {
      ::epoll_ctl(multi.epoll, EPOLL_CTL_MOD, socket, &event);
    }
    return 0;
  }
  static int on_timer(CURLM*, long milliseconds, void* self) {
    static_cast<Multi*>(self)->due = milliseconds < 0 ? never : microseconds_now() + milliseconds * 1000;
    return 0;
  }
  static std::size_t on_bytes(char* bytes, std::size_t, std::size_t size, void* self) {
    auto& stream = *static_cast<Stream*>(self);
    auto& own = stream.owner;
    stream.parser.feed({bytes, size});
    for (protocol::SseEvent event; stream.parser.next(event) == protocol::SseParser::Next::event;) {
      if (event.data == "[DONE]") {
        stream.done = true;
        break;
      }
      constexpr std::size_t padding = 64;
      if (!own.decoder_.decode(event.data, event.data.size() + padding, own.chunk_)) return 0;
      if (own.chunk_.text().empty()) continue;
      own.watch_.event(static_cast<std::int64_t>(*own.chunk_.created), !std::exchange(stream.begun, true));
    }
    return size;
  }
  void collect(Multi& multi) {
    int left{};
    while (const CURLMsg* const message = curl_multi_info_read(multi.handle, &left)) {
      if (message->msg == CURLMSG_DONE) over_ |= watch_.end(message->data.result == CURLE_OK);
    }
  }

  Watch watch_;
  int epoll_ = ::epoll_create1(0);
  std::string body_ =
      R"({"model":"toy","messages":[{"role":"user","content":")" + std::string(900, 'y') + "\"}]}";
  curl_slist* headers_{};
  std::vector<std::unique_ptr<Multi>> multis_;
  std::vector<std::unique_ptr<Stream>> streams_;
  inferwire_bench::HandWritten decoder_;
  chat::Chunk chunk_;
  bool over_{};
};

// ---------------------------------------------------------------- comparing

/// Runs one side in a process of its own, with its own server on the other core.
Outcome round_of(bool is_ours, std::size_t count, bool over_http2) {
  int pipe[2];
  if (::pipe(pipe) != 0) std::exit(1);
  std::fflush(stdout);
  const auto child = ::fork();
  if (child == 0) {
    inferwire_bench::allow_many_descriptors();
    stay_on(1);
    auto server = std::make_unique<inferwire_bench::SlowStreams>(events_each);
    Service service{.url = server->url, .certificate = {}};
    std::unique_ptr<inferwire_test::TlsProxy> proxy;
    if (over_http2) {
      proxy = std::make_unique<inferwire_test::TlsProxy>(server->port);
      service = {.url = proxy->url(), .certificate = proxy->certificate};
    }
    stay_on(0);
    const auto run = [&](std::size_t streams) {
      return is_ours ? ours(service, streams) : ByHand(service, streams).run();
    };
    run(1);  // warms up: a process's first stream costs a megabyte, mostly of code
    const auto outcome = run(count);
    proxy.reset();  // std::exit would not destroy these two
    server.reset();
    [[maybe_unused]] const auto written = ::write(pipe[1], &outcome, sizeof outcome);
    ::close(pipe[1]);
    std::exit(0);
  }
  ::close(pipe[1]);
  Outcome outcome;
  if (::read(pipe[0], &outcome, sizeof outcome) != sizeof outcome) {
    std::fprintf(stderr, "a round brought nothing\n");
    std::exit(1);
  }
  ::close(pipe[0]);
  ::waitpid(child, nullptr, 0);
  std::printf(
      "# %-7s %.2f us an event, %.0f %% of a core, set-up %.0f us, %.1f KB a stream, delay %.0f us, "
      "%llu events, %llu failed\n",
      is_ours ? "ours" : "by hand", outcome.cpu_per_event, outcome.core * 100, outcome.setup_per_stream,
      outcome.kilobytes_per_stream, outcome.median_delay, static_cast<unsigned long long>(outcome.events),
      static_cast<unsigned long long>(outcome.failed));
  return outcome;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  const bool over_http2 = argc > 3;
  std::vector<Outcome> own;
  std::vector<double> ratios;
  std::uint64_t lost = 0;
  for (int i = 0; i < rounds; ++i) {
    const auto bare = round_of(false, count, over_http2);
    own.push_back(round_of(true, count, over_http2));
    ratios.push_back(own.back().cpu_per_event / bare.cpu_per_event);
    lost += own.back().failed + (own.back().events == count * events_each ? 0 : 1);
  }
  const auto median_of = [&own](double Outcome::* member) {
    std::vector<double> values;
    for (const auto& one : own) values.push_back(one.*member);
    return median(values);
  };
  const auto name = (over_http2 ? "http2_streams_" : "streams_") + std::to_string(count);
  figure(name + "_cpu_per_event_vs_by_hand", median(ratios), 1.3);
  figure(name + "_lost_or_doubled", static_cast<double>(lost), 0);
  if (over_http2) return 0;
  figure(name + "_kilobytes_each", median_of(&Outcome::kilobytes_per_stream), 20);
  figure(name + "_setup_us_each", median_of(&Outcome::setup_per_stream), 150);
  figure(name + "_core_share", median_of(&Outcome::core), 0.5);
  figure(name + "_median_delay_us", median_of(&Outcome::median_delay), 500);
  figure(name + "_closing_s", median_of(&Outcome::closing), 1);
}
