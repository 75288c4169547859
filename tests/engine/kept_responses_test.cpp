// Kept responses, as the engine's clients see them.
#include "engine/answer/kept_responses.hpp"

#include "engine/handlers/responses.hpp"
#include "engine/plan/responses_plan.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/journal.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "wrapped_model.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

const std::string room = "/v1/responses";

json question(json members = json::object(), const std::string& text = "Tell me about rivers.") {
  json body{{"model", "inferwire-toy"}, {"input", text}, {"max_output_tokens", 16}};
  body.update(members);
  return body;
}

json create(engine::Service& service, const json& body) { return good(ask(service, room, body.dump())); }

Answered ask_about(engine::Service& service, const std::string& method, const std::string& rest) {
  return ask(service, HttpRequest{.method = method, .url = "http://engine" + room + "/" + rest});
}
json get(engine::Service& service, const std::string& rest) { return good(ask_about(service, "GET", rest)); }
int status_of(engine::Service& service, const std::string& id) {
  return ask_about(service, "GET", id).head.status;
}
std::string id_of(const json& response) { return response["id"]; }

std::vector<std::string> ids(const json& list) {
  std::vector<std::string> all;
  for (const auto& item : list["data"]) all.push_back(item["id"]);
  return all;
}

/// The error of an answer. Checks that the answer has this status.
json error_of(const Answered& answer, int status) {
  INFO(answer.body);
  CHECK(answer.head.status == status);
  return json::parse(answer.body)["error"];
}

TEST_CASE("a response is kept as it was answered unless store is false") {
  engine::Engine engine;
  for (const json& members : {json::object(), json{{"store", true}}, json{{"store", nullptr}}}) {
    const auto made = create(engine, question(members));
    CHECK(made["store"] == true);
    CHECK(get(engine, id_of(made)) == made);
  }
  const auto events = ask(engine, room, question({{"stream", true}}).dump()).events();
  const auto whole = json::parse(events.back())["response"];
  CHECK(whole["store"] == true);
  CHECK(get(engine, id_of(whole)) == whole);

  const auto unstored = create(engine, question({{"store", false}}));
  CHECK(unstored["store"] == false);
  CHECK(status_of(engine, id_of(unstored)) == 404);
}

TEST_CASE("an answer that broke off before its end is not kept") {
  engine::Engine engine;
  auto generation =
      engine.start({.url = "http://engine" + room, .body = question({{"stream", true}}).dump()}, TimePoint());
  const std::string begun(generation->step(TimePoint()).bytes);
  const auto at = begun.find("resp_");
  generation.reset();
  CHECK(status_of(engine, begun.substr(at, begun.find('"', at) - at)) == 404);
}

TEST_CASE("Databricks' mounts keep no response, and answer store false") {
  engine::Engine engine;
  auto body = question();
  const auto made = json::parse(ask(engine, "/serving-endpoints/open-responses", body.dump()).body);
  CHECK(made["store"] == false);
  CHECK(status_of(engine, id_of(made)) == 404);
}

TEST_CASE("an unknown response id is 404 in OpenAI's words") {
  engine::Engine engine;
  for (const auto& [method, rest] :
       {std::pair{"GET", ""}, std::pair{"DELETE", ""}, std::pair{"GET", "/input_items"}}) {
    const auto error = error_of(ask_about(engine, method, std::string("resp_x") + rest), 404);
    CHECK(error["message"] == "Response with id 'resp_x' not found.");
    CHECK(error["type"] == "invalid_request_error");
    CHECK(error["code"].is_null());
    CHECK(error["param"].is_null());
  }
  const auto error = error_of(ask(engine, room, question({{"previous_response_id", "resp_x"}}).dump()), 400);
  CHECK(error["message"] == "Previous response with id 'resp_x' not found.");
  CHECK(error["code"] == "previous_response_not_found");
  CHECK(error["param"] == "previous_response_id");
}

TEST_CASE("a response that is deleted is kept no longer") {
  engine::Engine engine;
  const auto id = id_of(create(engine, question()));
  const auto answer = ask_about(engine, "DELETE", id);
  CHECK(json::parse(answer.body) == json{{"id", id}, {"object", "response"}, {"deleted", true}});
  CHECK(status_of(engine, id) == 404);
  CHECK(ask_about(engine, "DELETE", id).head.status == 404);
}

TEST_CASE("the oldest responses make room for new ones") {
  engine::Engine engine({.kept_responses = 2});
  std::vector<std::string> made;
  for (int i = 0; i < 3; ++i) made.push_back(id_of(create(engine, question())));
  CHECK(status_of(engine, made[0]) == 404);
  CHECK(status_of(engine, made[1]) == 200);
  CHECK(status_of(engine, made[2]) == 200);
}

TEST_CASE("kept_responses = 0 keeps none") {
  engine::Engine engine({.kept_responses = 0});
  const auto made = create(engine, question({{"store", true}}));
  CHECK(made["store"] == false);
  CHECK(status_of(engine, id_of(made)) == 404);
}

