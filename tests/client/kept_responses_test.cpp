// Stored responses as callers see them.
#include "inferwire/client.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/catch.hpp"
#include "support/scripted_client.hpp"

#include <future>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace inferwire;
namespace responses = inferwire::responses;
using testing::Reply;

const std::string address = "https://example.test/v1/responses";

/// A response as OpenAI's reference shows it, without its longest members.
const std::string kept =
    R"({"id":"resp_67cb71b351908190a308f3859487620d06981a8637e6bc44","object":"response",)"
    R"("created_at":1741386163,"status":"completed","completed_at":1741386164,"error":null,)"
    R"("incomplete_details":null,"instructions":null,"max_output_tokens":null,"model":"gpt-4o-2024-08-06",)"
    R"("output":[{"type":"message","id":"msg_67cb71b3c2b0819084d481baaaf148f206981a8637e6bc44",)"
    R"("status":"completed","role":"assistant","content":[{"type":"output_text",)"
    R"("text":"Silent circuits hum","annotations":[]}]}],"parallel_tool_calls":true,)"
    R"("previous_response_id":null,"store":true,"temperature":1.0,"text":{"format":{"type":"text"}},)"
    R"("tool_choice":"auto","tools":[],"top_p":1.0,"truncation":"disabled","usage":{"input_tokens":32,)"
    R"("input_tokens_details":{"cached_tokens":0},"output_tokens":18,)"
    R"("output_tokens_details":{"reasoning_tokens":0},"total_tokens":50},"user":null,"metadata":{}})";

const std::string items =
    R"({"object":"list","data":[{"id":"msg_abc123","type":"message","role":"user","content":[)"
    R"({"type":"input_text","text":"Tell me a story."}]}],"first_id":"msg_abc123","last_id":"msg_abc123",)"
    R"("has_more":false})";

const std::string gone =
    R"({"id":"resp_6786a1bec27481909a17d673315b29f6","object":"response","deleted":true})";

struct Service : inferwire_test::ScriptedClient {
  explicit Service(std::vector<Reply> replies, Provider row = Provider::openai())
      : ScriptedClient(std::move(replies), {.provider = std::move(row),
                                            .base_url = "https://example.test/v1",
                                            .api_key = "sk-test",
                                            .retry = {.max_retries = 1}}) {}

  /// The requests so far, as "GET https://...".
  std::vector<std::string> asked() const {
    std::vector<std::string> lines;
    for (const auto& request : script->requests()) lines.push_back(request.method + " " + request.url);
    return lines;
  }
};

using Lines = std::vector<std::string>;

std::string frame(int number, const std::string& type, const std::string& rest) {
  return "event: " + type + "\ndata: {\"type\":\"" + type +
         "\",\"sequence_number\":" + std::to_string(number) + "," + rest + "}\n\n";
}
std::string state(int number, const std::string& status, const std::string& output = "[]") {
  return frame(number, "response." + status,
               R"("response":{"id":"resp_1","object":"response","status":")" + status +
                   R"(","background":true,"model":"m","output":)" + output + "}");
}
std::string delta(int number, const std::string& text) {
  return frame(number, "response.output_text.delta",
               R"("item_id":"msg_1","output_index":0,"content_index":0,"delta":")" + text + "\"");
}
const std::string whole_output =
    R"([{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"One two",)"
    R"("annotations":[]}]}])";

TEST_CASE("responses.retrieve gets a kept response by its id") {
  Service service({Reply::json(kept)});
  const auto reply = service.client.responses.retrieve("resp_1", {.query = {{"include[]", "a b"}}});
  REQUIRE(reply);
  CHECK(reply->output_text() == "Silent circuits hum");
  CHECK(reply->store == true);
  CHECK(service.asked() == Lines{"GET " + address + "/resp_1?include%5B%5D=a%20b"});
  CHECK(service.script->requests().front().body.empty());
}

TEST_CASE("responses.retrieve gives failed and queued responses as values") {
  Service service({Reply::json(R"({"id":"resp_1","object":"response","status":"failed","error":{"code":)"
                               R"("server_error","message":"no"},"output":[],"model":"m"})"),
                   Reply::json(R"({"id":"resp_1","object":"response","status":"queued","error":null,)"
                               R"("output":[],"model":"m"})")});
  const auto failed = service.client.responses.retrieve("resp_1");
  REQUIRE(failed);
  CHECK(failed->status == responses::ResponseStatus::failed);
  CHECK(failed->error->code == "server_error");
  CHECK(service.client.responses.retrieve("resp_1")->status == responses::ResponseStatus::queued);
}

TEST_CASE("responses.cancel posts without a body") {
  Service service({Reply::json(R"({"id":"resp_1","object":"response","status":"cancelled","output":[],)"
                               R"("background":true,"model":"m"})")});
  const auto reply = service.client.responses.cancel("resp_1");
  REQUIRE(reply);
  CHECK(reply->status == responses::ResponseStatus::cancelled);
  CHECK(service.asked() == Lines{"POST " + address + "/resp_1/cancel"});
  CHECK(service.script->requests().front().body.empty());
}

