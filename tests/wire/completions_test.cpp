// Completions: decoding, encoding, and folding of chunks.
#include "inferwire/completions.hpp"

#include "support/catch.hpp"
#include "wire/documents.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

namespace {

using namespace inferwire;
using completions::Prompt;
using namespace inferwire_test;
using nlohmann::json;

json encoded(const completions::Request& request) {
  const auto text = inferwire::json::encode(request);
  REQUIRE(text);
  return json::parse(*text);
}

template <class T>
T decoded(const json& document) {
  auto value = inferwire::json::decode<T>(document.dump());
  if (!value) FAIL(value.error().message());
  return *std::move(value);
}

json texts_of(const completions::Response& response) {
  json out = json::array();
  for (const auto& choice : response.choices) out.push_back(choice.text);
  return out;
}

json finishes_of(const completions::Response& response) {
  json out = json::array();
  for (const auto& choice : response.choices) out.push_back(std::string(name(choice.finish())));
  return out;
}

TEST_CASE("completions::Request::prompt is a text, several, or token numbers") {
  const std::pair<Prompt, json> cases[] = {
      {"Once", "Once"},
      {"", ""},
      {std::vector<std::string>{"Once", "Twice"}, {"Once", "Twice"}},
      {std::vector<std::int64_t>{1, 2}, {1, 2}},
      {std::vector<std::vector<std::int64_t>>{{1, 2}, {3}}, json::parse("[[1,2],[3]]")},
  };
  for (const auto& [prompt, wire] : cases) {
    INFO(wire.dump());
    const completions::Request request{.prompt = prompt};
    CHECK(encoded(request) == json{{"prompt", wire}});
    CHECK(decoded<completions::Request>({{"prompt", wire}}) == request);
  }
}

TEST_CASE("completions::Request::prompts counts the prompts") {
  CHECK(completions::Request{.prompt = "Once"}.prompts() == 1);
  CHECK(completions::Request{.prompt = std::vector<std::int64_t>{1, 2}}.prompts() == 1);
  CHECK(completions::Request{.prompt = {"Once", "Twice"}}.prompts() == 2);
  CHECK(completions::Request{.prompt = std::vector<std::vector<std::int64_t>>{{1}, {2}, {3}}}.prompts() == 3);
}

TEST_CASE("completions::Chunk::text is that of choice 0") {
  const auto chunk = [](const char* text) { return decoded<completions::Chunk>(json::parse(text)); };
  CHECK(chunk(R"({"choices":[{"index":0,"text":"a"}]})").text() == "a");
  CHECK(chunk(R"({"choices":[{"index":1,"text":"a"}]})").text() == "");
  CHECK(chunk(R"({"choices":[]})").text() == "");
}

TEST_CASE("a prompt of another kind is refused with its path") {
  for (const auto* prompt : {"7", "{}", "[{}]", "[[\"a\"]]", "[1,\"a\"]", "[\"a\",1]", "null", "[true]"}) {
    INFO(prompt);
    const auto request =
        inferwire::json::decode<completions::Request>(std::string("{\"prompt\":") + prompt + "}");
    REQUIRE_FALSE(request);
    CHECK(request.error().path.starts_with("prompt"));
  }
}

TEST_CASE("every member of a completion request is written under its name") {
  completions::Request request{.model = "m",
                               .prompt = "p",
                               .max_tokens = 5,
                               .stream = false,
                               .stream_options = StreamOptions{.include_usage = true},
                               .temperature = 0.5,
                               .top_p = 0.25,
                               .top_k = 3,
                               .error_behavior = completions::ErrorBehavior::truncate,
                               .n = 2,
                               .best_of = 3,
                               .stop = {"a", "b"},
                               .suffix = "[end]",
                               .echo = true,
                               .use_raw_prompt = true,
                               .logprobs = 2,
                               .seed = 7,
                               .frequency_penalty = 1,
                               .presence_penalty = -1,
                               .logit_bias = {{"17", -100}},
                               .user = "u",
                               .ignore_eos = true,
                               .client_request_id = "c",
                               .usage_context = {{"team", "tide"}},
                               .extra_params = Json::raw("{\"x\":1}")};
  request.extra.set("new_one", Json::raw("null"));
  const json wire = json::parse(R"({"model":"m","prompt":"p","max_tokens":5,"stream":false,
    "stream_options":{"include_usage":true},"temperature":0.5,"top_p":0.25,"top_k":3,
    "error_behavior":"truncate","n":2,"best_of":3,"stop":["a","b"],"suffix":"[end]","echo":true,
    "use_raw_prompt":true,"logprobs":2,"seed":7,"frequency_penalty":1.0,"presence_penalty":-1.0,
    "logit_bias":{"17":-100.0},"user":"u","ignore_eos":true,"client_request_id":"c",
    "usage_context":{"team":"tide"},"extra_params":{"x":1},"new_one":null})");
  CHECK(encoded(request) == wire);
  CHECK(decoded<completions::Request>(wire) == request);
}

