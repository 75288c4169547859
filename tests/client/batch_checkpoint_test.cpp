/// \file
/// The file that records the progress of a batch.

#include "client/batch/checkpoint.hpp"
#include "client/batch/inputs.hpp"
#include "client/batch_watch.hpp"
#include "client/numbered_texts.hpp"
#include "inferwire/batch.hpp"
#include "inferwire/nlohmann.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/mock_calls.hpp"
#include "support/most_held.hpp"
#include "support/no_descriptors.hpp"
#include "support/sanitized.hpp"
#include "support/temporary_file.hpp"

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

std::optional<inferwire::Error> reads_on() { return std::nullopt; }

}  // namespace

TEST_CASE("a batch with a checkpoint goes on where it was killed", "[batch]") {
  MockServer server;
  const TemporaryFile file;
  const auto client = client_of(server);
  BatchOptions options{.max_in_flight = 2, .max_request_inputs = 2, .checkpoint = file.path()};
  server.set_handler([](const HttpRequest& request) {
    return std::stoi(inputs_of(request).front()) >= 6 ? Reply::error(404) : rows_for(request);
  });
  const auto half = embeddings::create_all(client, numbers(11), model, options);
  CHECK(half.failures.size() == 3);
  CHECK(server.requests().size() == 6);

  // The program was killed while it wrote a line.
  file.write(file.content() + R"({"first":6,"count":2,"answer":{"model":"m-1","da)");
  server.set_handler(&rows_for);
  Watch watch;
  options.observer = &watch;
  options.max_request_inputs = 3;
  const auto whole = embeddings::create_all(client, numbers(11), model, options);
  check_rows(whole, 11);
  CHECK(whole.model == "m-1");
  CHECK(whole.usage.total_tokens == 11);
  CHECK(watch.seen.back().done == 11);
  const auto firsts = first_inputs(server);
  REQUIRE(firsts.size() == 8);
  CHECK(std::stoi(firsts[6]) + std::stoi(firsts[7]) == 6 + 9);

  const auto again = embeddings::create_all(client, numbers(11), model, options);
  check_rows(again, 11);
  CHECK(server.requests().size() == 8);
}

TEST_CASE("a batch is cancelled, and its time ends, while it reads its checkpoint", "[batch]") {
  MockServer server;
  server.set_handler(&rows_for);
  const TemporaryFile file;
  const auto client = client_of(server);
  BatchOptions options{.max_request_inputs = 1, .checkpoint = file.path()};
  check_rows(embeddings::create_all(client, numbers(5), model, options), 5);
  const auto kept = file.content();

  CancelSource source;
  source.cancel();
  options.call.cancel = source.token();
  const auto cancelled = embeddings::create_all(client, numbers(5), model, options);
  REQUIRE(cancelled.failures.size() == 1);
  CHECK(cancelled.failures[0].count == 5);
  CHECK(cancelled.failures[0].error.kind == ErrorKind::cancelled);
  options.call.cancel = {};
  options.call.deadline = std::chrono::steady_clock::now();
  const auto late = embeddings::create_all(client, numbers(5), model, options);
  REQUIRE(late.failures.size() == 1);
  CHECK(late.failures[0].count == 5);
  CHECK(late.failures[0].error.kind == ErrorKind::timeout);
  CHECK(late.failures[0].error.timer == "overall");

  // What was read before the end is kept.
  inferwire::client::BatchInputs inputs(5);
  int asked = 0;
  int taken = 0;
  const auto after_eight = [&asked] {
    return ++asked <= 8 ? std::nullopt : std::optional<inferwire::Error>({.kind = ErrorKind::cancelled});
  };
  const auto take = [&taken](const auto&, const auto&) { return ++taken > 0; };
  inferwire::client::JobHash job;
  const TemporaryFile other;
  {
    inferwire::client::BatchCheckpoint made;
    REQUIRE(made.open(other.path(), job, &reads_on));
    for (std::size_t i = 0; i < 5; ++i) REQUIRE(made.add({i, 1}, "{}"));
  }
  const auto opened = inputs.open(other.path(), job, after_eight, take);
  REQUIRE_FALSE(opened);
  CHECK(opened.error().kind == ErrorKind::cancelled);
  CHECK(taken == 2);  // six lines were looked at before
  CHECK(inputs.done_count() == 2);
  CHECK(file.content() == kept);
  CHECK(server.requests().size() == 5);
}