TEST_CASE("responses.remove sends DELETE") {
  Service service({Reply::json(gone)});
  const auto reply = service.client.responses.remove("resp_6786a1bec27481909a17d673315b29f6");
  REQUIRE(reply);
  CHECK(reply->deleted);
  CHECK(reply->id == "resp_6786a1bec27481909a17d673315b29f6");
  CHECK(reply->object == "response");
  CHECK(service.asked() == Lines{"DELETE " + address + "/resp_6786a1bec27481909a17d673315b29f6"});
}

TEST_CASE("responses.list_input_items gives a page at a time") {
  Service service({Reply::json(items), Reply::json(items)});
  const auto page = service.client.responses.list_input_items("resp_1", {.query = {{"limit", "1"}}});
  REQUIRE(page);
  REQUIRE(page->data.size() == 1);
  CHECK(std::get<responses::Message>(page->data.front()).role == Role::user);
  CHECK(page->last_id == "msg_abc123");
  CHECK_FALSE(page->has_more);
  REQUIRE(service.client.responses.list_input_items("resp_1", {.query = {{"after", page->last_id}}}));
  CHECK(service.asked() == Lines{"GET " + address + "/resp_1/input_items?limit=1",
                                 "GET " + address + "/resp_1/input_items?after=msg_abc123"});
}

TEST_CASE("the id of a kept response is one segment of the path") {
  Service service({Reply::json(kept), Reply::json(gone)});
  REQUIRE(service.client.responses.retrieve("a/b?c"));
  REQUIRE(service.client.responses.remove("a/b?c"));
  CHECK(service.asked() == Lines{"GET " + address + "/a%2Fb%3Fc", "DELETE " + address + "/a%2Fb%3Fc"});
}

TEST_CASE("responses.retrieve of an unknown id is Error{not_found}") {
  Service service({Reply::json(R"({"error":{"message":"Response with id 'resp_1' not found.","type":)"
                               R"("invalid_request_error","param":null,"code":null}})",
                               404)});
  const auto reply = service.client.responses.retrieve("resp_1");
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::not_found);
  CHECK(reply.error().detail == "Response with id 'resp_1' not found.");
}

TEST_CASE("requests about kept responses are retried") {
  Service service({Reply::error(503), Reply::json(gone)});
  CHECK(service.client.responses.remove("resp_1"));
  const auto line = "DELETE " + address + "/resp_1";
  CHECK(service.asked() == Lines{line, line});
}

/// The errors of every request about the response `id`.
std::vector<Error> all_errors(const Client& client, const std::string& id) {
  const auto& resource = client.responses;
  return {resource.retrieve(id).error(),
          resource.cancel(id).error(),
          resource.remove(id).error(),
          resource.list_input_items(id).error(),
          *resource.resume(id).collect().error,
          resource.start_retrieve(id).get().error(),
          resource.start_cancel(id).get().error(),
          resource.start_remove(id).get().error(),
          resource.start_list_input_items(id).get().error()};
}

/// The error at the end of a stream with a listener.
Error end_of(AsyncStream<responses::Event> stream) {
  Error end;
  stream.listen([](const responses::Event&) {}, [&end](Result<void> outcome) { end = outcome.error(); });
  return end;
}

TEST_CASE("an empty id is Error{invalid_request}, and nothing is sent") {
  Service service({});
  for (const auto& error : all_errors(service.client, "")) {
    CHECK(error.kind == ErrorKind::invalid_request);
    CHECK(error.param == "id");
    CHECK(error.provider == "openai");
  }
  CHECK(end_of(service.client.responses.reopen("")).kind == ErrorKind::invalid_request);
  CHECK(service.asked().empty());
}

TEST_CASE("a provider that keeps no responses says so before anything is sent") {
  for (auto row :
       {Provider::databricks(), Provider::databricks_gateway(), Provider::ai21(), Provider::lmi()}) {
    Service service({}, std::move(row));
    for (const auto& error : all_errors(service.client, "resp_1"))
      CHECK(error.kind == ErrorKind::unsupported);
    CHECK(service.asked().empty());
  }
}

TEST_CASE("kept responses of a client that was moved from give Error{config}") {
  Service service({});
  const Client taken = std::move(service.client);
  for (const auto& error : all_errors(service.client, "resp_1")) CHECK(error.kind == ErrorKind::config);
  CHECK(end_of(service.client.responses.reopen("resp_1")).kind == ErrorKind::config);
}

TEST_CASE("the start_ functions for kept responses send the same requests") {
  Service service({Reply::json(kept), Reply::json(kept), Reply::json(gone), Reply::json(items)});
  const auto& resource = service.client.responses;
  CHECK(resource.start_retrieve("r").get().value().output_text() == "Silent circuits hum");
  CHECK(resource.start_cancel("r").get());
  CHECK(resource.start_remove("r").get().value().deleted);
  CHECK(resource.start_list_input_items("r").get().value().data.size() == 1);
  CHECK(service.asked() == Lines{"GET " + address + "/r", "POST " + address + "/r/cancel",
                                 "DELETE " + address + "/r", "GET " + address + "/r/input_items"});
}