TEST_CASE("KeptResponses keeps at most 64 MiB") {
  engine::KeptResponses kept(100);
  const auto add = [&](const std::string& id, std::size_t bytes) {
    kept.add(std::make_shared<const engine::KeptResponse>(
        engine::KeptResponse{.response = {.id = id}, .bytes = bytes}));
  };
  add("a", 40u << 20);
  add("b", 20u << 20);
  CHECK(kept.find("a"));
  add("c", 20u << 20);
  CHECK_FALSE(kept.find("a"));
  CHECK(kept.find("b"));
  CHECK(kept.remove("b"));
  add("d", 44u << 20);
  CHECK(kept.find("c"));
  add("e", 65u << 20);  // too large to be kept, even if all others go
  CHECK_FALSE(kept.find("e"));
  for (const auto* id : {"c", "d"}) CHECK(kept.find(id));
}

/// Makes one event of this size in each step, and has this output.
class Talk final : public engine::ResponseWork {
 public:
  explicit Talk(std::size_t bytes, std::vector<responses::Item> output = {})
      : event_(std::string(bytes - 2, 'x') + "\n\n"), output_(std::move(output)) {}

  engine::Step work(TimePoint) override { return {.kind = engine::Step::Kind::bytes, .bytes = event_}; }
  responses::Response response() const override { return {.output = output_}; }

 private:
  std::string event_;
  std::vector<responses::Item> output_;
};

