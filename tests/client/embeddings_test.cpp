// Embeddings and models as callers see them.
#include "inferwire/embeddings.hpp"

#include "inferwire/client.hpp"
#include "inferwire/models.hpp"
#include "support/answered_client.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace inferwire;
using namespace inferwire_test;
using inferwire::testing::Reply;
using nlohmann::json;

AnsweredClient service_of(std::string body, Provider row = Provider::openai()) {
  return AnsweredClient(
      Reply::json(std::move(body)),
      {.provider = std::move(row), .base_url = "https://example.test", .api_key = "sk-test"});
}

const std::string two_rows =
    R"({"object":"list","data":[{"index":1,"embedding":[0.5]},{"index":0,"embedding":"AACAPg=="}],)"
    R"("usage":{"prompt_tokens":2,"total_tokens":2}})";
const embeddings::Request two_texts{.model = "m", .input = {"a", "b"}};

TEST_CASE("rows come in the order of the inputs") {
  const auto client = service_of(two_rows).client;
  const auto reply = client.embeddings.create(two_texts);
  REQUIRE(reply);
  REQUIRE(reply->data.size() == 2);
  CHECK(reply->data[0].embedding == std::vector<float>{0.25F});
  CHECK(reply->data[1].embedding == std::vector<float>{0.5F});
  CHECK(reply->usage->prompt() == 2);
}

TEST_CASE("encoding_format base64 is sent where the provider's row takes it and the request has none") {
  const auto sent = [](Provider row, embeddings::Request request) {
    const auto service = service_of(two_rows, std::move(row));
    REQUIRE(service.client.embeddings.create(request));
    return json::parse(service.sent().body);
  };
  CHECK(sent(Provider::openai(), two_texts) ==
        json{{"model", "m"}, {"input", {"a", "b"}}, {"encoding_format", "base64"}});
  auto floats = two_texts;
  floats.encoding_format = embeddings::EncodingFormat::floats;
  CHECK(sent(Provider::openai(), floats)["encoding_format"] == "float");
  auto open = two_texts;
  open.extra.set("encoding_format", Json());
  CHECK(sent(Provider::openai(), open)["encoding_format"].is_null());
  auto integers = two_texts;
  integers.extra.set("output_dtype", Json::string("int8"));
  CHECK_FALSE(sent(Provider::openai(), integers).contains("encoding_format"));
  integers.extra.set("output_dtype", Json::string("float"));
  CHECK(sent(Provider::openai(), integers)["encoding_format"] == "base64");
  for (const auto& [name, plain, other] : {std::array{"embed_dtype", "float32", "bfloat16"},
                                           std::array{"endianness", "little", "big"}}) {  // vLLM
    auto encoded = two_texts;
    encoded.extra.set(name, Json::string(plain));
    CHECK(sent(Provider::openai(), encoded)["encoding_format"] == "base64");
    encoded.extra.set(name, Json::string(other));
    CHECK_FALSE(sent(Provider::openai(), encoded).contains("encoding_format"));
  }
  CHECK(sent(Provider::databricks(), two_texts) == json{{"input", {"a", "b"}}});
  CHECK(sent(Provider::databricks_openai(), two_texts) == json{{"model", "m"}, {"input", {"a", "b"}}});
}

TEST_CASE("encodings of rows that would be read as floats are refused before anything is sent") {
  const auto refused = [](const embeddings::Request& request) {
    const auto service = service_of(two_rows);
    const auto reply = service.client.embeddings.create(request);
    CHECK(service.script->requests().empty() != reply.has_value());
    return !reply && reply.error().kind == ErrorKind::invalid_request &&
           reply.error().param == "encoding_format";
  };
  auto request = two_texts;
  request.encoding_format = embeddings::EncodingFormat("base64_int8");  // docs.perplexity.ai
  CHECK(refused(request));
  request.encoding_format.reset();
  request.extra.set("encoding_format", Json::string("base64_binary"));
  CHECK(refused(request));
  request.extra.set("encoding_format", Json::string("ubinary"));  // Mixedbread: lists of integers
  CHECK_FALSE(refused(request));
  request.extra.erase("encoding_format");
  request.encoding_format = embeddings::EncodingFormat::base64;
  CHECK_FALSE(refused(request));
  request.extra.set("output_dtype", Json::string("int8"));
  CHECK(refused(request));
}

TEST_CASE("Provider::embeddings_input names the member for the texts") {
  auto row = Provider::openai();
  row.embeddings_input = "inputs";
  row.base64_embeddings = false;
  row.embeddings = {.path = "/invocations", .model_in_body = false};
  const auto service = service_of("[[0.5],[1]]", row);
  const auto reply = service.client.embeddings.create(two_texts);
  REQUIRE(reply);
  CHECK(reply->data[1].embedding == std::vector<float>{1});
  CHECK(service.sent().url == "https://example.test/invocations");
  CHECK(json::parse(service.sent().body) == json{{"inputs", {"a", "b"}}});

  row.embeddings_input = "in\"puts";
  const auto quoted = service_of("[[0.5],[1]]", row);
  REQUIRE(quoted.client.embeddings.create(two_texts));
  CHECK(json::parse(quoted.sent().body) == json{{"in\"puts", {"a", "b"}}});
  row.embeddings_input = "in\xFFputs";
  const auto refused = service_of("[[0.5],[1]]", row).client.embeddings.create(two_texts);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::invalid_request);
}