TEST_CASE("a batch reports the results of its checkpoint before its first request", "[batch]") {
  MockServer server;
  server.set_handler(&rows_for);
  const TemporaryFile file;
  const auto client = client_of(server);
  Watch watch;
  const BatchOptions options{
      .max_in_flight = 1, .max_request_inputs = 2, .checkpoint = file.path(), .observer = &watch};
  check_rows(embeddings::create_all(client, numbers(4), model, options), 4);
  CHECK(watch.seen.size() == 2);
  watch.seen.clear();
  check_rows(embeddings::create_all(client, numbers(4), model, options), 4);
  REQUIRE(watch.seen.size() == 1);
  CHECK(watch.seen[0].inputs == 4);
  CHECK(watch.seen[0].done == 4);
  CHECK(watch.seen[0].requests == 0);
}

TEST_CASE("a checkpoint of another job, or another file, is refused and not changed", "[batch]") {
  MockServer server;
  server.set_handler(&rows_for);
  const TemporaryFile file;
  const auto client = client_of(server);
  BatchOptions options{.checkpoint = file.path()};
  check_rows(embeddings::create_all(client, numbers(3), model, options), 3);
  const auto kept = file.content();
  const auto refused = [&](const std::vector<std::string>& texts, const embeddings::Request& request) {
    const auto rows = embeddings::create_all(client, texts, request, options);
    return rows.failures.size() == 1 && rows.failures[0].count == texts.size() &&
           rows.failures[0].error.kind == ErrorKind::config && rows.values.empty();
  };
  CHECK(refused(numbers(4), model));
  CHECK(refused({"0", "12"}, model));
  CHECK(refused({"0", "1", "3"}, model));
  CHECK(refused(numbers(3), {.model = "other"}));
  CHECK(refused(numbers(3), {.model = "m", .dimensions = 2}));
  CHECK(file.content() == kept);
  options.call.body = {inferwire::BodyEdit::set("/user", inferwire::Json::string("u"))};
  CHECK(refused(numbers(3), model));
  options.call.body.clear();

  for (const auto* const other :
       {"no checkpoint at all", "no checkpoint\nof two lines", "{\"inferwire_batch\":1}\n"}) {
    file.write(other);
    CHECK(refused(numbers(3), model));
    CHECK(file.content() == other);
  }
  // A torn first line counts as the beginning of one.
  file.write(kept.substr(0, 10));
  check_rows(embeddings::create_all(client, numbers(3), model, options), 3);
  CHECK(file.content() == kept);

  for (const char* const nowhere : {"/nowhere/at/all", "/dev/zero"}) {  // /dev/zero is endless
    options.checkpoint = nowhere;
    CHECK(refused(numbers(3), model));
  }
  CHECK(server.requests().size() == 2);

  const TemporaryFile edited;
  options.checkpoint = edited.path();
  const auto set = [&options](const char* pointer, const char* value) {
    options.call.body = {inferwire::BodyEdit::set(pointer, inferwire::Json::string(value))};
  };
  set("/user", "u");
  check_rows(embeddings::create_all(client, numbers(3), model, options), 3);
  set("/user", "v");
  CHECK(refused(numbers(3), model));
  set("/safety_identifier", "u");
  CHECK(refused(numbers(3), model));
}

TEST_CASE("a batch reads only the beginning of a file of gigabytes that is no checkpoint", "[batch]") {
  MockServer server;
  const TemporaryFile file("{");
  std::filesystem::resize_file(file.path(), 256u << 20);  // zeros, which take no space on the disk
  const auto before = most_held();
  const auto rows = embeddings::create_all(client_of(server), numbers(3), model, {.checkpoint = file.path()});
  REQUIRE(rows.failures.size() == 1);
  CHECK(rows.failures[0].error.kind == ErrorKind::config);
  constexpr long most_growth = 64 * 1024;  // KiB
  if (!sanitized) CHECK(most_held() - before < most_growth);
}