TEST_CASE("the first entry of token_logprobs may be null") {
  const json wire = json::parse(R"({"choices":[{"text":"a b","index":0,"finish_reason":null,"logprobs":{
    "tokens":["a"," b"],"token_logprobs":[null,-0.5],"top_logprobs":[null,{" b":-0.5," c":-1.25}],
    "text_offset":[0,1]}}]})");
  const auto response = decoded<completions::Response>(wire);
  const auto& logprobs = *response.choices[0].logprobs;
  CHECK_FALSE(logprobs.token_logprobs[0]);
  CHECK(logprobs.token_logprobs[1] == -0.5);
  CHECK_FALSE(logprobs.top_logprobs[0]);
  REQUIRE(logprobs.top_logprobs[1]);
  CHECK((*logprobs.top_logprobs[1])[1].name == " c");
  CHECK(json::parse(*inferwire::json::encode(response)) == wire);
}

TEST_CASE("an index is the choice's number, or its prompt's where indices repeat") {
  const completions::Request two_by_two{.prompt = {"a", "b"}, .n = 2};
  CHECK(two_by_two.prompts() == 2);
  CHECK(two_by_two.choices() == 4);
  const auto with_indices = [](std::vector<std::int64_t> indices) {
    completions::Response response;
    for (const auto index : indices) response.choices.push_back({.index = index});
    return response;
  };
  struct Case {
    std::vector<std::int64_t> indices;
    std::vector<std::size_t> prompts, choices;
  };
  for (const auto& [indices, prompts, choices] :
       {Case{{0, 1, 2, 3}, {0, 0, 1, 1}, {0, 1, 0, 1}}, Case{{3, 1, 0, 2}, {1, 0, 0, 1}, {1, 1, 0, 0}},
        Case{{0, 0, 1, 1}, {0, 0, 1, 1}, {0, 1, 0, 1}}, Case{{1, 0, 1, 0}, {1, 0, 1, 0}, {0, 0, 1, 1}}}) {
    const auto response = with_indices(indices);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      INFO("position " << i << " of " << json(indices).dump());
      CHECK(response.prompt_index(two_by_two, i) == prompts[i]);
      CHECK(response.choice_index(two_by_two, i) == choices[i]);
    }
  }
  const completions::Request batch{.prompt = {"a", "b", "c"}};
  CHECK(with_indices({2, 0, 1}).prompt_index(batch, 0) == 2U);
  CHECK(with_indices({2, 0, 1}).choice_index(batch, 0) == 0U);
  // Numbers that fit no prompt: too large, negative, that of a missing prompt, and of no choice.
  for (const auto& indices : {std::vector<std::int64_t>{3}, {-1}, {std::int64_t{1} << 32U}, {3, 3, 0}, {}}) {
    INFO(json(indices).dump());
    CHECK_FALSE(with_indices(indices).prompt_index(batch, 0));
    CHECK_FALSE(with_indices(indices).choice_index(batch, 0));
  }
}