TEST_CASE("what a response says in the background counts as kept") {
  engine::KeptResponses kept(100, 1'000);
  const auto grows = std::make_shared<engine::BackgroundResponse>(std::make_unique<Talk>(400), false);
  const auto add = [&](const std::string& id, std::shared_ptr<engine::BackgroundResponse> background) {
    kept.add(std::make_shared<const engine::KeptResponse>(
        engine::KeptResponse{.response = {.id = id}, .bytes = 300, .background = std::move(background)}));
  };
  add("a", nullptr);
  add("b", grows);
  add("c", nullptr);
  grows->work(TimePoint());
  kept.make_room();
  CHECK_FALSE(kept.find("a"));
  CHECK(kept.find("b"));
  grows->work(TimePoint());
  add("d", nullptr);
  CHECK_FALSE(kept.find("b"));
  CHECK(kept.find("c"));
}

TEST_CASE("KeptResponses knows the last 65,536 ids of the reasoning that it has dropped") {
  engine::KeptResponses kept(1);
  const auto add = [&](engine::KeptResponse response) {
    kept.add(std::make_shared<const engine::KeptResponse>(std::move(response)));
  };
  const auto thought = [](std::string id) {
    return std::vector<responses::Item>{responses::Reasoning{.id = std::move(id)}};
  };
  add({.input = thought("sent"), .response = {.output = thought("answered")}});
  CHECK_FALSE(kept.has_dropped("sent"));
  add({.background = std::make_shared<engine::BackgroundResponse>(
           std::make_unique<Talk>(10, thought("thought later")), false)});
  for (const auto* id : {"sent", "answered"}) CHECK(kept.has_dropped(id));
  add({.input = thought("sent")});
  for (const auto* id : {"sent", "answered", "thought later"}) CHECK(kept.has_dropped(id));

  engine::KeptResponse many;
  for (int i = 0; i < 65'535; ++i) many.input.push_back(responses::Reasoning{.id = std::to_string(i)});
  add(std::move(many));
  add({});
  for (const auto* id : {"sent", "answered"}) CHECK_FALSE(kept.has_dropped(id));
  for (const auto* id : {"thought later", "0", "65534"}) CHECK(kept.has_dropped(id));
}

TEST_CASE("a response whose logprobs leave no room for it is not kept") {
  const auto keeper = std::make_shared<engine::KeptResponses>(10, 10'000);
  const auto store_of = [&](const json& members) {
    const auto body = question(members).dump();
    auto plan = engine::plan_response(
        {json::parse(body), body, {.name = "inferwire-toy"}, engine::openai_dialect}, {.keeper = keeper});
    REQUIRE(plan);
    const auto answer = engine::answer_response(*std::move(plan), {.dialect = engine::openai_dialect});
    std::string text;
    for (auto step = answer->step(TimePoint()); step.kind == engine::Step::Kind::bytes;
         step = answer->step(TimePoint())) {
      text += step.bytes;
    }
    return json::parse(text)["store"].get<bool>();
  };
  CHECK(store_of(json::object()));
  CHECK_FALSE(store_of({{"top_logprobs", 20}, {"include", json::array({"message.output_text.logprobs"})}}));
  CHECK(keeper->all().size() == 1);
}

TEST_CASE("a kept item counts the same in the conversations that refer to it") {
  const auto keeper = std::make_shared<engine::KeptResponses>(10);
  const auto plan = [&](const json& input) {
    const auto body = question({{"input", input},
                                {"top_logprobs", 20},
                                {"include", json::array({"message.output_text.logprobs"})}})
                          .dump();
    auto planned = engine::plan_response(
        {json::parse(body), body, {.name = "inferwire-toy"}, engine::openai_dialect}, {.keeper = keeper});
    REQUIRE(planned);
    return *std::move(planned);
  };
  const auto answer = engine::answer_response(plan("a"), {.dialect = engine::openai_dialect});
  while (answer->step(TimePoint()).kind == engine::Step::Kind::bytes) {}
  REQUIRE(keeper->all().size() == 1);
  const auto kept = keeper->all().front();
  const auto& said = std::get<responses::Message>(kept->response.output.front());
  const json reference{{"type", "item_reference"}, {"id", said.id.value()}};
  CHECK(plan(json::array({reference})).kept.bytes >= kept->bytes);
}

TEST_CASE("'store' of a response says whether there is room for it") {
  const auto keeper = std::make_shared<engine::KeptResponses>(10, 10'000);
  keeper->add(std::make_shared<const engine::KeptResponse>(
      engine::KeptResponse{.response = {.id = "resp_a", .status = "completed"}, .bytes = 9'000}));
  const auto is_kept = [&](const json& members) {
    const auto body = question(members).dump();
    const auto plan = engine::plan_response(
        {json::parse(body), body, {.name = "inferwire-toy"}, engine::openai_dialect}, {.keeper = keeper});
    REQUIRE(plan);
    CHECK(plan->response.store == (plan->keeper != nullptr));
    return plan->keeper != nullptr;
  };
  const json item{{"role", "user"}, {"content", "a"}};
  CHECK(is_kept(json::object()));
  CHECK(is_kept({{"previous_response_id", "resp_a"}}));
  CHECK_FALSE(is_kept({{"previous_response_id", "resp_a"}, {"instructions", std::string(1'000, 'a')}}));
  CHECK(is_kept({{"input", json(10, item)}}));
  CHECK_FALSE(is_kept({{"input", json(50, item)}}));
}

TEST_CASE("previous_response_id gives the same answer as the whole conversation") {
  engine::Engine engine({.seed = 5});
  const auto first = create(engine, question({{"instructions", "Speak of the sea."}}));
  const auto next = question({{"previous_response_id", id_of(first)}}, "And about the weather?");
  const auto second = create(engine, next);
  CHECK(second["previous_response_id"] == first["id"]);
  // The first response's instructions do not carry over.
  CHECK(second["instructions"].is_null());
  const auto turn = [](const char* role, const json& content) {
    return json{{"role", role}, {"content", content}};
  };
  const auto by_hand = create(engine, question({{"input",
                                                 {turn("user", "Tell me about rivers."), first["output"][0],
                                                  turn("user", "And about the weather?")}}}));
  CHECK(second["usage"] == by_hand["usage"]);
  CHECK(second["output"][0]["content"] == by_hand["output"][0]["content"]);

  // A third response can follow when the first is gone: the second has all that was said.
  REQUIRE(ask_about(engine, "DELETE", id_of(first)).head.status == 200);
  const auto third = create(engine, question({{"previous_response_id", id_of(second)}}, "Thanks."));
  CHECK(third["usage"]["input_tokens"] > second["usage"]["total_tokens"]);
}

TEST_CASE("function_call_output may answer a call of previous_response_id") {
  engine::Engine engine;
  const json tools{{{"type", "function"}, {"name", "tide"}, {"parameters", {{"type", "object"}}}}};
  const auto called =
      create(engine, question({{"tools", tools}, {"tool_choice", "required"}, {"max_output_tokens", 64}}));
  REQUIRE(called["output"][0]["type"] == "function_call");
  const auto output = [&](const std::string& call_id) {
    return question(
        {{"previous_response_id", id_of(called)},
         {"input", {{{"type", "function_call_output"}, {"call_id", call_id}, {"output", "high"}}}}});
  };
  create(engine, output(called["output"][0]["call_id"]));
  const auto error = error_of(ask(engine, room, output("call_of_nobody").dump()), 400);
  CHECK(error["message"] == "No tool call found for function call output with call_id call_of_nobody.");
  CHECK(error["param"] == "input");
  CHECK(error["code"].is_null());
}

TEST_CASE("a function_call without its output is refused, kept or sent") {
  engine::Engine engine;
  const json tools{{{"type", "function"}, {"name", "tide"}, {"parameters", {{"type", "object"}}}}};
  const auto called = create(engine, question({{"tools", tools}, {"tool_choice", "required"}}));
  const auto& call = called["output"][0];
  const json user{{"role", "user"}, {"content", "Well?"}};
  for (const auto& members : {json{{"previous_response_id", id_of(called)}},
                              json{{"previous_response_id", id_of(called)}, {"input", {user}}},
                              json{{"input", {user, call}}}, json{{"input", {call, user}}}}) {
    INFO(members);
    const auto error = error_of(ask(engine, room, question(members).dump()), 400);
    CHECK(error["message"] ==
          "No tool output found for function call " + call["call_id"].get<std::string>() + ".");
    CHECK(error["type"] == "invalid_request_error");
    CHECK(error["param"] == "input");
    CHECK(error["code"].is_null());
  }
  const json output{{"type", "function_call_output"}, {"call_id", call["call_id"]}, {"output", "high"}};
  create(engine, question({{"input", {call, user, output}}}));
}

TEST_CASE("item_reference stands for a kept item") {
  engine::Engine engine;
  const auto turn = [](const std::string& text) { return json{{"role", "user"}, {"content", text}}; };
  const auto refer = [](const json& item) { return json{{"type", "item_reference"}, {"id", item["id"]}}; };
  const auto first = create(engine, question());
  const auto& said = first["output"][0];
  const auto asked = get(engine, id_of(first) + "/input_items")["data"][0];
  const auto by_hand =
      create(engine, question({{"input", {turn("Tell me about rivers."), said, turn("And the sea?")}}}));
  const auto bare = [](const json& item) { return json{{"id", item["id"]}}; };
  const auto with_text = json::array({{{"id", said["id"]}, {"text", "lost"}}});
  CHECK(ask(engine, room, question({{"input", with_text}}).dump()).head.status == 400);
  for (const auto& input : {json{turn("Tell me about rivers."), refer(said), turn("And the sea?")},
                            json{turn("Tell me about rivers."), bare(said), turn("And the sea?")},
                            json{refer(asked), refer(said), turn("And the sea?")}}) {
    const auto second = create(engine, question({{"input", input}}));
    CHECK(second["usage"] == by_hand["usage"]);
    CHECK(second["output"][0]["content"] == by_hand["output"][0]["content"]);
    CHECK(get(engine, id_of(second) + "/input_items?order=asc")["data"][1] == said);
  }
}

TEST_CASE("item_reference may stand for a function_call") {
  engine::Engine engine;
  const json tools{{{"type", "function"}, {"name", "tide"}, {"parameters", {{"type", "object"}}}}};
  const auto call = create(engine, question({{"tools", tools}, {"tool_choice", "required"}}))["output"][0];
  const json reference{{"type", "item_reference"}, {"id", call["id"]}};
  const json output{{"type", "function_call_output"}, {"call_id", call["call_id"]}, {"output", "high"}};
  create(engine, question({{"input", {reference, output}}}));
  const auto error = error_of(ask(engine, room, question({{"input", {reference}}}).dump()), 400);
  CHECK(error["message"] ==
        "No tool output found for function call " + call["call_id"].get<std::string>() + ".");
}

TEST_CASE("item_reference to an unknown item, or twice to the same, is refused") {
  engine::Engine engine;
  const auto first = create(engine, question());
  const auto& kept = first["output"][0];
  const auto gone = create(engine, question({{"store", false}}))["output"][0];
  const auto refused = [&](const json& ids, const json& members, int status) {
    auto input = json::array();
    for (const auto& id : ids) input.push_back({{"type", "item_reference"}, {"id", id}});
    auto body = question(members);
    body["input"] = input;
    const auto error = error_of(ask(engine, room, body.dump()), status);
    CHECK(error["type"] == "invalid_request_error");
    CHECK(error["param"] == "input");
    CHECK(error["code"].is_null());
    return error["message"].get<std::string>();
  };
  const auto not_found = "Item with id '" + gone["id"].get<std::string>() + "' not found.";
  CHECK(refused({kept["id"], gone["id"], "msg_x"}, json::object(), 404) == not_found);
  CHECK(refused({gone["id"]}, {{"store", false}}, 404) ==
        not_found +
            " Items are not persisted when `store` is set to false. Try again with `store` set to true, "
            "or remove this item from your input.");
  const auto duplicate = "Duplicate item found with id " + kept["id"].get<std::string>() +
                         ". Remove duplicate items from your input and try again.";
  CHECK(refused({kept["id"], kept["id"]}, json::object(), 400) == duplicate);
  CHECK(refused({kept["id"]}, {{"previous_response_id", id_of(first)}}, 400) == duplicate);
}

TEST_CASE("reasoning that comes without its content must be kept") {
  engine::Engine engine({.kept_responses = 2});
  const json user{{"role", "user"}, {"content", "And the sea?"}};
  const auto model = [](json members) {
    members["model"] = "databricks-gpt-5";
    return members;
  };
  const auto thought = [&](const json& members) {
    return create(engine, question(model(members)))["output"][0];
  };
  const auto ask_after = [&](const json& item, const std::string& path) {
    return ask(engine, path, question(model({{"input", json::array({item, user})}})).dump());
  };
  const auto encrypted = json::array({"reasoning.encrypted_content"});
  const auto kept = thought(json::object());
  REQUIRE(kept["type"] == "reasoning");
  const auto deleted = create(engine, question(model(json::object())));
  CHECK(ask_after(kept, room).head.status == 200);
  CHECK(ask_about(engine, "DELETE", id_of(deleted)).head.status == 200);
  CHECK(ask_after(deleted["output"][0], room).head.status == 404);
  for (int i = 0; i < 2; ++i) create(engine, question());
  CHECK(ask_after(kept, room).head.status == 200);  // no longer kept, to make room
  CHECK(ask_after(thought({{"store", false}, {"include", encrypted}}), room).head.status == 200);
  const auto gone = thought({{"store", false}});
  const auto error = error_of(ask_after(gone, room), 404);
  CHECK(error["message"] == "Item with id '" + gone["id"].get<std::string>() + "' not found.");
  CHECK(error["param"] == "input");
  CHECK(ask_after(gone, "/serving-endpoints/responses").head.status == 200);  // nothing is kept there
}

TEST_CASE("two items with one id are refused, whether sent or kept") {
  engine::Engine engine;
  const auto first = create(engine, question());
  const auto& kept = first["output"][0];
  const json said{{"type", "message"}, {"id", "msg_1"}, {"role", "assistant"}, {"content", "No."}};
  const json call{
      {"type", "function_call"}, {"id", "fc_1"}, {"call_id", "a"}, {"name", "f"}, {"arguments", "{}"}};
  auto other = call;
  other["call_id"] = "b";
  const json reference{{"type", "item_reference"}, {"id", kept["id"]}};
  const json before{{"previous_response_id", id_of(first)}};
  for (const auto& [input, members, id] :
       {std::tuple{json{said, said}, json::object(), std::string("msg_1")},
        {json{call, other}, json::object(), "fc_1"},
        {json{reference, kept}, json::object(), kept["id"].get<std::string>()},
        {json::array({kept}), before, kept["id"].get<std::string>()}}) {
    INFO(input);
    auto body = question(members);
    body["input"] = input;
    const auto error = error_of(ask(engine, room, body.dump()), 400);
    CHECK(error["message"] ==
          "Duplicate item found with id " + id + ". Remove duplicate items from your input and try again.");
    CHECK(error["param"] == "input");
  }
  const json user{{"role", "user"}, {"content", "Well?"}};
  create(engine, question({{"input", {user, user, said, kept}}}));
}

TEST_CASE("input items are listed in the form that they have on the service") {
  engine::Engine engine;
  const auto first = create(engine, question());
  const auto list = get(engine, id_of(first) + "/input_items");
  CHECK(list["object"] == "list");
  CHECK(list["has_more"] == false);
  REQUIRE(list["data"].size() == 1);
  const auto& item = list["data"][0];
  CHECK(item["type"] == "message");
  CHECK(item["role"] == "user");
  CHECK(item["content"] == json{{{"type", "input_text"}, {"text", "Tell me about rivers."}}});
  CHECK(item["id"].get<std::string>().starts_with("msg_"));
  CHECK(list["first_id"] == item["id"]);
  CHECK(list["last_id"] == item["id"]);

  const auto second = create(engine, question({{"previous_response_id", id_of(first)}}, "And the sea?"));
  const auto all = get(engine, id_of(second) + "/input_items?order=asc");
  REQUIRE(all["data"].size() == 3);
  CHECK(all["data"][0] == item);
  CHECK(all["data"][1] == first["output"][0]);
  CHECK(all["data"][2]["content"][0]["text"] == "And the sea?");
}

TEST_CASE("input items are listed a page at a time, the newest first unless asked for otherwise") {
  engine::Engine engine;
  json input = json::array();
  for (int i = 0; i < 25; ++i) input.push_back({{"role", "user"}, {"content", "Say " + std::to_string(i)}});
  input.push_back({{"role", "assistant"}, {"content", "No."}, {"id", "msg_mine"}, {"type", "message"}});
  const auto path = id_of(create(engine, question({{"input", input}}))) + "/input_items";

  const auto newest = get(engine, path);
  CHECK(newest["data"].size() == 20);
  CHECK(newest["has_more"] == true);
  CHECK(newest["first_id"] == "msg_mine");
  CHECK(newest["data"][0]["content"][0]["type"] == "output_text");
  const auto rest = get(engine, path + "?after=" + newest["last_id"].get<std::string>());
  CHECK(rest["data"].size() == 6);
  CHECK(rest["has_more"] == false);
  CHECK(rest["data"][5]["content"][0]["text"] == "Say 0");

  const auto oldest = get(engine, path + "?order=asc&limit=2");
  CHECK(oldest["data"][1]["content"][0]["text"] == "Say 1");
  const auto empty = get(engine, path + "?order=asc&after=msg_mine");
  CHECK(empty["data"].empty());
  CHECK(empty["has_more"] == false);

  auto every = ids(newest);
  for (const auto& id : ids(rest)) every.push_back(id);
  CHECK(std::set<std::string>(every.begin(), every.end()).size() == 26);

  for (const auto& [query, param] :
       {std::pair{"limit=0", "limit"}, std::pair{"limit=101", "limit"}, std::pair{"limit=2x", "limit"},
        std::pair{"order=up", "order"}, std::pair{"after=msg_x", "after"}}) {
    CHECK(error_of(ask_about(engine, "GET", path + "?" + query), 400)["param"] == param);
  }
}

TEST_CASE("retrieving a kept response as a stream is refused") {
  engine::Engine engine;
  const auto id = id_of(create(engine, question()));
  const auto error = error_of(ask_about(engine, "GET", id + "?stream=true"), 400);
  CHECK(error["param"] == "stream");
  CHECK(get(engine, id + "?stream=false")["id"] == id);
}

// --- In the background ---

const json in_background{{"background", true}};
const json streamed_in_background{{"background", true}, {"stream", true}};

/// Answers a GET at the time `now`, without waiting.
json get_at(engine::Service& service, const std::string& rest, TimePoint now) {
  const auto generation = service.start({.method = "GET", .url = "http://engine" + room + "/" + rest}, now);
  std::string body;
  for (;;) {
    const auto step = generation->step(now);
    REQUIRE(step.kind != engine::Step::Kind::wait);
    if (step.kind == engine::Step::Kind::done) return json::parse(body);
    body += step.bytes;
  }
}

TEST_CASE("a background response is queued, and whole when it is retrieved") {
  engine::Engine engine({.created = 1}), other({.created = 1});
  const auto queued = create(engine, question(in_background));
  CHECK(queued["status"] == "queued");
  CHECK(queued["background"] == true);
  CHECK(queued["store"] == true);
  CHECK(queued["output"].empty());
  CHECK(queued["usage"].is_null());
  const auto whole = get(engine, id_of(queued));
  CHECK(whole["id"] == queued["id"]);
  CHECK(whole["status"] == "incomplete");  // because of max_output_tokens
  CHECK(whole["output"] == create(other, question())["output"]);
  CHECK(get(engine, id_of(queued)) == whole);
  create(engine, question({{"previous_response_id", id_of(queued)}}));
  CHECK(get(engine, id_of(queued) + "/input_items")["data"].size() == 1);
}

TEST_CASE("the oldest responses make room for what others say in the background") {
  engine::Engine engine;
  const std::string spaces((8u << 20) - 6'000, ' ');  // count as part of the body
  const auto oldest = ask(engine, room, question().dump() + spaces);
  REQUIRE(oldest.head.status == 200);
  const auto id = id_of(json::parse(oldest.body));
  // Each has the oldest one's input, too: 64 MiB in all but for some kilobytes.
  for (int i = 0; i < 7; ++i) create(engine, question({{"previous_response_id", id}}));
  const auto talks =
      id_of(create(engine, question({{"background", true},
                                     {"top_logprobs", 20},
                                     {"include", json::array({"message.output_text.logprobs"})}})));
  CHECK(status_of(engine, id) == 200);
  CHECK(status_of(engine, talks) == 200);
  CHECK(status_of(engine, id) == 404);
  CHECK(status_of(engine, talks) == 200);
}

TEST_CASE("previous_response_id may name a background response as soon as it is due") {
  engine::Engine engine({.created = 1}), other({.created = 1});
  const auto go_on = [](engine::Engine& from, const json& members) {
    const auto id = id_of(create(from, question(members)));
    return create(from, question({{"previous_response_id", id}}))["output"];
  };
  CHECK(go_on(engine, in_background) == go_on(other, json::object()));
}

TEST_CASE("a request that continues a background response works on that in its steps") {
  using Kind = engine::Step::Kind;
  engine::Engine engine({.deadline = Duration(100)});
  const TimePoint start{std::chrono::hours(1)};
  const auto id = id_of(create(engine, question(in_background)));
  const auto begin = [&](const std::string& path, json body) {
    body.update({{"previous_response_id", id}});
    return engine.start({.url = "http://engine" + path, .body = body.dump()}, start);
  };
  for (const auto& [path, members] : {std::pair{room, json::object()},
                                      {room, json{{"stream", true}}},
                                      {room + "/input_tokens", json::object()}}) {
    const auto late = begin(path, question(members));
    CHECK_FALSE(late->streamed());
    const auto first = late->step(start);
    CHECK(first.kind == Kind::bytes);
    CHECK(first.bytes.empty());
    const auto last = late->step(start + std::chrono::milliseconds(100));
    CHECK_THAT(std::string(last.bytes), contains("deadline"));
    CHECK(late->head().status == 504);
    CHECK(late->step(start).kind == Kind::done);
  }
  // None of them has done all of its work.
  CHECK(json::parse(ask_about(engine, "POST", id + "/cancel").body)["status"] == "cancelled");
}

TEST_CASE("a request that continues a background response may be streamed, counted and refused") {
  engine::Engine engine({.created = 1}), other({.created = 1});
  const auto after = [](engine::Engine& from, const json& members, const std::string& path, json body) {
    const auto id = id_of(create(from, question(members)));
    body.update({{"previous_response_id", id}});
    return ask(from, path, body.dump());
  };
  const auto both = [&](const std::string& path, const json& body) {
    const auto one = after(engine, in_background, path, body);
    const auto two = after(other, json::object(), path, body);
    CHECK(one.body == two.body);
    CHECK(one.streamed == two.streamed);
    CHECK(one.head.status == two.head.status);
    CHECK(find_header(one.head.headers, "content-type") == find_header(two.head.headers, "content-type"));
    return one;
  };
  CHECK(both(room, question()).head.status == 200);
  CHECK(both(room, question({{"stream", true}})).streamed);
  CHECK(both(room + "/input_tokens", question()).head.status == 200);
  CHECK(both(room, question({{"temperature", 9}})).head.status == 400);
}

TEST_CASE("a fault may cut the stream that continues a background response") {
  engine::Engine engine(
      {.script = {.rules = {{.when = {.stream = true}, .fault = {.cut_after_events = 2}}}}});
  const auto id = id_of(create(engine, question(in_background)));
  const auto cut = ask(engine, room, question({{"previous_response_id", id}, {"stream", true}}).dump());
  CHECK(cut.streamed);
  CHECK(find_header(cut.head.headers, "content-type") == "text/event-stream");
  CHECK(cut.events().size() == 2);
  CHECK(cut.broken);
}

TEST_CASE("a background response is as far as the pacing allows when it is retrieved") {
  using std::chrono::milliseconds;
  engine::Engine engine({.pacing = {.first_token = milliseconds(100), .per_token = milliseconds(10)}});
  const TimePoint start{std::chrono::hours(1)};
  const auto begun =
      engine.start({.url = "http://engine" + room, .body = question(in_background).dump()}, start);
  const auto id = id_of(json::parse(begun->step(start).bytes));
  CHECK(get_at(engine, id, start + milliseconds(99))["status"] == "in_progress");
  const auto early = error_of(ask(engine, room, question({{"previous_response_id", id}}).dump()), 400);
  CHECK(early["param"] == "previous_response_id");
  CHECK(get_at(engine, id, start + milliseconds(240))["status"] == "in_progress");
  CHECK(get_at(engine, id, start + milliseconds(250))["status"] == "incomplete");
}

TEST_CASE("completed_at of a background response does not depend on when it is retrieved") {
  using std::chrono::milliseconds;
  const auto completed_at = [](TimePoint retrieved_after) {
    engine::Engine engine({.pacing = {.first_token = milliseconds(2'500)}, .created = 1'000});
    json body{{"model", "inferwire-toy"}, {"input", "Tell me about rivers."}, {"temperature", 0}};
    body.update(in_background);
    const auto begun = engine.start({.url = "http://engine" + room, .body = body.dump()}, TimePoint());
    const auto id = id_of(json::parse(begun->step(TimePoint()).bytes));
    const auto whole = get_at(engine, id, retrieved_after);
    CHECK(whole["status"] == "completed");
    return whole["completed_at"];
  };
  CHECK(completed_at(TimePoint(milliseconds(2'500))) == 1'002);
  CHECK(completed_at(TimePoint(std::chrono::hours(1))) == 1'002);
}

TEST_CASE("starting_after gives the rest of a background response's events") {
  engine::Engine whole({.created = 1});
  const auto all = ask(whole, room, question(streamed_in_background).dump());
  CHECK(all.streamed);
  const auto expected = all.events();
  CHECK(json::parse(expected[0])["type"] == "response.created");
  CHECK(json::parse(expected[0])["response"]["status"] == "queued");
  CHECK(json::parse(expected[1])["type"] == "response.queued");
  CHECK(json::parse(expected[2])["type"] == "response.in_progress");
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(json::parse(expected[i])["sequence_number"] == i);

  for (std::size_t seen = 1; seen < expected.size(); ++seen) {
    engine::Engine engine({.created = 1});
    auto begun = engine.start(
        {.url = "http://engine" + room, .body = question(streamed_in_background).dump()}, TimePoint());
    const std::string first(begun->step(TimePoint()).bytes);
    begun.reset();  // now its client is gone
    const auto at = first.find("resp_");
    const auto id = first.substr(at, first.find('"', at) - at);
    const auto rest =
        ask_about(engine, "GET", id + "?stream=true&starting_after=" + std::to_string(seen - 1));
    CHECK(find_header(rest.head.headers, "content-type") == "text/event-stream");
    CHECK(rest.events() ==
          std::vector<std::string>(expected.begin() + static_cast<std::ptrdiff_t>(seen), expected.end()));
    CHECK(ask_about(engine, "GET", id + "?stream=true").events() == expected);
    CHECK(get(engine, id) == json::parse(expected.back())["response"]);
  }
}

TEST_CASE("two readers of a background response both get all events") {
  engine::Engine engine;
  auto one = engine.start({.url = "http://engine" + room, .body = question(streamed_in_background).dump()},
                          TimePoint());
  std::string first(one->step(TimePoint()).bytes);
  const auto at = first.find("resp_");
  const auto id = first.substr(at, first.find('"', at) - at);
  auto two =
      engine.start({.method = "GET", .url = "http://engine" + room + "/" + id + "?stream=true"}, TimePoint());
  std::string second;
  bool goes_on = true;
  while (goes_on) {
    goes_on = false;
    for (const auto& [reader, text] : {std::pair{one.get(), &first}, std::pair{two.get(), &second}}) {
      const auto step = reader->step(TimePoint());
      *text += step.bytes;
      goes_on |= step.kind != engine::Step::Kind::done;
    }
  }
  CHECK(first == second);
}

TEST_CASE("cancelling a background response tells its readers") {
  engine::Engine engine;
  auto reader = engine.start({.url = "http://engine" + room, .body = question(streamed_in_background).dump()},
                             TimePoint());
  const std::string first(reader->step(TimePoint()).bytes);
  const auto at = first.find("resp_");
  const auto id = first.substr(at, first.find('"', at) - at);
  const auto cancelled = json::parse(ask_about(engine, "POST", id + "/cancel").body);
  CHECK(cancelled["status"] == "cancelled");
  CHECK(json::parse(ask_about(engine, "POST", id + "/cancel").body) == cancelled);
  CHECK(get(engine, id) == cancelled);
  const std::string last(reader->step(TimePoint()).bytes);
  CHECK(last.starts_with("event: response.incomplete\n"));
  CHECK(json::parse(last.substr(last.find('{')))["response"] == cancelled);
  CHECK(reader->step(TimePoint()).kind == engine::Step::Kind::done);

  const auto whole = id_of(create(engine, question(in_background)));
  const auto before = get(engine, whole);
  CHECK(json::parse(ask_about(engine, "POST", whole + "/cancel").body) == before);
  const auto foreground = id_of(create(engine, question()));
  CHECK(error_of(ask_about(engine, "POST", foreground + "/cancel"), 400)["message"] ==
        "Cannot cancel a synchronous response.");
  CHECK(ask_about(engine, "POST", "resp_x/cancel").head.status == 404);
}

TEST_CASE("a background response whose model throws has failed with server_error") {
  const auto what = GENERATE(Thrown::exception, Thrown::number);
  engine::Engine engine({.endpoints = {{.name = "thrower", .model = std::make_shared<ThrowingModel>(what)}}});
  auto body = question(streamed_in_background);
  body["model"] = "thrower";
  const auto answer = ask(engine, room, body.dump());
  const auto last = json::parse(answer.events().back());
  CHECK(last["type"] == "response.failed");
  CHECK(last["response"]["error"]["code"] == "server_error");
  CHECK(answer.body.find("hunter2") == std::string::npos);
  CHECK(get(engine, id_of(last["response"]))["status"] == "failed");
}

TEST_CASE("background without store, or streamed afterwards, is refused") {
  engine::Engine engine;
  auto members = in_background;
  members["store"] = false;
  CHECK(error_of(ask(engine, room, question(members).dump()), 400)["param"] == "background");
  engine::Engine forgetful({.kept_responses = 0});
  CHECK(error_of(ask(forgetful, room, question(in_background).dump()), 400)["param"] == "background");
  const auto unstreamed = id_of(create(engine, question(in_background)));
  CHECK(error_of(ask_about(engine, "GET", unstreamed + "?stream=true"), 400)["param"] == "stream");
  const auto events = ask(engine, room, question(streamed_in_background).dump()).events();
  const auto id = id_of(json::parse(events.back())["response"]);
  for (const auto* after : {"x", "-1", ""}) {
    const auto error = error_of(ask_about(engine, "GET", id + "?stream=true&starting_after=" + after), 400);
    CHECK(error["param"] == "starting_after");
  }
  for (const auto* after : {"99999", "18446744073709551615"}) {
    CHECK(ask_about(engine, "GET", id + "?stream=true&starting_after=" + after).body.empty());
  }
}

TEST_CASE("a stream of a background response ends at the deadline, and the response goes on") {
  using std::chrono::milliseconds;
  engine::Engine engine({.pacing = {.per_token = milliseconds(20)}, .deadline = Duration(100)});
  const auto answer = ask(engine, room, question(streamed_in_background).dump());
  const auto events = answer.events();
  const auto last = json::parse(events.back());
  CHECK(last["type"] == "error");
  CHECK(last["code"] == "timeout");
  CHECK(last["sequence_number"] == events.size() - 1);
  const auto id = id_of(json::parse(events.front())["response"]);
  const TimePoint later{std::chrono::hours(2)};
  CHECK(get_at(engine, id, later)["status"] == "incomplete");  // because of max_output_tokens
}

TEST_CASE("requests about kept responses need the key, follow the script and are in the journal") {
  engine::Engine engine({.api_key = Secret("right-key"), .journal_entries = 2});
  CHECK(status_of(engine, "resp_x") == 401);
  CHECK(engine.journal().last()->url == "http://engine/v1/responses/resp_x");
  CHECK(engine.journal().last()->status == 401);

  engine::Engine scripted({.script = {.rules = {{.when = {.path = "/v1/responses/resp_y"},
                                                 .replies = {engine::reply::Failure{.status = 503}}}}}});
  CHECK(status_of(scripted, "resp_y") == 503);
  CHECK(status_of(scripted, "resp_x") == 404);
}

TEST_CASE("many threads work on one response in the background") {
  engine::Engine engine;
  const auto id = id_of(create(engine, question(in_background)));
  std::vector<std::thread> threads;
  std::vector<std::string> bodies(4);
  for (auto& body : bodies) {
    threads.emplace_back([&] { body = ask_about(engine, "GET", id).body; });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& body : bodies) CHECK(body == bodies.front());
}

TEST_CASE("many threads make, read, go on from and delete responses") {
  engine::Engine engine({.kept_responses = 8});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&engine] {
      json next = question();
      for (int turn = 0; turn < 12; ++turn) {
        const auto answer = ask(engine, room, next.dump());
        if (answer.head.status != 200) {  // other threads' responses have pushed it out
          next = question();
          continue;
        }
        const std::string id = json::parse(answer.body)["id"];
        ask_about(engine, "GET", id);
        ask_about(engine, "GET", id + "/input_items");
        next = question({{"previous_response_id", id}}, "Go on.");
        if (turn % 4 == 3) ask_about(engine, "DELETE", id);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
