// Checks that every room answers the same in process, over HTTP and, where a container stands behind it, in
// SageMaker's frames.
#include "provider_documents/doors.hpp"
#include "support/catch.hpp"
#include "support/unframed.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace inferwire_test;

namespace {

struct Question {
  std::string about;
  std::string path;
  std::string body;  ///< empty: a GET
};

const std::string messages =
    R"("messages":[{"role":"user","content":"Tell me about rivers."}],"max_tokens":12)";
const std::string tool = R"({"type":"function","function":{"name":"look_up","description":"Looks rivers up",
    "parameters":{"type":"object","properties":{"river":{"type":"string"}},"required":["river"]}}})";

const std::vector<Question> questions{
    {"a chat", "/v1/chat/completions",
     R"({"model":"inferwire-toy",)" + messages + R"(,"n":2,"logprobs":true})"},
    {"a streamed chat", "/v1/chat/completions",
     R"({"model":"inferwire-toy",)" + messages + R"(,"stream":true})"},
    {"a call of a tool", "/v1/chat/completions",
     R"({"model":"inferwire-toy",)" + messages + R"(0,"tool_choice":"required","tools":[)" + tool +
         R"(],"stream":true})"},
    {"a chat of Databricks", "/serving-endpoints/databricks-claude-sonnet-4/invocations",
     R"({)" + messages + R"(})"},
    {"a completion", "/v1/completions",
     R"({"model":"inferwire-toy","prompt":["A river","A lake"],"max_tokens":9})"},
    {"a streamed completion", "/v1/completions",
     R"({"model":"inferwire-toy","prompt":"A river","max_tokens":9,"stream":true})"},
    {"embeddings", "/v1/embeddings", R"({"model":"inferwire-embed","input":["A river","A lake"]})"},
    {"packed embeddings", "/v1/embeddings",
     R"({"model":"inferwire-embed","input":"A river","encoding_format":"base64"})"},
    {"a response", "/v1/responses",
     R"({"model":"databricks-gpt-5","input":"Rivers?","max_output_tokens":40})"},
    {"a streamed response", "/v1/responses",
     R"({"model":"databricks-gpt-5","input":"Rivers?","max_output_tokens":40,"stream":true})"},
    {"models", "/v1/models", ""},
    {"endpoints", "/api/2.0/serving-endpoints", ""},
    {"an error of OpenAI", "/v1/chat/completions", R"({"model":"nobody",)" + messages + R"(})"},
    {"an error of Databricks", "/serving-endpoints/databricks-claude-sonnet-4/invocations",
     R"({"messages":[]})"},
    {"an error of LMI", "/invocations", R"({"messages":[{"role":"robot","content":"x"}]})"},
    {"an error of no path", "/v9/nothing", R"({})"},
};

/// Questions to a container: `path` ends in the model's name.
const std::vector<Question> container_questions{
    {"a chat", "inferwire-toy", R"({)" + messages + R"(,"seed":3})"},
    {"a streamed chat", "inferwire-toy", R"({)" + messages + R"(,"seed":3,"stream":true})"},
    {"a completion", "inferwire-toy", R"({"prompt":"A river","max_tokens":9})"},
    {"embeddings", "inferwire-embed", R"({"inputs":["A river","A lake"]})"},
};

struct Answer {
  int status{};
  std::string type{};
  std::string body{};

  bool operator==(const Answer&) const = default;
};

/// Asks an engine that has answered nothing yet, so that its counters are the same each time.
template <class Kind>
Answer answer_to(const std::string& path, const std::string& body) {
  HttpRequest request{.method = body.empty() ? "GET" : "POST", .url = path};
  if (!body.empty()) {
    request.headers.push_back({"content-type", "application/json"});
    request.body = body;
  }
  const auto heard = door<Kind>("fresh").ask(std::move(request));
  REQUIRE(heard.head);
  return {heard.head->status, std::string(find_header(heard.head->headers, "content-type").value_or("")),
          heard.body};
}

}  // namespace

TEST_CASE("every endpoint answers the same in process and over HTTP", "[same_answers]") {
  for (const auto& [about, path, body] : questions) {
    INFO(about);
    const auto in_process = answer_to<InProcess>(path, body);
    CHECK(in_process == answer_to<OverHttp>(path, body));
    CHECK_FALSE(in_process.body.empty());
    CHECK((in_process.status == 200) == !about.starts_with("an error of "));
  }
}

TEMPLATE_TEST_CASE("a container answers the same by itself and behind SageMaker", "[same_answers]", InProcess,
                   OverHttp) {
  for (const auto& [about, model, body] : container_questions) {
    INFO(about);
    const auto own = answer_to<TestType>("/predictions/" + model, body);
    CHECK(own.status == 200);
    const auto behind = "/endpoints/" + model + "/invocations";
    CHECK(answer_to<TestType>(behind, body).body == own.body);
    const auto framed = answer_to<TestType>(behind + "-response-stream", body);
    CHECK(framed.type == "application/vnd.amazon.eventstream");
    CHECK(unframed(framed.body) == own.body);
  }
}