TEST_CASE("many choices out of order are sorted in linear time") {
  const completions::Request request{.prompt = std::vector<std::string>(1, "a"), .n = 100'000};
  completions::Response response;
  response.choices.resize(100'000);
  for (std::int64_t index = 99'999; auto& choice : response.choices) choice.index = index--;
  CHECK(response.prompt_index(request, 0) == 0U);
  CHECK(response.choice_index(request, 0) == 99'999U);
  const completions::Request many{.prompt = std::vector<std::string>(100'000, "a"), .n = 2};
  response.choices.back().index = 99'999;
  CHECK(response.prompt_index(many, 0) == 99'999U);
}

TEST_CASE("completions::Accumulator is not grown by huge indices") {
  completions::Accumulator accumulator;
  for (std::int64_t i = 65'600; i > 0; --i) {
    accumulator.add({.choices = {{.text = "a", .index = i * 1'000'000'007}, {.text = "b", .index = -1}}});
  }
  const auto response = accumulator.take(true);
  REQUIRE(response.choices.size() == 65'536);
  CHECK(response.choices[0].index == -1);
  CHECK(response.choices[0].text == std::string(65'600, 'b'));
  CHECK(response.choices[1].index == 66'000'000'462);
  CHECK(response.choices[1].text == "a");
}

TEST_CASE("completions::Accumulator folds the chunks of several choices") {
  completions::Accumulator fold;
  for (
      const auto* text :
      {R"({"id":"c","object":"text_completion","created":1,"model":"m","x":1,"choices":[{"index":1,"text":"B"}]})",
       R"({"id":"d","choices":[{"index":0,"text":"A","logprobs":{"tokens":["A"],"token_logprobs":[-1.0],
           "top_logprobs":[{"A":-1.0}],"text_offset":[0]}},{"index":1,"text":"b","finish_reason":"stop",
           "stop_reason":7}],"service_tier":"flex","system_fingerprint":"fp"})",
       R"({"created":2,"model":"n","choices":[{"index":1,"text":"","finish_reason":"","stop_reason":null}]})",
       R"({"choices":[{"index":0,"text":"a","finish_reason":"length","logprobs":{"tokens":["a"],
           "token_logprobs":[-2.0],"top_logprobs":[{"a":-2.0}],"text_offset":[1]}}]})",
       R"({"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":4,"total_tokens":6}})"}) {
    fold.add(decoded<completions::Chunk>(json::parse(text)));
  }
  CHECK(fold.started_choices() == 2);
  CHECK(fold.finished_choices() == 2);
  CHECK(texts_of(fold.partial()) == json{"Aa", "Bb"});
  const auto response = fold.take(true);
  CHECK(texts_of(response) == json{"Aa", "Bb"});
  CHECK(finishes_of(response) == json{"length", "stop"});
  CHECK(response.id == "c");
  CHECK(response.object == "text_completion");
  CHECK(response.created == 1);
  CHECK(response.model == "m");
  CHECK(response.service_tier == "flex");
  CHECK(response.system_fingerprint == "fp");
  CHECK(response.usage->total() == 6);
  REQUIRE(response.choices[1].stop_reason);
  CHECK(response.choices[1].stop_reason->as_int() == 7);
  CHECK(response.extra.find("x") != nullptr);
  CHECK(response.choices[0].logprobs->tokens == std::vector<std::string>{"A", "a"});
  CHECK(response.choices[0].logprobs->token_logprobs == std::vector<inferwire::Optional<double>>{-1.0, -2.0});
  CHECK(response.choices[0].logprobs->top_logprobs.size() == 2);
  CHECK(response.choices[0].logprobs->text_offset == std::vector<std::int64_t>{0, 1});
  CHECK(fold.started_choices() == 0);
}

TEST_CASE("a completions::Accumulator may be moved inside a stream") {
  completions::Accumulator first;
  first.add({.choices = {{.text = "a"}}});
  completions::Accumulator second = std::move(first);
  second.add({.choices = {{.text = "b"}}});
  first = std::move(second);
  first.add({.choices = {{.text = "c"}}});
  CHECK(first.take(true).text() == "abc");
}

TEST_CASE("completions::Accumulator joins lists that describe tokens, and keeps values over null") {
  completions::Accumulator fold;
  // llama.cpp: https://github.com/ggml-org/llama.cpp/issues/27174; vLLM's token_ids
  for (const auto* members :
       {R"("token_ids":[1, 2],"logprobs":{"content":[{"id":5,"token":"a"}],"note":null})",
        R"("token_ids":[2],"logprobs":{"content":[{"id":5,"token":"a"}],"note":"x"})",
        R"("token_ids":[2],"logprobs":{"content":[],"note":null})",
        R"("token_ids":null,"logprobs":{"content":null})"}) {
    fold.add(decoded<completions::Chunk>(
        json::parse(R"({"choices":[{"index":0,"text":"a",)" + std::string(members) + "}]}")));
  }
  const auto choice = fold.take(true).choices.at(0);
  CHECK(json::parse(choice.extra.find("token_ids")->text()) == json{1, 2, 2, 2});
  CHECK(json::parse(choice.logprobs->extra.find("content")->text()) ==
        json::parse(R"([{"id":5,"token":"a"},{"id":5,"token":"a"}])"));
  CHECK(choice.logprobs->extra.find("note")->text() == R"("x")");
}

TEST_CASE("recorded completions give the facts that their vectors state") {
  std::size_t visited = 0;
  for (const json& vector : wire_index().at("vectors")) {
    if (vector.at("endpoint") != "completions") continue;
    INFO(vector.at("id").get<std::string>());
    completions::Response response;
    if (vector.at("mode") == "json") {
      response = decoded<completions::Response>(json::parse(wire_file(vector)));
      CHECK(json::parse(*inferwire::json::encode(response)) == json::parse(wire_file(vector)));
    } else {
      completions::Accumulator fold;
      for (const auto& data : inferwire_test::stream_data(wire_file(vector))) {
        if (data != "[DONE]") fold.add(decoded<completions::Chunk>(json::parse(data)));
      }
      response = fold.take(true);
    }
    const auto& expected = vector.at("expect");
    CHECK(texts_of(response) == expected.at("texts"));
    CHECK(finishes_of(response) == expected.at("finish_reasons"));
    if (!expected.at("usage").is_null()) CHECK(response.usage->total() == expected["usage"]["total"]);
    ++visited;
  }
  CHECK(visited > 2);
}

}  // namespace