TEST_CASE("a batch whose checkpoint cannot be written ends, and keeps the answers that it has", "[batch]") {
  MockServer server;
  server.set_handler(&rows_for);
  const TemporaryFile file;
  const auto client = client_of(server);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit header_only{.rlim_cur = 64, .rlim_max = before.rlim_max};
  auto* const on_excess = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &header_only);
  const auto rows = embeddings::create_all(
      client, numbers(3), model, {.max_in_flight = 1, .max_request_inputs = 1, .checkpoint = file.path()});
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, on_excess);
  REQUIRE(rows.failures.size() == 1);
  CHECK(rows.failures[0].first == 1);
  CHECK(rows.failures[0].count == 2);
  CHECK(rows.failures[0].error.kind == ErrorKind::config);
  CHECK_THAT(rows.failures[0].error.detail, contains(file.path() + " cannot be written: "));
  CHECK(rows.row(0).size() == 2);
  CHECK(server.requests().size() == 1);
}

TEST_CASE("a checkpoint that cannot be read is refused and not changed", "[batch]") {
  const TemporaryFile file;
  const inferwire::client::JobHash job;
  {
    inferwire::client::BatchCheckpoint made;
    REQUIRE(made.open(file.path(), job, &reads_on));
    REQUIRE(made.add({0, 1}, R"({"data":[]})"));
  }
  const auto kept = file.content();
  {
    const NoDescriptors none;
    inferwire::client::BatchCheckpoint unreadable;
    const auto opened = unreadable.open(file.path(), job, &reads_on);
    REQUIRE_FALSE(opened);
    CHECK_THAT(opened.error().detail, inferwire_test::contains("cannot be read"));
  }
  {
    const NoDescriptors one_is_left(1);
    inferwire::client::BatchCheckpoint writable;
    const auto opened = writable.open(file.path(), job, &reads_on);
    REQUIRE_FALSE(opened);
    CHECK_THAT(opened.error().detail, inferwire_test::contains("cannot be read"));
  }
  CHECK(file.content() == kept);

  inferwire::client::BatchCheckpoint readable;
  REQUIRE(readable.open(file.path(), job, &reads_on));
  REQUIRE(readable.add({1, 0}, "{}"));  // an answer to no texts, which is skipped
  for (const std::string other :
       {R"({"first":-1,"count":1,"answer":{}})", R"({"first":1,"answer":{}})", "no JSON"}) {
    file.write(file.content() + other + "\n");
  }
  inferwire::client::BatchCheckpoint again;
  REQUIRE(again.open(file.path(), job, &reads_on));
  CHECK(again.next().value());
  CHECK_FALSE(again.next().value());
}

namespace {

/// Whether every request failed with Error{config}.
template <class Replies>
bool all_refused(const Replies& replies) {
  for (const auto& reply : replies) {
    if (reply || reply.error().kind != ErrorKind::config) return false;
  }
  return !replies.empty();
}

}  // namespace

TEST_CASE("chat::create_all answers in the order of its requests, and keeps a checkpoint", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto text =
        nlohmann::json::parse(request.body).at("messages").at(0).at("content").get<std::string>();
    return text == "3" ? Reply::error(400, "no") : Reply::json(answer_of("re " + text));
  });
  std::vector<chat::Request> requests;
  for (const auto& text : numbers(9)) requests.push_back({.model = "m", .messages = {chat::user(text)}});
  const TemporaryFile file;
  const auto client = client_of(server);
  for (const std::size_t asked : {9U, 10U}) {
    const auto replies = chat::create_all(client, requests, {.max_in_flight = 4, .checkpoint = file.path()});
    REQUIRE(replies.size() == 9);
    for (std::size_t i = 0; i < replies.size(); ++i) {
      CAPTURE(i);
      REQUIRE(replies[i].has_value() == (i != 3));
      if (i != 3) CHECK(replies[i]->text() == "re " + std::to_string(i));
    }
    CHECK(replies[3].error().kind == ErrorKind::invalid_request);
    CHECK(server.requests().size() == asked);
  }
  requests[8].messages = {chat::user("another")};
  CHECK(all_refused(chat::create_all(client, requests, {.checkpoint = file.path()})));
  CHECK(server.requests().size() == 10);
}

