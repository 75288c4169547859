// The fault matrix: the fault, its time and the kind of call; the outcome, the number of attempts, and what
// is left behind. Every cell is compared with the table below and printed with --success or -s.
#include "faults/chat_service.hpp"
#include "support/catch.hpp"
#include "support/open_files.hpp"
#include "support/quiet_listener.hpp"
#include "support/stalled_resolver.hpp"

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

using namespace std::chrono_literals;
using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

constexpr auto timer = 150ms;
constexpr const char* whole_text = "one two three";

/// More than fits into the buffers between a client and a server that does not read.
constexpr std::size_t long_text = 16u << 20;

/// The setup for a fault: a server, and a client of it that tries twice.
struct Stage {
  void serve(inferwire::testing::MockServerOptions with = {}) {
    server = std::make_unique<MockServer>(std::move(with));
    REQUIRE_FALSE(server->problem());
    options.base_url = server->url() + "/v1";
  }
  /// Answers every request with `change(good_answer)`.
  template <class Change>
  void answer(Change change) {
    serve();
    server->set_handler([change](const HttpRequest& request) { return change(good_answer(request)); });
  }
  /// Ends every connection with `fate`; with TLS after the ClientHello.
  void meet(Ending fate, inferwire::testing::MockServerOptions with = {}) {
    serve(std::move(with));
    for (int i = 0; i < 8; ++i) server->push_connection(fate);
  }
  void meet_with_tls(Ending fate) { meet(fate, {.certificate = make_certificate().value()}); }
  /// Presents a certificate signed by the issuer that the client trusts.
  void show(const CertificateOptions& certificate, inferwire::testing::MockServerOptions with = {}) {
    const auto issuer = make_certificate().value();
    options.network.ca_pem = issuer.pem;
    with.certificate = make_certificate(certificate, &issuer).value();
    serve(std::move(with));
    server->set_handler(&good_answer);
  }
  /// Gives the client a host name of stalled_resolver.hpp.
  void look_up(std::string_view name) { options.base_url = "https://" + std::string(name); }

  std::unique_ptr<MockServer> server;
  std::unique_ptr<QuietListener> listener;
  Gate heard;  ///< open from the first element of a stream on
  Gate over;   ///< open from the end of a call on
  inferwire::chat::Request question = hello;
  ClientOptions options{.api_key = "sk-secret", .retry = {.max_retries = 1, .first_delay = 1ms}};
};

/// The outcome of a call.
struct Outcome {
  std::optional<ErrorKind> error{};  ///< absent: an answer
  int attempts{};
  std::string_view text{};  ///< the text that was delivered
};

constexpr std::optional<ErrorKind> good{};
constexpr auto connection = ErrorKind::connection;

struct Cell {
  const char* phase;
  const char* fault;
  void (*arrange)(Stage&);
  Outcome create;
  Outcome stream;
};

const std::string part_of_head = "HTTP/1.1 200 OK\r\nContent-Type: text/eve";
const std::size_t first_event = chunk("one ").size();

