// Checks that a reply means the same to a client whether the script or the mock server plays it.
#include "inferwire/inferwire.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using inferwire_test::hello;

namespace {

/// What the caller gets.
struct Outcome {
  std::string answer{};
  std::string error{};
  bool retryable{};

  bool operator==(const Outcome&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  return out << '\'' << outcome.answer << "' " << (outcome.error.empty() ? "whole" : outcome.error)
             << (outcome.retryable ? ", retryable" : "");
}

const std::string timeout(name(ErrorKind::timeout));

Outcome failed(const inferwire::Error& error, std::string answer = {}) {
  // The machine's speed decides how much had come when time ran out.
  if (error.kind == ErrorKind::timeout) answer.clear();
  auto what = std::string(name(error.kind));
  if (error.cause != ErrorCause::none) (what += " ") += name(error.cause);
  return {std::move(answer), std::move(what), error.retryable};
}

/// A way to ask, and a good answer to it.
struct Call {
  std::string name;
  Reply good;
  std::function<Outcome(const Client&)> ask;
};

Outcome ask_raw(const Client& client, std::string_view method) {
  const auto reply = client.request(method, "/any");
  return reply ? Outcome{reply->body} : failed(reply.error());
}

std::vector<Call> calls() {
  const auto json =
      Reply::json(R"({"choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello"}}]})");
  const std::string event = R"(data: {"choices": [{"index": 0, "delta": {"content": "Hello"}}]})"
                            "\n\n";
  return {{"chat", json,
           [](const Client& client) {
             const auto reply = client.chat.create(hello);
             return reply ? Outcome{reply->text()} : failed(reply.error());
           }},
          {"stream", Reply::stream({event, event, "data: [DONE]\n\n"}),
           [](const Client& client) {
             const auto collected = client.chat.stream(hello).collect();
             const auto text = collected.response.text();
             return collected.error ? failed(*collected.error, text) : Outcome{text};
           }},
          {"GET", json, [](const Client& client) { return ask_raw(client, "GET"); }},
          {"HEAD", json, [](const Client& client) { return ask_raw(client, "HEAD"); }}};
}

std::size_t size_of(const Reply& reply) {
  std::size_t size = 0;
  for (const auto& piece : reply.body) size += piece.bytes.size();
  return size;
}

/// A change of the good answer.
struct Change {
  std::string name;
  std::function<Reply(Reply)> make;
};

Change status(int status) {
  return {"status " + std::to_string(status), [status](Reply reply) {
            reply.status = status;
            return reply;
          }};
}

Change claimed(std::string name, int more) {
  return {std::move(name), [more](Reply reply) {
            reply.claimed_length = size_of(reply) + static_cast<std::size_t>(more);
            return reply;
          }};
}

void add_breaks(std::vector<Change>& changes, const std::string& framing_name, BodyFraming framing) {
  const std::pair<const char*, Ending> endings[] = {
      {"cut", Ending::cut}, {"reset", Ending::reset}, {"silent", Ending::silence}};
  for (const auto& [ending_name, ending] : endings) {
    const auto where = framing_name + ", " + ending_name;
    changes.push_back({where + " before the body", [framing, ending](Reply reply) {
                         reply.framing = framing;
                         return reply.cut_after(0, ending);
                       }});
    changes.push_back({where + " within the body", [framing, ending](Reply reply) {
                         reply.framing = framing;
                         return reply.cut_after(size_of(reply) / 2, ending);
                       }});
    changes.push_back({where + " after the body", [framing, ending](Reply reply) {
                         reply.framing = framing;
                         return reply.cut_after(size_of(reply), ending);
                       }});
  }
}

std::vector<Change> changes() {
  std::vector<Change> all{{"as it is", [](Reply reply) { return reply; }},
                          status(204),
                          status(304),
                          status(404),
                          status(503),
                          claimed("a length that is too large", 1),
                          claimed("a length that is too small", -1),
                          claimed("the length that is so", 0),
                          {"a length that is too large, and the end",
                           [](Reply reply) {
                             reply.claimed_length = size_of(reply) + 1;
                             return reply.with("Connection", "close");
                           }},
                          {"a length that is too large, until a cut",
                           [](Reply reply) {
                             reply.framing = BodyFraming::until_close;
                             reply.claimed_length = size_of(reply) + 1;
                             reply.ending = Ending::cut;
                             return reply;
                           }},
                          {"a reset", [](const Reply&) { return Reply::reset(); }},
                          {"an empty refusal", [](const Reply&) { return Reply{.status = 400}; }},
                          {"no body", [](Reply reply) {
                             reply.body.clear();
                             return reply;
                           }}};
  add_breaks(all, "of a length", BodyFraming::content_length);
  add_breaks(all, "in chunks", BodyFraming::chunked);
  add_breaks(all, "until the end", BodyFraming::until_close);
  return all;
}

inferwire::Timeouts all_of(std::chrono::milliseconds limit) {
  return {.first_byte = limit, .idle = limit, .total = limit};
}

Outcome from_script(const Call& call, const Reply& reply) {
  const auto clock = std::make_shared<inferwire::testing::ManualClock>();
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>(clock);
  script->push(reply);
  return call.ask(Client({.base_url = "http://localhost",
                          .api_key = "any",
                          .timeouts = all_of(10s),
                          .retry = inferwire::RetryPolicy::none(),
                          .transport = script,
                          .clock = clock}));
}

Outcome from_server(const Call& call, const Reply& reply, std::chrono::milliseconds limit) {
  inferwire::testing::MockServer server;
  server.push(reply);
  return call.ask(Client({.base_url = server.url(),
                          .api_key = "any",
                          .timeouts = all_of(limit),
                          .retry = inferwire::RetryPolicy::none()}));
}

}  // namespace

TEST_CASE("ScriptTransport and MockServer show a client the same answer") {
  for (const auto& call : calls()) {
    for (const auto& change : changes()) {
      INFO(call.name << ", " << change.name);
      const auto reply = change.make(call.good);
      const auto scripted = from_script(call, reply);
      // The server's time is real: a call that ends in a timeout gets little of it, and more if that was too
      // little for the part of the answer that comes.
      const bool in_vain = scripted.error == timeout;
      auto served = from_server(call, reply, in_vain ? 30ms : 10s);
      if (in_vain && served != scripted) served = from_server(call, reply, 3s);
      CHECK(served == scripted);
    }
  }
}

TEST_CASE("ScriptTransport refuses replies of raw bytes") {
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>();
  script->push(Reply::bytes("HTTP/1.1 200 OK\r\n\r\n{}"));
  const auto reply =
      Client({.base_url = "http://localhost", .api_key = "any", .transport = script}).request("GET", "/any");
  REQUIRE_FALSE(reply);
  CHECK_THAT(reply.error().detail, inferwire_test::contains("raw bytes"));
  CHECK_FALSE(reply.error().retryable);
}