TEST_CASE("a call that a limit has cut is incomplete in an answer from a checkpoint, too", "[batch]") {
  AnsweringServer server(Reply::json(
      R"({"choices":[{"index":0,"message":{"role":"assistant","tool_calls":[{"id":"a","type":"function",)"
      R"("function":{"name":"f","arguments":"{"}}]},"finish_reason":"length"}]})"));
  const TemporaryFile file;
  const auto client = client_of(server);
  for (int run = 0; run < 2; ++run) {
    const auto replies = chat::create_all(client, {{.model = "m", .messages = {chat::user("0")}}},
                                          {.checkpoint = file.path()});
    REQUIRE(replies.at(0));
    CHECK(replies[0]->tool_calls().at(0)->is_incomplete());
  }
  CHECK(server.requests().size() == 1);
}

TEST_CASE("responses::create_all answers in the order of its requests, and keeps a checkpoint", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto text = nlohmann::json::parse(request.body).at("input").get<std::string>();
    return Reply::json(R"({"id":"r","model":"m","status":"completed","output":[{"type":"message",)"
                       R"("role":"assistant","content":[{"type":"output_text","text":"re )" +
                       text + "\"}]}]}");
  });
  std::vector<inferwire::responses::Request> requests;
  for (const auto& text : numbers(5)) requests.push_back({.model = "m", .input = text});
  const TemporaryFile file;
  const auto client = client_of(server);
  for (int run = 0; run < 2; ++run) {
    const auto replies = inferwire::responses::create_all(client, requests, {.checkpoint = file.path()});
    REQUIRE(replies.size() == 5);
    for (std::size_t i = 0; i < replies.size(); ++i) {
      REQUIRE(replies[i]);
      CHECK(replies[i]->output_text() == "re " + std::to_string(i));
    }
  }
  requests[4].input = "another";
  CHECK(all_refused(inferwire::responses::create_all(client, requests, {.checkpoint = file.path()})));
  CHECK(server.requests().size() == 5);
}

TEST_CASE("completions::create_all keeps a checkpoint of its prompts", "[batch]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto prompt = nlohmann::json::parse(request.body).at("prompt").get<std::string>();
    return Reply::json(R"({"id":"c","choices":[{"index":0,"text":"re )" + prompt +
                       R"(","finish_reason":"stop"}]})");
  });
  auto prompts = numbers(5);
  const TemporaryFile file;
  const auto client = client_of(server);
  const BatchOptions options{.checkpoint = file.path()};
  for (int run = 0; run < 2; ++run) {
    const auto replies = completions::create_all(client, prompts, {.model = "m"}, options);
    REQUIRE(replies.size() == 5);
    for (std::size_t i = 0; i < replies.size(); ++i) {
      REQUIRE(replies[i]);
      CHECK(replies[i]->text() == "re " + std::to_string(i));
    }
  }
  CHECK(all_refused(completions::create_all(client, prompts, {.model = "m", .max_tokens = 3}, options)));
  prompts[4] = "another";
  CHECK(all_refused(completions::create_all(client, prompts, {.model = "m"}, options)));
  CHECK(server.requests().size() == 5);
}

TEST_CASE("a checkpoint keeps an answer that has line breaks", "[batch]") {
  AnsweringServer server(Reply::json(R"({"choices": [{"index": 0, "message": {"content": "A river.",
      "citations": [
        "one",
        "two"
      ]}}]})"));
  const std::vector<chat::Request> requests(1, {.model = "m", .messages = {chat::user("Name one.")}});
  const TemporaryFile file;
  const auto client = client_of(server);
  for (int run = 0; run < 2; ++run) {
    const auto replies = chat::create_all(client, requests, {.checkpoint = file.path()});
    REQUIRE(replies.at(0));
    CHECK(replies[0]->text() == "A river.");
    const auto citations = replies[0]->choices.at(0).message.extra.find("citations");
    REQUIRE(citations);
    CHECK(citations->find("/1")->as_string() == "two");
  }
  CHECK(server.requests().size() == 1);
}

TEST_CASE("a checkpoint keeps an answer nested 256 deep", "[batch]") {
  const std::string deep = std::string(252, '[') + std::string(252, ']');
  AnsweringServer server(
      Reply::json(R"({"choices":[{"index":0,"message":{"content":"A river.","citations":)" + deep + "}}]}"));
  const std::vector<chat::Request> requests(1, {.model = "m", .messages = {chat::user("Name one.")}});
  const TemporaryFile file;
  const auto client = client_of(server);
  for (int run = 0; run < 2; ++run) {
    const auto replies = chat::create_all(client, requests, {.checkpoint = file.path()});
    REQUIRE(replies.at(0));
    const auto citations = replies[0]->choices.at(0).message.extra.find("citations");
    REQUIRE(citations);
    CHECK(citations->text() == deep);
  }
  CHECK(server.requests().size() == 1);
}