const Cell cells[] = {
    {"resolve", "no such host", [](Stage& s) { s.look_up(unknown_name); }, {connection, 2}, {connection, 2}},
    {"resolve",
     "nobody to ask",
     [](Stage& s) { s.look_up(unanswered_name); },
     {connection, 2},
     {connection, 2}},
    {"resolve",
     "no answer",
     [](Stage& s) {
       s.options.timeouts.connect = timer;
       s.look_up(stalled_name);
     },
     {ErrorKind::timeout, 2},
     {ErrorKind::timeout, 2}},
    {"connect",
     "refused",
     [](Stage& s) {
       s.serve();
       s.server.reset();
     },
     {connection, 2},
     {connection, 2}},
    {"connect",
     "no answer",
     [](Stage& s) {
       s.options.timeouts.connect = timer;
       s.listener = std::make_unique<QuietListener>(0);
       s.listener->fill();
       s.options.base_url = "http://" + s.listener->place();
     },
     {ErrorKind::timeout, 2},
     {ErrorKind::timeout, 2}},
    {"tls",
     "closed",
     [](Stage& s) { s.meet_with_tls(Ending::cut); },
     {ErrorKind::tls, 2},
     {ErrorKind::tls, 2}},
    {"tls",
     "reset",
     [](Stage& s) { s.meet_with_tls(Ending::reset); },
     {ErrorKind::tls, 2},
     {ErrorKind::tls, 2}},
    {"tls",
     "no answer",
     [](Stage& s) {
       s.options.timeouts.connect = timer;
       s.meet_with_tls(Ending::silence);
     },
     {ErrorKind::timeout, 2},
     {ErrorKind::timeout, 2}},
    {"tls",
     "self-signed",
     [](Stage& s) { s.serve({.certificate = make_certificate().value()}); },
     {ErrorKind::tls, 1},
     {ErrorKind::tls, 1}},
    {"tls", "expired", [](Stage& s) { s.show({.until = -1h}); }, {ErrorKind::tls, 1}, {ErrorKind::tls, 1}},
    {"tls",
     "wrong host",
     [](Stage& s) { s.show({.hosts = {"other.test"}}); },
     {ErrorKind::tls, 1},
     {ErrorKind::tls, 1}},
    {"tls",
     "too old",
     [](Stage& s) {
       s.options.network.min_tls = inferwire::TlsVersion::v1_3;
       s.show({}, {.max_tls = inferwire::TlsVersion::v1_2});
     },
     {ErrorKind::tls, 1},
     {ErrorKind::tls, 1}},
    {"tls",
     "wants a certificate",
     [](Stage& s) { s.show({}, {.client_issuer = make_certificate().value().pem}); },
     {ErrorKind::tls, 1},
     {ErrorKind::tls, 1}},
    {"tls", "good", [](Stage& s) { s.show({}); }, {good, 1, whole_text}, {good, 1, whole_text}},
    {"sending", "closed", [](Stage& s) { s.meet(Ending::cut); }, {connection, 2}, {connection, 2}},
    {"sending", "reset", [](Stage& s) { s.meet(Ending::reset); }, {connection, 2}, {connection, 2}},
    {"sending",
     "nobody reads",
     [](Stage& s) {
       s.options.timeouts.first_byte = timer;
       s.listener = std::make_unique<QuietListener>();
       s.options.base_url = "http://" + s.listener->place();
       s.question.messages = {inferwire::chat::user(std::string(long_text, 'x'))};
     },
     {ErrorKind::timeout, 2},
     {ErrorKind::timeout, 2}},
    {"request sent",
     "closed",
     [](Stage& s) { s.answer([](auto) { return Reply::bytes(""); }); },
     {connection, 2},
     {connection, 2}},
    {"request sent",
     "reset",
     [](Stage& s) { s.answer([](auto) { return Reply::reset(); }); },
     {connection, 2},
     {connection, 2}},
    {"request sent",
     "no answer",
     [](Stage& s) {
       s.options.timeouts.first_byte = timer;
       s.answer([](auto) { return Reply::silence(); });
     },
     {ErrorKind::timeout, 2},
     {ErrorKind::timeout, 2}},
    {"head",
     "closed",
     [](Stage& s) { s.answer([](auto) { return Reply::bytes(part_of_head); }); },
     {connection, 2},
     {connection, 2}},
    {"head",
     "reset",
     [](Stage& s) { s.answer([](auto) { return Reply{.ending = Ending::reset, .raw = part_of_head}; }); },
     {connection, 2},
     {connection, 2}},
    {"head",
     "no end",
     [](Stage& s) {
       s.options.timeouts.first_byte = timer;
       s.answer([](auto) { return Reply{.ending = Ending::silence, .raw = part_of_head}; });
     },
     {ErrorKind::timeout, 2},
     {ErrorKind::timeout, 2}},
    {"head",
     "garbage",
     [](Stage& s) { s.answer([](auto) { return Reply::bytes("SSH-2.0-OpenSSH_9.2\r\n"); }); },
     {connection, 1},
     {connection, 1}},
    {"head",
     "503, then good",
     [](Stage& s) {
       s.serve();
       s.server->push(Reply::error(503).with("retry-after-ms", "1"));
       s.server->set_handler(&good_answer);
     },
     {good, 2, whole_text},
     {good, 2, whole_text}},
    {"head",
     "400",
     [](Stage& s) { s.answer([](auto) { return Reply::error(400); }); },
     {ErrorKind::invalid_request, 1},
     {ErrorKind::invalid_request, 1}},
    {"body",
     "closed before it",
     [](Stage& s) { s.answer([](auto r) { return r.cut_after(0); }); },
     {connection, 2},
     {connection, 2}},
    {"body",
     "reset before it",
     [](Stage& s) { s.answer([](auto r) { return r.cut_after(0, Ending::reset); }); },
     {connection, 2},
     {connection, 2}},
    {"body",
     "none comes",
     [](Stage& s) {
       s.options.timeouts.first_byte = timer;
       s.answer([](auto r) { return r.cut_after(0, Ending::silence); });
     },
     {ErrorKind::timeout, 2},
     {ErrorKind::timeout, 2}},
    {"body",
     "cut in it",
     [](Stage& s) { s.answer([](auto r) { return r.cut_after(20); }); },
     {connection, 2},
     {connection, 2}},
    {"body",
     "cut, then good",
     [](Stage& s) {
       s.serve();
       s.server->set_handler([first = true](const HttpRequest& request) mutable {
         auto reply = good_answer(request);
         return std::exchange(first, false) ? reply.cut_after(20) : reply;
       });
     },
     {good, 2, whole_text},
     {good, 2, whole_text}},
    {"body",
     "a page of HTML",
     [](Stage& s) {
       s.answer([](auto) {
         return Reply{.headers = {{"Content-Type", "text/html"}},
                      .body = {{"<html><title>Sign in</title></html>"}}};
       });
     },
     {ErrorKind::decode, 1},
     {ErrorKind::decode, 1}},
    {"body",
     "5 GiB claimed",
     [](Stage& s) {
       s.answer([](auto r) {
         r.claimed_length = 5ull << 30;
         r.ending = Ending::silence;
         return r;
       });
     },
     {ErrorKind::too_large, 1},
     {good, 1, whole_text}},
    {"mid-stream",
     "closed",
     [](Stage& s) { s.answer([](auto r) { return r.cut_after(first_event); }); },
     {connection, 2},
     {connection, 1, "one "}},
    {"mid-stream",
     "closed in an event",
     [](Stage& s) { s.answer([](auto r) { return r.cut_after(first_event + 30); }); },
     {connection, 2},
     {connection, 1, "one "}},
    {"mid-stream",
     "reset",
     [](Stage& s) {
       s.answer([heard = s.heard](auto r) {
         const bool streamed = r.body.size() > 2;
         r = r.cut_after(first_event, Ending::reset);
         if (streamed) r.body.push_back({.gate = heard});  // keeps the reset from overtaking the event
         return r;
       });
     },
     {connection, 2},
     {connection, 1, "one "}},
    {"mid-stream",
     "falls silent",
     [](Stage& s) {
       s.options.timeouts.idle = timer;
       s.options.timeouts.total = timer;  // limits a call that does not stream
       s.answer([](auto r) { return r.cut_after(first_event, Ending::silence); });
     },
     {ErrorKind::timeout, 2},
     {ErrorKind::timeout, 1, "one "}},
    {"mid-stream",
     "wrong size of a chunk",
     [](Stage& s) {
       s.answer([](auto r) {
         r.framing = inferwire::testing::BodyFraming::chunked;
         r.body.push_back({.bytes = "x", .claimed_size = 0xFFFF});
         r.ending = Ending::cut;
         r.body.erase(r.body.begin() + (r.body.size() > 2 ? 1 : 0), r.body.end() - 1);
         return r;
       });
     },
     {connection, 2},
     {connection, 1, "one "}},
    {"mid-stream",
     "not JSON",
     [](Stage& s) {
       s.answer([](auto r) {
         r.body[r.body.size() > 2 ? 1 : 0].bytes = "data: {\"choices\":[}\n\n";
         return r;
       });
     },
     {ErrorKind::decode, 1},
     {ErrorKind::decode, 1, "one "}},
    {"mid-stream",
     "an error event",
     [](Stage& s) {
       s.answer([](auto r) {
         if (r.body.size() > 2) r.body[1].bytes = "data: {\"error\":{\"message\":\"boom\"}}\n\n";
         return r;
       });
     },
     {good, 1, whole_text},
     {ErrorKind::stream_error, 1, "one "}},
    {"mid-stream",
     "ends without its mark",
     [](Stage& s) {
       s.answer([](auto r) {
         if (r.body.size() > 2) r.body.resize(2);
         return r;
       });
     },
     {good, 1, whole_text},
     {ErrorKind::truncated, 1, "one two "}},
    {"after the last",
     "closed",
     [](Stage& s) {
       s.answer([](auto r) {
         r.ending = Ending::cut;
         return r;
       });
     },
     {good, 1, whole_text},
     {good, 1, whole_text}},
    {"after the last",
     "reset",
     [](Stage& s) {
       s.answer([over = s.over](auto r) {
         r.ending = Ending::reset;
         r.body.push_back({.gate = over});
         return r;
       });
     },
     {good, 1, whole_text},
     {good, 1, whole_text}},
    {"after the last",
     "silence",
     [](Stage& s) {
       s.answer([](auto r) {
         r.ending = Ending::silence;
         return r;
       });
     },
     {good, 1, whole_text},
     {good, 1, whole_text}},
};