TEST_CASE("embeddings with a missing, double or extra row are Error{decode}") {
  for (const auto* data : {R"([{"index":0,"embedding":[1]}])", R"([{"index":1,"embedding":[1]}])", "[]",
                           R"([{"index":1,"embedding":[1]},{"index":1,"embedding":[1]}])",
                           R"([{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}])"}) {
    INFO(data);
    const auto reply = service_of(std::string("{\"data\":") + data + "}").client.embeddings.create(two_texts);
    REQUIRE_FALSE(reply);
    CHECK(reply.error().kind == ErrorKind::decode);
    CHECK(reply.error().status == 200);
  }
}

TEST_CASE("an error in the embeddings answer is one, whatever its status") {
  const std::string body = R"({"error":{"message":"no such model","type":"invalid_request_error"}})";
  const auto refused = answering(Reply::json(body, 404)).embeddings.create(two_texts);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::not_found);
  CHECK(refused.error().detail == "no such model");
  CHECK_FALSE(service_of(body).client.embeddings.create(two_texts));
  const auto listed = service_of(body).client.models.list();
  REQUIRE_FALSE(listed);
  CHECK(listed.error().detail == "no such model");
}

TEST_CASE("models.list sends GET without a body") {
  const auto service = service_of(R"({"object":"list","data":[{"id":"m1"}]})");
  const auto list = service.client.models.list();
  REQUIRE(list);
  CHECK(list->data.at(0).request_name() == "m1");
  CHECK(service.sent().method == "GET");
  CHECK(service.sent().url == "https://example.test/models");
  CHECK(service.sent().body.empty());
  CHECK_FALSE(find_header(service.sent().headers, "content-type"));
  CHECK(find_header(service.sent().headers, "authorization") == "Bearer sk-test");
}

TEST_CASE("'code' beside the list of models is no error") {
  for (const std::string data : {R"([{"id":"m1"}])", "[]"}) {
    const auto client =
        service_of(R"({"object":"list","data":)" + data + R"(,"code":200,"message":"success"})").client;
    CAPTURE(data);
    CHECK(client.models.list().value().data.size() == (data == "[]" ? 0 : 1));
  }
}

TEST_CASE("models.list takes an array without an object around it") {  // as on Together
  const auto list =
      service_of(" [{\"id\":\"org/a\",\"type\":\"chat\"},{\"id\":\"b\"}]\n").client.models.list();
  REQUIRE(list);
  REQUIRE(list->data.size() == 2);
  CHECK(list->data[0].request_name() == "org/a");
  CHECK(list->data[0].extra.find("type")->as_string() == "chat");
  CHECK(service_of("[]").client.models.list().value().data.empty());
  const auto cut = service_of("[{\"id\":\"org/a\"").client.models.list();
  REQUIRE_FALSE(cut);
  CHECK(service_of("[7]").client.models.list().error().path == "data[0]");
}

TEST_CASE("models.retrieve escapes the name in the path") {
  const auto service = service_of(R"({"id":"org/m 1","object":"model"})");
  const auto model = service.client.models.retrieve("org/m 1");
  REQUIRE(model);
  CHECK(model->id == "org/m 1");
  CHECK(service.sent().url == "https://example.test/models/org%2Fm%201");
  const auto nameless = service.client.models.retrieve("");
  REQUIRE_FALSE(nameless);
  CHECK(nameless.error().kind == ErrorKind::invalid_request);
}

TEST_CASE("models.start_list and start_retrieve work like list and retrieve") {
  auto service = service_of(R"({"id":"m1","object":"list","data":[{"id":"m1"}]})");
  CHECK(service.client.models.start_list().get().value().data.at(0).id == "m1");
  CHECK(service.sent().url == "https://example.test/models");
  CHECK(service.client.models.start_retrieve("m 1").get().value().id == "m1");
  CHECK(service.sent().url == "https://example.test/models/m%201");
  CHECK(service.client.models.start_retrieve("").get().error().kind == ErrorKind::invalid_request);
  const Client taken = std::move(service.client);
  CHECK(service.client.models.start_list().get().error().kind == ErrorKind::config);
  CHECK(service.client.models.start_retrieve("m").get().error().kind == ErrorKind::config);
}

TEST_CASE("models.list of Databricks asks for its serving endpoints") {
  const auto service =
      service_of(R"({"endpoints":[{"name":"e1","task":"llm/v1/chat"}]})", Provider::databricks());
  const auto list = service.client.models.list();
  REQUIRE(list);
  CHECK(list->data.at(0).task == models::Task::chat);
  CHECK(service.sent().url == "https://example.test/api/2.0/serving-endpoints");
}

TEST_CASE("an endpoint that the provider's row lacks is Error{unsupported}, before anything is sent") {
  auto row = Provider::openai();
  row.models = {};
  row.embeddings = {};
  const auto service = service_of("{}", row);
  for (const auto& error : {service.client.models.list().error(), service.client.models.retrieve("m").error(),
                            service.client.embeddings.create(two_texts).error()}) {
    CHECK(error.kind == ErrorKind::unsupported);
  }
  CHECK(service.script->requests().empty());
}

}  // namespace
