// What a MockServer puts on the wire, byte by byte, and what its journal says.
#include "inferwire/testing/mock_server.hpp"

#include "support/catch.hpp"
#include "support/raw_socket.hpp"
#include "support/shortest.hpp"
#include "support/signal_mask.hpp"

#include <csignal>
#include <future>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using Kind = inferwire::testing::JournalEntry::Kind;

namespace {

constexpr const char* get = "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n";

/// Sends one request; gives all bytes that come until the server closes.
std::string answer_to(MockServer& server, std::string_view request = get) {
  RawSocket socket(server.port());
  socket.write(request);
  return socket.read_all();
}

/// Sends one request; gives the bytes of the answer up to `end`, for answers whose end is not the
/// connection's.
std::string answer_up_to(MockServer& server, std::string_view end) {
  RawSocket socket(server.port());
  socket.write(get);
  return socket.read_until(end);
}

std::vector<Kind> kinds(const MockServer& server) {
  std::vector<Kind> all;
  for (const auto& entry : server.journal()) all.push_back(entry.kind);
  return all;
}

}  // namespace

TEST_CASE("a Gate that was moved from is the same gate") {
  Gate gate;
  Gate target = std::move(gate);
  target.open();
  CHECK(gate.is_open());  // NOLINT: tests a moved-from gate
}

#if defined(__unix__) || defined(__APPLE__)
TEST_CASE("the mock server's thread blocks signals") {
  MockServer server;
  server.set_handler(
      [](const HttpRequest&) { return Reply::json(blocks({SIGTERM, SIGINT}) ? "[1]" : "[0]"); });
  CHECK(answer_up_to(server, "]").ends_with("[1]"));
}
#endif

TEST_CASE("cut_after inside a chunk sends the size of the whole chunk") {
  MockServer server;
  server.push(Reply::stream({"data: 1\n\n", "data: 2\n\n"}).cut_after(12));
  CHECK(answer_to(server).ends_with("\r\n\r\n9\r\ndata: 1\n\n\r\n9\r\ndat"));
}

TEST_CASE("cut_after in a body sends its Content-Length") {
  MockServer server;
  server.push(Reply::json(R"({"a": "ü"})").cut_after(8));
  const auto answer = answer_to(server);
  CHECK_THAT(answer, contains("Content-Length: 11\r\n"));
  CHECK(answer.ends_with("\r\n\r\n{\"a\": \"\xC3"));
}

TEST_CASE("cut_after(0) sends the head") {
  MockServer server;
  server.push(Reply::json("{}").cut_after(0));
  CHECK(answer_to(server).ends_with("Content-Length: 2\r\n\r\n"));
}

TEST_CASE("cut_after sends the whole head in answer to HEAD") {
  MockServer server;
  server.push(Reply::json("{}").cut_after(1));
  CHECK(answer_to(server, "HEAD / HTTP/1.1\r\n\r\n").ends_with("Content-Length: 2\r\n\r\n"));
}

TEST_CASE("a reply with a status only has an empty body and reason") {
  MockServer server;
  server.push({.status = 500});
  CHECK(answer_up_to(server, "\r\n\r\n").starts_with("HTTP/1.1 500 \r\n"));
}

TEST_CASE("a chunk may lie about its size") {
  MockServer server;
  auto reply = Reply::stream({"data: 1\n\n"});
  reply.body[0].claimed_size = 3;
  server.push(reply);
  CHECK(answer_up_to(server, "0\r\n\r\n").ends_with("\r\n\r\n3\r\ndata: 1\n\n\r\n0\r\n\r\n"));
}

TEST_CASE("Piece::times repeats a piece, and without end leaves time for other connections") {
  MockServer server;
  server.push({.body = {{.bytes = "ab", .times = 3}, {.bytes = "c"}}});
  server.push(
      {.body = {{.bytes = std::string(1000, 'x'), .times = std::numeric_limits<std::uint64_t>::max()}},
       .framing = inferwire::testing::BodyFraming::until_close});
  server.push(Reply::json("{}"));
  const auto answer = answer_up_to(server, "abababc");
  CHECK(answer.ends_with("Content-Length: 7\r\n\r\nabababc"));
  RawSocket flooded(server.port());
  flooded.write(get);
  for (int i = 0; i < 100; ++i) CHECK_FALSE(flooded.read().empty());
  CHECK(answer_up_to(server, "{}").ends_with("{}"));
}