/// All observations of a call, beyond its outcome.
struct Seen {
  std::optional<inferwire::Error> error{};
  int attempts{};
  std::string text{};
  std::chrono::milliseconds took{};
  bool all_closed{};
};

Seen play_on(Stage& stage, bool streamed) {
  Seen seen;
  const auto begin = std::chrono::steady_clock::now();
  {
    const Client client(stage.options);
    inferwire::ResponseInfo info;
    if (streamed) {
      auto stream = client.chat.stream(stage.question);
      auto collected = stream.collect([&](const auto&) { stage.heard.open(); });
      seen.error = std::move(collected.error);
      seen.text = collected.response.text();
      info = stream.info();
    } else if (const auto reply = client.chat.create(stage.question, {.info = &info})) {
      seen.text = reply->text();
    } else {
      seen.error = reply.error();
    }
    stage.over.open();
    seen.took =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    seen.attempts = seen.error ? static_cast<int>(seen.error->attempts.size()) : info.attempts;
  }
  seen.all_closed = !stage.server || stage.server->wait_until_all_closed();
  return seen;
}

Seen play(const Cell& cell, bool streamed) {
  const auto files_before = open_files();
  Seen seen;
  {
    Stage stage;
    cell.arrange(stage);
    seen = play_on(stage, streamed);
  }
  end_stalled_lookups();
  // The threads of stalled lookups must also have ended.
  const auto limit = std::chrono::steady_clock::now() + 5s;
  while (open_files() > files_before && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
  seen.all_closed = seen.all_closed && open_files() <= files_before;
  return seen;
}

void print(const Cell& cell, const char* mode, const Seen& seen) {
  std::printf("%-15s %-22s %-7s %-16s %8d %6d %6d %6lld ms\n", cell.phase, cell.fault, mode,
              seen.error ? std::string(inferwire::name(seen.error->kind)).c_str() : "-", seen.attempts,
              seen.all_closed ? 0 : 1, std::string_view(whole_text).starts_with(seen.text) ? 0 : 1,
              static_cast<long long>(seen.took.count()));
}

void check(const Cell& cell, const char* mode, const Outcome& expected, const Seen& seen) {
  const auto message = seen.error ? seen.error->message() : "";
  CAPTURE(cell.phase, cell.fault, mode, message);
  CHECK(seen.error.has_value() == expected.error.has_value());
  if (seen.error && expected.error)
    CHECK(inferwire::name(seen.error->kind) == inferwire::name(*expected.error));
  CHECK(seen.attempts == expected.attempts);
  CHECK(seen.text == expected.text);  // no text is missing or delivered twice
  CHECK(seen.all_closed);
  CHECK(seen.took < 9s);  // the default of `connect` is 10 s
  CHECK(message.find("secret") == message.npos);
}

}  // namespace

