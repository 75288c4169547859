// Answers that are read one after the other on one thread: nothing of the first remains in the second.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/responses.hpp"
#include "support/catch.hpp"
#include "support/scripted_client.hpp"
#include "wire/documents.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace inferwire;
using namespace inferwire::testing;

namespace {

/// Reads each answer after each other one, and then again. `ask(client)` has to give the same result as a new
/// decoder.
template <class Response, class Ask>
void each_is_its_own(const std::vector<std::string>& answers, Ask ask) {
  for (const auto& first : answers) {
    for (const auto& second : answers) {
      const std::vector order{&first, &second, &first, &first, &second};
      std::vector<Reply> replies;
      for (const auto* answer : order) replies.push_back(Reply::json(*answer));
      const inferwire_test::ScriptedClient service(std::move(replies));
      for (const auto* answer : order) {
        CAPTURE(first, second, *answer);
        const auto expected = json::decode<Response>(*answer);
        auto reply = ask(service.client);
        REQUIRE(reply.has_value() == expected.has_value());
        if (reply) REQUIRE(*reply == *expected);
        if (reply) reply = {};  // changes to an answer must not affect the next
      }
    }
  }
}

std::string chat_answer(const std::string& id, const std::string& message, const std::string& rest = "") {
  return R"({"id":")" + id +
         R"(","object":"chat.completion","created":17,"model":"m","choices":[{"index":0,)" + R"("message":)" +
         message + R"(,"finish_reason":"stop"}],"usage":{"prompt_tokens":)" + std::to_string(id.size()) +
         R"(,"completion_tokens":2,"total_tokens":5})" + rest + "}";
}

}  // namespace

TEST_CASE("chat answers decoded one after the other on a thread share nothing") {
  const auto said = [](const std::string& content) {
    return R"({"role":"assistant","content":")" + content + R"("})";
  };
  const auto called = [](const std::string& arguments) {
    return R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":)" +
           std::string(R"({"name":"f","arguments":")") + arguments + R"("}}]})";
  };
  const auto two = R"({"index":1,"message":{"role":"assistant","content":"b"},"finish_reason":"length"}])";
  auto of_two = chat_answer("two", said("a"));
  of_two.replace(of_two.find(R"(}],"usage")"), 2, std::string("},") + two);
  each_is_its_own<chat::Response>(
      {chat_answer("a", said("Hello.")), chat_answer("bb", said("Good morning, and a longer text at that.")),
       chat_answer("c", said("")), chat_answer("d", said(R"(a \"quoted\" \u00e9\n line)")),
       chat_answer("e", said("\xC3\xA9\xE2\x82\xAC")), chat_answer("f", said("not UTF-8 \xFF")),
       chat_answer("g", called("{}")), chat_answer("h", called(R"({\"x\":1})")),
       chat_answer("i", said("Hello."), R"(,"custom_outputs":{"x":[1,2]})"),
       chat_answer("j", said("Hello."), R"(,"custom_outputs":{"x":[1,3]})"), of_two,
       chat_answer("k", said(std::string(5000, 'x'))), chat_answer("l", said(std::string(4000, 'x'))),
       chat_answer("m", said("cut")).substr(0, 100), chat_answer("n", said("twice")) + "{}"},
      [](const Client& client) {
        return client.chat.create({.model = "m", .messages = {chat::user("Hello")}});
      });
}

TEST_CASE("other answers decoded one after the other on a thread share nothing") {
  const auto completion = [](const std::string& id, const std::string& text) {
    return R"({"id":")" + id +
           R"(","object":"text_completion","created":17,"model":"m","choices":[{"index":0,)" + R"("text":")" +
           text + R"(","logprobs":null,"finish_reason":"stop"}]})";
  };
  each_is_its_own<completions::Response>(
      {completion("a", "one"), completion("b", "and another one"), completion("a", "")},
      [](const Client& client) { return client.completions.create({.model = "m", .prompt = "Hello"}); });

  const auto response = [](const std::string& id, const std::string& output) {
    return R"({"id":")" + id + R"(","object":"response","created_at":17,"status":"completed","model":"m",)" +
           R"("output":[)" + output + "]}";
  };
  const std::string message =
      R"({"id":"m1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text",)"
      R"("text":"Hello.","annotations":[]}]})";
  const std::string call =
      R"({"id":"f1","type":"function_call","call_id":"c1","name":"f","arguments":"{}","status":"completed"})";
  each_is_its_own<responses::Response>(
      {response("a", message), response("b", message), response("c", call),
       response("d", message + "," + call), response("e", call + "," + message),
       response("f", R"({"type":"of tomorrow","id":"x"})"), response("g", "")},
      [](const Client& client) { return client.responses.create({.model = "m", .input = "Hello"}); });
}
