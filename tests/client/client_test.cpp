#include "inferwire/client.hpp"

#include "client/one_call.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/models.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/responses.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"

#include <chrono>
#include <utility>

using inferwire::CallOptions;
using inferwire::Client;
using inferwire::ErrorKind;
using inferwire::ResponseInfo;
using inferwire::testing::Reply;
using inferwire_test::answering;
using inferwire_test::Environment;
using inferwire_test::error_of;
using inferwire_test::hello;
using inferwire_test::key;
using inferwire_test::whole_answer;
namespace chat = inferwire::chat;

TEST_CASE("chat.create gives the answer's text, finish and usage") {
  const auto reply = answering(Reply::json(whole_answer)).chat.create(hello);
  REQUIRE(reply);
  CHECK(reply->text() == "Hi there.");
  CHECK(reply->finish() == chat::Finish::stop);
  CHECK(reply->usage->total() == 5);
}

TEST_CASE("Client({}) is the same as Client()") {
  const Environment no_key("OPENAI_API_KEY", nullptr);
  CHECK(error_of(Client({})).message() == error_of(Client()).message());
  CHECK(error_of(Client({})).kind == ErrorKind::auth);
}

TEST_CASE("a client that a struct or a parameter leaves out has no options") {
  struct Service {
    Client client;
    const char* model{};
  };
  const Service service{};
  const Client client = {};
  CHECK(error_of(service.client).message() == error_of(client).message());
}

TEST_CASE("every resource of a client that was moved from gives Error{config}") {
  Client client({.api_key = key});
  const Client other = std::move(client);
  const auto gone = [](const auto& result) { return !result && result.error().kind == ErrorKind::config; };
  CHECK(gone(client.chat.create(hello)));
  CHECK(gone(client.completions.create({.prompt = "x"})));
  CHECK(gone(client.embeddings.create({.model = "m", .input = "x"})));
  CHECK(gone(client.models.list()));
  CHECK(gone(client.models.retrieve("m")));
  CHECK(gone(client.responses.create({.model = "m", .input = "x"})));
  CHECK(client.responses.stream({.model = "m", .input = "x"}).collect().error->kind == ErrorKind::config);
  CHECK(gone(client.request("GET", "/x")));
}

TEST_CASE("CallOptions::info is empty after a call of a client that was moved from") {
  Client none({.api_key = key});
  const Client other = std::move(none);
  for (const bool starts : {false, true}) {
    ResponseInfo info{.request_id = "of the call before", .attempts = 1};
    const CallOptions options{.info = &info};
    const auto reply = starts ? none.chat.start(hello, options).get()  // NOLINT: deliberately moved from
                              : none.chat.create(hello, options);
    CHECK(reply.error().kind == ErrorKind::config);
    CHECK(info.attempts == 0);
    CHECK(info.request_id.empty());
  }
}

TEST_CASE("a zero or negative timeout is Error{config}, of a client and of a call") {
  using namespace std::chrono_literals;
  CHECK(error_of(Client({.api_key = key, .timeouts = {.idle = 0ms}})).kind == ErrorKind::config);
  CHECK(error_of(answering(Reply::json(whole_answer)), hello, {.timeouts = {.connect = -1ms}}).kind ==
        ErrorKind::config);
}

TEST_CASE("a call whose token is cancelled already is not made") {
  inferwire::CancelSource source;
  source.cancel();
  CHECK(error_of(answering(Reply::json(whole_answer)), hello, {.cancel = source.token()}).kind ==
        ErrorKind::cancelled);
}