TEST_CASE("each fault in each phase gives the error of its row, for answers and streams") {
  { const MockServer warm; }  // opens files that are opened once per process
  const auto tls = make_certificate();
  if (!tls) WARN("without the phase tls: " << tls.error().detail);
  std::printf("%-15s %-22s %-7s %-16s %8s %6s %6s %9s\n", "phase", "fault", "mode", "error", "attempts",
              "open", "twice", "time");
  for (const auto& cell : cells) {
    if (!tls && std::string_view(cell.phase) == "tls") continue;
    const auto created = play(cell, false);
    print(cell, "create", created);
    check(cell, "create", cell.create, created);
    const auto streamed = play(cell, true);
    print(cell, "stream", streamed);
    check(cell, "stream", cell.stream, streamed);
  }
}

TEST_CASE("a connect timeout names the host and how far the connection came") {
  const QuietListener silent;
  QuietListener full(0);
  full.fill();
  struct Way {
    std::string url{};
    std::string obstacle{};
    std::string proxy{};
  };
  const Way ways[] = {
      {"https://" + std::string(stalled_name), ": the name was not resolved"},
      {"http://" + full.place(), ": nobody took the connection"},
      {"https://" + silent.place(), ": TCP or TLS did not come about"},
      {"https://service.test", ": TCP, a proxy's tunnel or TLS did not come about",
       "http://" + silent.place()},
      {"http://service.test", ": TCP or a proxy's tunnel did not come about", "socks5h://" + silent.place()}};
  for (const auto& [url, obstacle, proxy] : ways) {
    const Client client({.base_url = url,
                         .api_key = "sk-secret",
                         .timeouts = {.connect = timer},
                         .retry = inferwire::RetryPolicy::none(),
                         .allow_plain_http_key = true,
                         .network = {.proxy = proxy}});
    const auto expected =
        "could not connect to " + url.substr(url.find("//") + 2) + " within 150 ms in attempt 1" + obstacle;
    CHECK(client.chat.create(hello).error().detail == expected);
    CHECK(client.chat.start(hello).get().error().detail == expected);
  }
  end_stalled_lookups();
}

TEST_CASE("a connect timeout says that a proxy may be the cause") {
  const QuietListener proxy;
  const Client client({.base_url = "https://models.test",
                       .api_key = "sk-secret",
                       .timeouts = {.connect = timer},
                       .retry = inferwire::RetryPolicy::none(),
                       .network = {.proxy = "http://" + proxy.place()}});
  const auto* const obstacle = ": TCP, a proxy's tunnel or TLS did not come about";
  CHECK_THAT(client.chat.create(hello).error().detail, contains(obstacle));
  CHECK_THAT(client.chat.start(hello).get().error().detail, contains(obstacle));
}