TEST_CASE("responses.resume goes on behind the last event seen, without loss or repetition") {
  const auto first = state(0, "queued") + state(1, "in_progress") + delta(2, "One ");
  const auto rest = delta(3, "two") + state(4, "completed", whole_output);
  // The stream breaks after the event that was received, or in the middle of the next one.
  for (const std::size_t more : {std::size_t{0}, std::size_t{20}}) {
    Service service({Reply::stream({first + rest}).cut_after(first.size() + more), Reply::stream({rest})});
    const auto& resource = service.client.responses;
    std::string id;
    Optional<std::int64_t> last;
    std::vector<std::int64_t> seen;
    responses::Accumulator answer;
    const auto read = [&](Stream<responses::Event> stream) {
      for (const auto& event : stream) {
        if (!event) return false;
        if (const auto* state = event->get_if<responses::LifecycleEvent>()) id = state->response.id;
        last = event->sequence_number();
        seen.push_back(last.value());
        answer.add(*event);
      }
      return true;
    };
    CHECK_FALSE(read(resource.stream({.model = "m", .input = "Count.", .background = true})));
    CHECK(last == 2);
    CHECK(read(resource.resume(id, last)));
    CHECK(seen == std::vector<std::int64_t>{0, 1, 2, 3, 4});
    CHECK(answer.take(true).output_text() == "One two");
    CHECK(service.asked().back() == "GET " + address + "/resp_1?stream=true&starting_after=2");
    const auto request = service.script->requests().back();
    CHECK(request.body.empty());
    CHECK(find_header(request.headers, "accept")->find("text/event-stream") == 0);
  }
}

TEST_CASE("responses.resume without an event number begins at the start") {
  Service service(
      {Reply::stream({state(0, "queued") + delta(1, "One two") + state(2, "completed", whole_output)})});
  const auto collected = service.client.responses.resume("resp_1").collect();
  CHECK(collected);
  CHECK(collected.response.output_text() == "One two");
  CHECK(service.asked() == Lines{"GET " + address + "/resp_1?stream=true"});
}

TEST_CASE("a resumed stream that ends before its response is truncated") {
  Service service({Reply::stream({delta(3, "two")})});
  const auto collected = service.client.responses.resume("resp_1", 2).collect();
  REQUIRE_FALSE(collected);
  CHECK(collected.error->kind == ErrorKind::truncated);
  CHECK(service.asked().size() == 1);  // delivered events are not requested again
}

TEST_CASE("a resumed stream that breaks before its first event is retried from the same place") {
  Service service({Reply::stream({delta(3, "two")}).cut_after(5),
                   Reply::stream({delta(3, "two") + state(4, "completed", whole_output)})});
  CHECK(service.client.responses.resume("resp_1", 2).collect());
  const auto line = "GET " + address + "/resp_1?stream=true&starting_after=2";
  CHECK(service.asked() == Lines{line, line});
}

TEST_CASE("a resumed stream ends with the state of its response") {
  Service service({Reply::stream({state(4, "cancelled")}), Reply::stream({state(4, "failed")})});
  CHECK(service.client.responses.resume("resp_1", 3).collect());
  const auto failed = service.client.responses.resume("resp_1", 3).collect();
  REQUIRE_FALSE(failed);
  CHECK(failed.error->kind == ErrorKind::response_failed);
}

TEST_CASE("responses.reopen resumes a stream on the event loop") {
  Service service({Reply::stream({delta(3, "two") + state(4, "completed", whole_output)})});
  auto stream = service.client.responses.reopen("resp_1", 2);
  std::vector<std::int64_t> seen;
  std::promise<bool> whole;
  stream.listen([&](const responses::Event& event) { seen.push_back(event.sequence_number().value()); },
                [&](Result<void> outcome) { whole.set_value(outcome.has_value()); });
  CHECK(whole.get_future().get());
  CHECK(seen == std::vector<std::int64_t>{3, 4});
  CHECK(service.asked() == Lines{"GET " + address + "/resp_1?stream=true&starting_after=2"});
}

TEST_CASE("Event::sequence_number is read of known and unknown events") {
  const auto number = [](const std::string& document) {
    return from_json<responses::Event>(Json::raw(document)).value().sequence_number();
  };
  CHECK(number(R"({"type":"response.output_text.delta","sequence_number":7,"delta":"a"})") == 7);
  CHECK(number(R"({"type":"response.completed","sequence_number":8,"response":{"output":[]}})") == 8);
  CHECK(number(R"({"type":"response.web_search_call.searching","sequence_number":9})") == 9);
  CHECK(number(R"({"type":"response.invented","sequence_number":10})") == 10);
  CHECK_FALSE(number(R"({"type":"response.invented"})"));
  CHECK_FALSE(number(R"({"type":"response.output_text.delta","delta":"a"})"));
  CHECK_FALSE(responses::Event().sequence_number());
}

}  // namespace