TEST_CASE("Reply::error sends its headers") {
  MockServer server;
  server.push(Reply::error(429, "say \"please\"").with("Retry-After", "3"));
  const auto answer = answer_up_to(server, "}}");
  CHECK(answer.starts_with("HTTP/1.1 429 "));
  CHECK_THAT(answer, contains("Retry-After: 3\r\n"));
  CHECK_THAT(answer, contains(R"({"error": {"message": "say \"please\""}})"));
}

TEST_CASE("head_delay delays the head, and in_pieces_of each piece") {
  MockServer server;
  auto reply = Reply::json("abc").in_pieces_of(1, 20ms);
  reply.head_delay = 20ms;
  server.push(reply);
  RawSocket socket(server.port());
  const auto begin = std::chrono::steady_clock::now();
  socket.write(get);
  auto answer = socket.read_until("\r\n\r\n");
  CHECK(std::chrono::steady_clock::now() - begin >= 20ms);
  if (!answer.ends_with("abc")) answer += socket.read_until("c");  // a late reader gets more at once
  CHECK(answer.ends_with("\r\n\r\nabc"));
  CHECK(std::chrono::steady_clock::now() - begin >= 80ms);
}

TEST_CASE("a head_delay of a month holds up no other reply") {
  MockServer server;
  auto reply = Reply::json("later");
  reply.head_delay = 30 * 24h;
  server.push(reply);
  reply.head_delay = 20ms;
  server.push(reply);
  RawSocket month(server.port());
  month.write(get);
  REQUIRE(server.wait_for_requests(1));
  CHECK(answer_up_to(server, "later").ends_with("later"));
}

TEST_CASE("push_connection closes, resets or ignores a connection at its start") {
  MockServer server;
  server.push_connection(Ending::cut);
  server.push_connection(Ending::reset);
  server.push_connection(Ending::silence);
  server.push(Reply::json("{}"));
  for (int i = 0; i < 2; ++i) {
    CHECK(RawSocket(server.port()).read_all().empty());
    REQUIRE(server.wait_until_all_closed());
  }
  CHECK(kinds(server) == std::vector{Kind::connected, Kind::closed, Kind::connected, Kind::closed});
  RawSocket ignored(server.port());
  CHECK(ignored.write(get));
  CHECK_THAT(answer_up_to(server, "{}"), contains("200"));
  CHECK(server.requests().size() == 1);
  CHECK(server.connections() == 4);
}

TEST_CASE("Reply::unreachable resets the connection") {
  MockServer server;
  server.push({.unreachable = inferwire::Error{.kind = inferwire::ErrorKind::connection}});
  CHECK(answer_to(server).empty());
}

TEST_CASE("MockServer::journal lists events by time and connection, and who closed it") {
  MockServer server;
  server.push(Reply::json("{}"));
  server.push(Reply::json("{}").cut_after(1));
  answer_up_to(server, "{}");
  REQUIRE(server.wait_for_close(1));
  answer_to(server);
  REQUIRE(server.wait_until_all_closed());
  CHECK(kinds(server) == std::vector{Kind::connected, Kind::request, Kind::answered, Kind::closed_by_client,
                                     Kind::connected, Kind::request, Kind::answered, Kind::closed});
  const auto journal = server.journal();
  CHECK(journal[2].connection == 0);
  CHECK(journal[2].request == 0);
  CHECK(journal[6].connection == 1);
  CHECK(journal[6].request == 1);
  CHECK(journal[6].at >= journal[5].at);
  CHECK(server.open_connections() == 0);
}

