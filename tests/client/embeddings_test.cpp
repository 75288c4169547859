// Embeddings and models as callers see them.
#include "inferwire/embeddings.hpp"

#include "inferwire/client.hpp"
#include "inferwire/models.hpp"
#include "support/canned_transport.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <memory>

namespace {

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

struct Service {
  std::shared_ptr<CannedTransport> transport;
  Client client;
};

Service answering(std::string body, Provider row = Provider::openai(), int status = 200) {
  auto transport = std::make_shared<CannedTransport>(inferwire_test::CannedAnswer{
      .head = {.status = status, .headers = {{"Content-Type", "application/json"}}},
      .chunks = {std::move(body)}});
  return {transport, Client({.provider = std::move(row),
                             .base_url = "https://example.test",
                             .api_key = "sk-test",
                             .retry = inferwire::RetryPolicy::none(),
                             .transport = transport})};
}

const std::string two_rows =
    R"({"object":"list","data":[{"index":1,"embedding":[0.5]},{"index":0,"embedding":"AACAPg=="}],)"
    R"("usage":{"prompt_tokens":2,"total_tokens":2}})";
const embeddings::Request two_texts{.model = "m", .input = {"a", "b"}};

TEST_CASE("rows come in the order of the inputs") {
  auto [transport, client] = answering(two_rows);
  const auto reply = client.embeddings.create(two_texts);
  REQUIRE(reply);
  REQUIRE(reply->data.size() == 2);
  CHECK(reply->data[0].embedding == std::vector<float>{0.25F});
  CHECK(reply->data[1].embedding == std::vector<float>{0.5F});
  CHECK(reply->usage->prompt() == 2);
}

TEST_CASE("encoding_format base64 is sent where the provider's row takes it and the request has none") {
  const auto sent = [](Provider row, embeddings::Request request) {
    auto [transport, client] = answering(two_rows, std::move(row));
    REQUIRE(client.embeddings.create(request));
    return json::parse(transport->sent()->body);
  };
  CHECK(sent(Provider::openai(), two_texts) ==
        json{{"model", "m"}, {"input", {"a", "b"}}, {"encoding_format", "base64"}});
  auto floats = two_texts;
  floats.encoding_format = embeddings::EncodingFormat::floats;
  CHECK(sent(Provider::openai(), floats)["encoding_format"] == "float");
  auto open = two_texts;
  open.extra.set("encoding_format", Json());
  CHECK(sent(Provider::openai(), open)["encoding_format"].is_null());
  CHECK(sent(Provider::databricks(), two_texts) == json{{"input", {"a", "b"}}});
  CHECK(sent(Provider::databricks_openai(), two_texts) == json{{"model", "m"}, {"input", {"a", "b"}}});
}

TEST_CASE("Provider::embeddings_input names the member for the texts") {
  auto row = Provider::openai();
  row.embeddings_input = "inputs";
  row.base64_embeddings = false;
  row.embeddings = {.path = "/invocations", .model_in_body = false};
  auto [transport, client] = answering("[[0.5],[1]]", row);
  const auto reply = client.embeddings.create(two_texts);
  REQUIRE(reply);
  CHECK(reply->data[1].embedding == std::vector<float>{1});
  CHECK(transport->sent()->url == "https://example.test/invocations");
  CHECK(json::parse(transport->sent()->body) == json{{"inputs", {"a", "b"}}});

  row.embeddings_input = "in\"puts";
  auto [quoted, asking] = answering("[[0.5],[1]]", row);
  REQUIRE(asking.embeddings.create(two_texts));
  CHECK(json::parse(quoted->sent()->body) == json{{"in\"puts", {"a", "b"}}});
  row.embeddings_input = "in\xFFputs";
  const auto refused = answering("[[0.5],[1]]", row).client.embeddings.create(two_texts);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::invalid_request);
}

TEST_CASE("embeddings with a missing, double or extra row are Error{decode}") {
  for (const auto* data : {R"([{"index":0,"embedding":[1]}])", R"([{"index":1,"embedding":[1]}])", "[]",
                           R"([{"index":1,"embedding":[1]},{"index":1,"embedding":[1]}])",
                           R"([{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}])"}) {
    INFO(data);
    const auto reply = answering(std::string("{\"data\":") + data + "}").client.embeddings.create(two_texts);
    REQUIRE_FALSE(reply);
    CHECK(reply.error().kind == ErrorKind::decode);
    CHECK(reply.error().status == 200);
  }
}