TEST_CASE("set_handler answers what no reply was pushed for") {
  MockServer server;
  server.push(Reply::json("first"));
  server.set_handler([count = 1](const HttpRequest& request) mutable {
    return Reply::json(request.method + std::to_string(++count));
  });
  for (const auto* body : {"first", "GET2", "GET3"}) CHECK(answer_up_to(server, body).ends_with(body));
}

TEST_CASE("a handler that throws gives status 500 without retries, and the journal has its words") {
  MockServer server;
  server.set_handler([count = 0](const HttpRequest&) mutable -> Reply {
    if (++count == 1) throw std::runtime_error("no answer to that");
    throw count;
  });
  const auto answer = answer_up_to(server, "}}");
  CHECK(answer.starts_with("HTTP/1.1 500 "));
  CHECK_THAT(answer, contains("x-should-retry: false\r\n"));
  CHECK_THAT(answer, contains("the handler threw: no answer to that"));
  REQUIRE(server.wait_for_close(1));
  CHECK_THAT(answer_up_to(server, "}}"), contains("the handler threw: no std::exception"));
  REQUIRE(server.wait_until_all_closed());
  const auto journal = server.journal();
  REQUIRE(journal.size() == 10);
  CHECK(journal[2].kind == Kind::handler_threw);
  CHECK(journal[2].what == "no answer to that");
  CHECK(journal[7].kind == Kind::handler_threw);
  CHECK(journal[7].request == 1);
  CHECK(journal[7].what == "no std::exception");
  const auto head = answer_to(server, "HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n");
  CHECK(head.starts_with("HTTP/1.1 500 "));
  CHECK(head.ends_with("\r\n\r\n"));
}

TEST_CASE("wait_for_requests counts a request before its handler runs") {
  MockServer server;
  std::promise<void> released;
  server.set_handler([&, until = released.get_future().share()](const HttpRequest&) {
    until.wait();
    return Reply::json("{}");
  });
  RawSocket socket(server.port());
  socket.write(get);
  CHECK(server.wait_for_requests(1, std::chrono::milliseconds::max()));
  CHECK(server.requests().size() == 1);
  released.set_value();
  CHECK(socket.read_until("{}").ends_with("{}"));
}

TEST_CASE("a MockServer without replies names the request and sends x-should-retry: false") {
  MockServer server;
  const auto answer = answer_up_to(server, "}}");
  CHECK_THAT(answer, contains("x-should-retry: false\r\n"));
  CHECK_THAT(answer, contains("no reply left for GET " + server.url() + "/v1/models"));
}

TEST_CASE("MockServer reads a chunked request byte by byte") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) { return Reply::json("<" + request.body.text() + ">"); });
  const std::string chunked =
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\nB\r\ndefghijklmn\r\n"
      "0\r\nX-Trailer: 1\r\n\r\n";
  RawSocket socket(server.port());
  socket.write("\r\n\r\n" + chunked + "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nop");
  CHECK(socket.read_until("<op>").find("<abcdefghijklmn>") != std::string::npos);
  for (const char byte : chunked) socket.write({&byte, 1});
  CHECK(socket.read_until(">").ends_with("<abcdefghijklmn>"));
  CHECK(server.requests().size() == 3);
}

TEST_CASE("MockServer reads 500,000 chunks in linear time") {
  MockServer server;
  server.set_handler(
      [](const HttpRequest& request) { return Reply::json(std::to_string(request.body.size())); });
  std::string body;
  for (int i = 0; i < 500'000; ++i) body += "1\r\na\r\n";
  RawSocket socket(server.port());
  const auto work = work_of([&] {
    socket.write("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body + "0\r\n\r\n");
    CHECK(socket.read_until("\r\n\r\n500000").ends_with("500000"));
  });
  CHECK(work < 5s);
}

TEST_CASE("MockServer refuses a request without a method") {
  MockServer server;
  for (const auto* head : {" /v1 HTTP/1.1\r\n\r\n", "Host: x\r\n\r\n"}) {
    CAPTURE(head);
    CHECK(answer_to(server, head).starts_with("HTTP/1.1 400 "));
  }
  CHECK(server.requests().empty());
}

TEST_CASE("MockServer refuses a request whose length is unknown") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json("{}"); });
  for (const std::string end :
       {"Content-Length: abc\r\n\r\n", "Content-Length: 1x\r\n\r\n", "Content-Length: -1\r\n\r\n",
        "Transfer-Encoding: gzip\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nx\r\n"}) {
    CAPTURE(end);
    const auto answer = answer_to(server, "POST / HTTP/1.1\r\n" + end);
    CHECK(answer.starts_with("HTTP/1.1 400 "));
  }
  CHECK(server.requests().empty());
}

TEST_CASE("MockServer answers Expect: 100-continue") {
  MockServer server;
  server.push(Reply::json("{}"));
  RawSocket socket(server.port());
  socket.write("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  CHECK(socket.read_until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
  socket.write("[]");
  CHECK(socket.read_until("{}").starts_with("HTTP/1.1 200 "));
  CHECK(server.requests().at(0).body == "[]");
}

TEST_CASE("MockServer sends no 100 where the body is there already") {
  MockServer server;
  server.push(Reply::json("{}"));
  server.push(Reply::json("[]"));
  RawSocket socket(server.port());
  socket.write("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n[]");
  CHECK(socket.read_until("{}").starts_with("HTTP/1.1 200 "));
  socket.write("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n[]");
  CHECK(socket.read_until("\r\n\r\n[]").starts_with("HTTP/1.1 200 "));
}

TEST_CASE("MockServer answers a half-closed connection up to the first gate") {
  MockServer server;
  server.push(Reply::json("whole"));
  server.push({.body = {{.bytes = "first"}, {.bytes = "second", .gate = Gate()}}});
  for (const auto* end : {"whole", "first"}) {
    RawSocket socket(server.port());
    socket.write(get);
    socket.end();
    CHECK(socket.read_all().ends_with(end));
  }
  CHECK(server.wait_for_close(2));
}

TEST_CASE("Connection: close of either side closes the connection after the answer") {
  MockServer server;
  server.push(Reply::json("{}"));
  server.push(Reply::json("{}").with("Connection", "close"));
  CHECK(answer_to(server, "GET / HTTP/1.1\r\nConnection: Close\r\n\r\n").ends_with("{}"));
  CHECK(answer_to(server).ends_with("{}"));
  REQUIRE(server.wait_until_all_closed());
  CHECK(server.closed_by_client() == 0);
}

TEST_CASE("MockServer keeps absolute and CONNECT targets as they came") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::error(407).cut_after(0); });
  answer_to(server, "POST http://example.test/v1?a=b HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}");
  answer_to(server, "CONNECT example.test:443 HTTP/1.1\r\nProxy-Authorization: Basic abc\r\n\r\n");
  const auto requests = server.requests();
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].url == "http://example.test/v1?a=b");
  CHECK(requests[0].body == "{}");
  CHECK(requests[1].method == "CONNECT");
  CHECK(requests[1].url == "example.test:443");
  CHECK(find_header(requests[1].headers, "proxy-authorization") == "***");
}

TEST_CASE("MockServer::problem says why a server could not be started") {
  for (const auto* address : {"not an address", "0.0.0.0", "192.0.2.1", "::", "2001:db8::1"}) {
    CAPTURE(address);
    CHECK(MockServer(MockServerOptions{.address = address}).problem());
  }
  CHECK(MockServer(MockServerOptions{.unix_socket = std::string(200, 'x')}).problem());
  const MockServer broken({.certificate = inferwire::testing::Certificate{"no PEM", "no PEM"}});
  REQUIRE(broken.problem());
  CHECK(broken.url().empty());
}

TEST_CASE("a wait for a MockServer that could not be started ends at once") {
  const MockServer broken(MockServerOptions{.unix_socket = std::string(200, 'x')});
  REQUIRE(broken.problem());
  CHECK_FALSE(broken.wait_for_requests(1, 24h));
  CHECK_FALSE(broken.wait_for_close(1, 24h));
  CHECK(broken.wait_until_all_closed(24h));
}