TEST_CASE("an error in the embeddings answer is one, whatever its status") {
  const std::string body = R"({"error":{"message":"no such model","type":"invalid_request_error"}})";
  const auto refused = answering(body, Provider::openai(), 404).client.embeddings.create(two_texts);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::not_found);
  CHECK(refused.error().detail == "no such model");
  CHECK_FALSE(answering(body).client.embeddings.create(two_texts));
  const auto listed = answering(body).client.models.list();
  REQUIRE_FALSE(listed);
  CHECK(listed.error().detail == "no such model");
}

TEST_CASE("models.list sends GET without a body") {
  auto [transport, client] = answering(R"({"object":"list","data":[{"id":"m1"}]})");
  const auto list = client.models.list();
  REQUIRE(list);
  CHECK(list->data.at(0).request_name() == "m1");
  CHECK(transport->sent()->method == "GET");
  CHECK(transport->sent()->url == "https://example.test/models");
  CHECK(transport->sent()->body.empty());
  CHECK_FALSE(find_header(transport->sent()->headers, "content-type"));
  CHECK(find_header(transport->sent()->headers, "authorization") == "Bearer sk-test");
}

TEST_CASE("'code' beside the list of models is no error") {
  for (const std::string data : {R"([{"id":"m1"}])", "[]"}) {
    auto [transport, client] =
        answering(R"({"object":"list","data":)" + data + R"(,"code":200,"message":"success"})");
    CAPTURE(data);
    CHECK(client.models.list());
  }
}

TEST_CASE("models.list takes an array without an object around it") {  // as on Together
  const auto list =
      answering(" [{\"id\":\"org/a\",\"type\":\"chat\"},{\"id\":\"b\"}]\n").client.models.list();
  REQUIRE(list);
  REQUIRE(list->data.size() == 2);
  CHECK(list->data[0].request_name() == "org/a");
  CHECK(list->data[0].extra.find("type")->as_string() == "chat");
  CHECK(answering("[]").client.models.list().value().data.empty());
  const auto cut = answering("[{\"id\":\"org/a\"").client.models.list();
  REQUIRE_FALSE(cut);
  CHECK(answering("[7]").client.models.list().error().path == "data[0]");
}

TEST_CASE("models.retrieve escapes the name in the path") {
  auto [transport, client] = answering(R"({"id":"org/m 1","object":"model"})");
  const auto model = client.models.retrieve("org/m 1");
  REQUIRE(model);
  CHECK(model->id == "org/m 1");
  CHECK(transport->sent()->url == "https://example.test/models/org%2Fm%201");
  const auto nameless = client.models.retrieve("");
  REQUIRE_FALSE(nameless);
  CHECK(nameless.error().kind == ErrorKind::invalid_request);
}

TEST_CASE("models.start_list and start_retrieve work like list and retrieve") {
  auto [transport, client] = answering(R"({"id":"m1","object":"list","data":[{"id":"m1"}]})");
  CHECK(client.models.start_list().get().value().data.at(0).id == "m1");
  CHECK(transport->sent()->url == "https://example.test/models");
  CHECK(client.models.start_retrieve("m 1").get().value().id == "m1");
  CHECK(transport->sent()->url == "https://example.test/models/m%201");
  CHECK(client.models.start_retrieve("").get().error().kind == ErrorKind::invalid_request);
  const Client taken = std::move(client);
  CHECK(client.models.start_list().get().error().kind == ErrorKind::config);
  CHECK(client.models.start_retrieve("m").get().error().kind == ErrorKind::config);
}

TEST_CASE("models.list of Databricks asks for its serving endpoints") {
  auto [transport, client] =
      answering(R"({"endpoints":[{"name":"e1","task":"llm/v1/chat"}]})", Provider::databricks());
  const auto list = client.models.list();
  REQUIRE(list);
  CHECK(list->data.at(0).task == models::Task::chat);
  CHECK(transport->sent()->url == "https://example.test/api/2.0/serving-endpoints");
}

TEST_CASE("an endpoint that the provider's row lacks is Error{unsupported}, before anything is sent") {
  auto row = Provider::openai();
  row.models = {};
  row.embeddings = {};
  auto [transport, client] = answering("{}", row);
  for (const auto& error : {client.models.list().error(), client.models.retrieve("m").error(),
                            client.embeddings.create(two_texts).error()}) {
    CHECK(error.kind == ErrorKind::unsupported);
  }
  CHECK_FALSE(transport->sent());
}

TEST_CASE("embeddings and models of a client that was moved from give Error{config}") {
  auto [transport, client] = answering(two_rows);
  const Client taken = std::move(client);
  CHECK(client.embeddings.create(two_texts).error().kind == ErrorKind::config);
  CHECK(client.models.list().error().kind == ErrorKind::config);
  CHECK(client.models.retrieve("m").error().kind == ErrorKind::config);
}

}  // namespace
